"""The life of many sessions at once: publish, cancel, withdraw, restore, delete."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sessions_app.models import Session, Status


@dataclass(frozen=True)
class Step:
    """A step in a session's life: from which statuses it leads where, and how to say so."""

    name: str
    label: Any
    explanation: Any
    sources: frozenset[str]
    target: str

    def applies_to(self, session: Session) -> bool:
        """Whether this session can take the step."""
        return session.status in self.sources


PUBLISH = Step(
    "publish_sessions",
    gettext_lazy("Publish"),
    gettext_lazy("Drafts appear on the site, in feeds and in calendars at once."),
    frozenset({Status.DRAFT}),
    Status.PUBLISHED,
)
CANCEL = Step(
    "cancel_sessions",
    gettext_lazy("Cancel"),
    gettext_lazy("Cancelled sessions stay on the site, struck through, and calendars are told."),
    frozenset({Status.PUBLISHED}),
    Status.CANCELLED,
)
WITHDRAW = Step(
    "withdraw_sessions",
    gettext_lazy("Withdraw"),
    gettext_lazy(
        "Withdrawn sessions are gone from every page; calendars that know them are told that they "
        "are cancelled."
    ),
    frozenset({Status.PUBLISHED, Status.CANCELLED}),
    Status.WITHDRAWN,
)
RESTORE = Step(
    "restore_sessions",
    gettext_lazy("Restore"),
    gettext_lazy("Cancelled and withdrawn sessions are on the programme again."),
    frozenset({Status.CANCELLED, Status.WITHDRAWN}),
    Status.PUBLISHED,
)
STEPS = (PUBLISH, CANCEL, WITHDRAW, RESTORE)

#: What a session may become, by what it is: drafts never come back.
NEXT_STATUSES = {
    Status.DRAFT: (Status.DRAFT, Status.PUBLISHED),
    Status.PUBLISHED: (Status.PUBLISHED, Status.CANCELLED, Status.WITHDRAWN),
    Status.CANCELLED: (Status.CANCELLED, Status.PUBLISHED, Status.WITHDRAWN),
    Status.WITHDRAWN: (Status.WITHDRAWN, Status.PUBLISHED),
}

Action = Callable[[Any, HttpRequest, QuerySet[Session]], HttpResponse | None]


def status_action(step: Step) -> Action:
    """Return the action of the list that asks how many, then takes the step."""

    def action(
        model_admin: Any, request: HttpRequest, queryset: QuerySet[Session]
    ) -> HttpResponse | None:
        sessions = list(queryset.select_for_update(of=("self",)))
        fitting = [session for session in sessions if step.applies_to(session)]
        if "confirmed" not in request.POST:
            parts = [(step.explanation, fitting)]
            words = (step.label, _button(step.label, len(fitting)))
            return _confirmation(model_admin, request, step.name, words, parts, len(sessions))
        for session in fitting:
            session.status = step.target
            session.save()
            label = Status(step.target).label
            model_admin.log_change(request, session, _("Now %(status)s.") % {"status": label})
        _report(model_admin, request, step.label, len(fitting), len(sessions) - len(fitting))
        return None

    action.__name__ = step.name
    decorated: Action = admin.action(permissions=["change"], description=step.label)(action)
    return decorated


@admin.action(permissions=["delete"], description=gettext_lazy("Delete"))
def delete_sessions(
    model_admin: Any, request: HttpRequest, queryset: QuerySet[Session]
) -> HttpResponse | None:
    """Delete drafts for good; withdraw what the public has seen."""
    sessions = list(queryset.select_for_update(of=("self",)))
    seen = [session for session in sessions if is_known_outside(session)]
    drafts = [session for session in sessions if not is_known_outside(session)]
    if "confirmed" not in request.POST:
        parts = [
            (_("Drafts are deleted for good."), drafts),
            (_("What was published is withdrawn instead. %s") % WITHDRAW.explanation, seen),
        ]
        buttons = [_button(_("Delete"), len(drafts)), _button(_("Withdraw"), len(seen))]
        words = (_("Delete"), ", ".join(filter(None, buttons)))
        return _confirmation(model_admin, request, "delete_sessions", words, parts, len(sessions))
    for session in seen:
        withdraw(model_admin, request, session)
    if drafts:
        model_admin.log_deletions(request, drafts)
    for session in drafts:
        session.delete()
    _report(model_admin, request, _("Delete"), len(sessions), 0)
    return None


def is_known_outside(session: Session) -> bool:
    """Whether somebody may hold this session, on a page, in a calendar or in an agenda."""
    return session.was_published or session.status != Status.DRAFT or session.picks.exists()


def withdraw(model_admin: Any, request: HttpRequest, session: Session) -> None:
    """Withdraw a session and keep that in its history."""
    session.status = Status.WITHDRAWN
    session.save()
    model_admin.log_change(request, session, _("Withdrawn."))


def _button(label: Any, count: int) -> str:
    """Return what a button says that does something to so many sessions; nothing for none."""
    if not count:
        return ""
    text = ngettext("%(label)s %(count)s session", "%(label)s %(count)s sessions", count)
    return text % {"label": label, "count": count}


def _confirmation(
    model_admin: Any,
    request: HttpRequest,
    name: str,
    words: tuple[Any, str],
    parts: list[tuple[Any, list[Session]]],
    chosen: int,
) -> HttpResponse:
    count = sum(len(sessions) for _text, sessions in parts)
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "title": words[0],
        "button": words[1],
        "action": name,
        "parts": [(text, sessions) for text, sessions in parts if sessions],
        "count": count,
        "left_out": chosen - count,
        "action_checkbox_name": ACTION_CHECKBOX_NAME,
        "selected": request.POST.getlist(ACTION_CHECKBOX_NAME),
        "select_across": request.POST.get("select_across", "0"),
        "back": request.get_full_path(),
    }
    return TemplateResponse(request, "admin/sessions_app/session/confirm_action.html", context)


def _report(model_admin: Any, request: HttpRequest, label: Any, done: int, left: int) -> None:
    text = ngettext("%(label)s: %(count)s session.", "%(label)s: %(count)s sessions.", done)
    model_admin.message_user(request, text % {"label": label, "count": done}, messages.SUCCESS)
    if left:
        text = ngettext(
            "%(count)s session was left as it is: the step does not fit its status.",
            "%(count)s sessions were left as they are: the step does not fit their status.",
            left,
        )
        model_admin.message_user(request, text % {"count": left}, messages.WARNING)
