"""Addresses of the people's pages."""

from __future__ import annotations

from django.urls import path

from speakers import views

urlpatterns = [
    path("<slug:conference>/speakers/", views.speaker_list, name="speaker-list"),
    path("<slug:conference>/speakers/<slug:slug>/", views.speaker_detail, name="speaker-detail"),
]
