"""The roof of all addresses."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    path("", include("speakers.urls")),
    path("", include("sessions_app.urls")),
    path("", include("sessions_app.urls_feeds")),
]
