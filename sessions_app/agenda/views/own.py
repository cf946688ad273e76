"""The visitor's own agenda: its page, its links, joining another device's, deleting it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters

from sessions_app import addresses
from sessions_app.agenda import cookies, picks, qr, tokens
from sessions_app.agenda.models import Agenda
from sessions_app.agenda.plan import plan
from sessions_app.agenda.tokens import Opened, Purpose
from sessions_app.agenda.views.base import (
    change_own,
    keep_cookie,
    own_agenda,
    secret_page,
    show,
    with_conference,
)
from sessions_app.schedule import Schedule
from sessions_app.views.base import feed_links, now, page_context


@with_conference("GET", "HEAD")
def agenda(request: HttpRequest, schedule: Schedule) -> HttpResponse:
    """Show the agenda by days, and the ways to take it along."""
    own = own_agenda(request, schedule)
    context: dict[str, Any] = page_context(schedule, "agenda") | {
        "is_deleted": "deleted" in request.GET,
        "agenda_page": addresses.agenda_path(schedule.conference.slug),
    }
    if own is not None:
        context["picked"] = sorted(own.picks)
        context["plan"] = plan(schedule, own.picks, now())
        context |= take_along(schedule, own)
        context["done"] = DONE.get(request.GET.get("done", ""), "")
    return show(request, "agenda", context)


def take_along(schedule: Schedule, own: Opened) -> dict[str, Any]:
    """Return the addresses that open this agenda, absolute, and what the page makes of them."""
    live = tokens.live_tokens(own.agenda_id)
    if not live:  # deleted in this very moment
        return {}
    device = f"{settings.SITE_URL}/agenda/open/{live[Purpose.OPEN]}/"
    shared = live.get(Purpose.SHARED)
    return feed_links(schedule, f"/agenda/feed/{live[Purpose.FEED]}.ics", gettext("My agenda")) | {
        "links": {
            "device": device,
            "qr": qr.svg(device),
            "shared": f"{settings.SITE_URL}/agenda/shared/{shared}/" if shared else "",
        }
    }


#: What the buttons beside the links do, by the value they send.
ACTIONS: dict[str, Callable[[uuid.UUID], None]] = {
    "renew-feed": lambda own: tokens.renew(own, Purpose.FEED),
    "renew-devices": lambda own: tokens.renew(own, Purpose.OPEN, Purpose.COOKIE),
    "share": tokens.share,
    "unshare": lambda own: tokens.revoke(own, Purpose.SHARED),
}
#: What the page says afterwards.
DONE = {
    "renew-feed": _("The old calendar address is dead. Subscribe to the new one."),
    "renew-devices": _("The old address is dead, and every other device is closed out."),
    "share": _("There is an address for friends now."),
    "unshare": _("The address for friends is dead."),
}


@with_conference("POST")
def agenda_links(request: HttpRequest, schedule: Schedule) -> HttpResponse:
    """Make, renew or revoke one of the agenda's links."""
    action = request.POST.get("action", "")
    agenda_id = change_own(request, schedule, ACTIONS[action]) if action in ACTIONS else None
    if agenda_id is None:
        return _to_agenda(schedule)
    response = _to_agenda(schedule, f"?done={action}#take-along")
    keep_cookie(response, schedule, agenda_id)
    return response


@sensitive_post_parameters("token")
@with_conference("POST")
def agenda_join(request: HttpRequest, schedule: Schedule) -> HttpResponse:
    """Open an agenda in this browser; one that has picks of its own is asked before a merge."""
    token = request.POST.get("token", "")
    opened, its_schedule = secret_page(token, Purpose.OPEN)
    if its_schedule.key.conference_id != schedule.key.conference_id:
        return HttpResponseRedirect(addresses.agenda_path(schedule.conference.slug))
    own = own_agenda(request, schedule)
    if own is not None and own.agenda_id != opened.agenda_id:
        if own.picks and request.POST.get("choice") != "merge":
            return _offer_merge(request, schedule, opened, own)
        opened = _merged(token, opened, own)
    response = _to_agenda(schedule)
    keep_cookie(response, schedule, opened.agenda_id)
    return response


def _merged(token: str, opened: Opened, own: Opened) -> Opened:
    """Make one agenda of the two and return the one that stays."""
    try:
        picks.merge(opened.agenda_id, own.agenda_id)
    except Agenda.DoesNotExist:  # one of them was deleted or merged in this very moment
        return secret_page(token, Purpose.OPEN)[0]
    return opened


def _offer_merge(
    request: HttpRequest, schedule: Schedule, opened: Opened, own: Opened
) -> HttpResponse:
    context = page_context(schedule, "agenda") | {
        "token": request.POST.get("token", ""),
        "here": len(own.picks),
        "there": len(opened.picks),
        "together": len(own.picks.keys() | opened.picks.keys()),
    }
    return show(request, "agenda_merge", context)


@with_conference("GET", "HEAD", "POST")
def agenda_delete(request: HttpRequest, schedule: Schedule) -> HttpResponse:
    """Say what is lost with the agenda, and delete it."""
    own = own_agenda(request, schedule)
    if request.method != "POST":
        context = page_context(schedule, "agenda") | {"count": len(own.picks) if own else 0}
        return show(request, "agenda_delete", context | {"has_agenda": own is not None})
    if own is not None:
        picks.delete(own.agenda_id)
    response = _to_agenda(schedule, "?deleted")
    cookies.forget(response, schedule.conference.slug)
    return response


def _to_agenda(schedule: Schedule, rest: str = "") -> HttpResponse:
    response = HttpResponseRedirect(f"{addresses.agenda_path(schedule.conference.slug)}{rest}")
    response.status_code = 303
    return response
