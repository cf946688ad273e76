"""Addresses of the programme's pages."""

from __future__ import annotations

from django.urls import path

from sessions_app.views import changes, conferences, now, places, schedule, sessions, sitemap

urlpatterns = [
    path("sitemap.xml", sitemap.sitemap, name="sitemap"),
    path("", conferences.front, name="front"),
    path("conferences/", conferences.conference_list, name="conference-list"),
    path("<slug:conference>/", schedule.schedule_page, name="schedule"),
    path("<slug:conference>/now/", now.now_page, name="now"),
    path("<slug:conference>/changes/", changes.changes_page, name="changes"),
    path("<slug:conference>/changes.atom", changes.changes_feed, name="changes-feed"),
    path("<slug:conference>/rooms/<slug:slug>/", places.room_detail, name="room-detail"),
    path("<slug:conference>/tracks/<slug:slug>/", places.track_detail, name="track-detail"),
    path("<slug:conference>/sessions/<slug:slug>/", sessions.session_detail, name="session-detail"),
    path(
        "<slug:conference>/sessions/<slug:slug>/slides/<int:number>/",
        sessions.slides_download,
        name="slides-download",
    ),
]
