"""The roof of all addresses."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from confsched import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("robots.txt", views.robots, name="robots"),
    path("media/photos/<path:name>", views.photo, name="photo"),
    path("", include("speakers.urls")),
    path("", include("sessions_app.urls")),
    path("", include("sessions_app.urls_feeds")),
]

handler400 = "confsched.views.bad_request"
handler403 = "confsched.views.permission_denied"
handler404 = "confsched.views.page_not_found"
handler500 = "confsched.views.server_error"
