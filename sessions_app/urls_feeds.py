"""Addresses of calendars and files: none ends in a slash, each has a suffix."""

from __future__ import annotations

from django.urls import path

from sessions_app.exporters.registry import EXPORTERS
from sessions_app.views import feeds

urlpatterns = [
    *(
        path(
            f"<slug:conference>/schedule.{exporter.suffix}",
            feeds.schedule_file,
            {"exporter": exporter},
            name=f"schedule-{exporter.suffix}",
        )
        for exporter in EXPORTERS
    ),
    path("<slug:conference>/sessions/<slug:slug>.ics", feeds.session_file, name="session-ics"),
    path("<slug:conference>/speakers/<slug:slug>.ics", feeds.speaker_feed, name="speaker-ics"),
    path("<slug:conference>/rooms/<slug:slug>.ics", feeds.room_feed, name="room-ics"),
    path("<slug:conference>/tracks/<slug:slug>.ics", feeds.track_feed, name="track-ics"),
]
