"""Addresses of the agenda: the visitor's own below a conference, and those by secret."""

from __future__ import annotations

from django.urls import path, register_converter

from sessions_app.agenda.tokens import TOKEN_LENGTH
from sessions_app.agenda.views import own, secret, stars


class TokenConverter:
    """A secret as ``tokens.make`` writes it; anything else is a 404 without a look-up."""

    regex = f"[A-Za-z0-9_-]{{{TOKEN_LENGTH}}}"

    def to_python(self, value: str) -> str:
        """Return the token."""
        return value

    def to_url(self, value: str) -> str:
        """Return the token."""
        return value


register_converter(TokenConverter, "token")

urlpatterns = [
    path("<slug:conference>/agenda/picks/", stars.agenda_picks, name="agenda-picks"),
    path("agenda/open/<token:token>/", secret.agenda_open, name="agenda-open"),
    path("agenda/shared/<token:token>/", secret.agenda_shared, name="agenda-shared"),
    path("agenda/feed/<token:token>.ics", secret.agenda_feed, name="agenda-feed"),
    path("<slug:conference>/agenda/", own.agenda, name="agenda"),
    path("<slug:conference>/agenda/token/", stars.agenda_token, name="agenda-token"),
    path("<slug:conference>/agenda/add/<slug:session>/", stars.agenda_add, name="agenda-add"),
    path(
        "<slug:conference>/agenda/remove/<slug:session>/", stars.agenda_remove, name="agenda-remove"
    ),
    path("<slug:conference>/agenda/links/", own.agenda_links, name="agenda-links"),
    path("<slug:conference>/agenda/open/", own.agenda_join, name="agenda-join"),
    path("<slug:conference>/agenda/delete/", own.agenda_delete, name="agenda-delete"),
]
