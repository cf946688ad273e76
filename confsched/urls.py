"""The roof of all addresses."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, path

from confsched import views
from sessions_app import urls as programme
from sessions_app import urls_feeds as feeds
from sessions_app.agenda import urls as agenda
from speakers import urls as people

urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("robots.txt", views.robots, name="robots"),
    path("media/photos/<path:name>", views.photo, name="photo"),
    # Joined rather than included: each include is one more resolver that every request passes.
    # What answers most often by the long way comes first: the script asks for picks on every page.
    *agenda.urlpatterns,
    *programme.urlpatterns,
    *feeds.urlpatterns,
    *people.urlpatterns,
]

handler400 = "confsched.views.bad_request"
handler403 = "confsched.views.permission_denied"
handler404 = "sessions_app.views.errors.page_not_found"
handler500 = "confsched.views.server_error"
