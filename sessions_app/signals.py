"""The safety net under code that forgot, and two rules that no way of writing may go around.

- A row of the programme saved or deleted outside ``publishing`` is published at once, in the same
  transaction. Fixtures (``raw``) carry what publish would write, so they are left alone.
- A published session is not deleted; only a whole conference goes, with all it had.
- A slug changed by hand leaves a redirect.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Model, ProtectedError, QuerySet
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_delete, pre_save
from django.utils.translation import gettext as _

from confsched.models import Conference, SlugRedirect
from sessions_app.models import Level, Room, Session, SessionSpeaker, SessionTrack, Slides, Track
from sessions_app.publish import publish_soon
from sessions_app.slugs import remember_slug
from speakers.models import Speaker

PAGES: dict[type[Model], str] = {
    Conference: SlugRedirect.Page.CONFERENCE,
    Session: SlugRedirect.Page.SESSION,
    Speaker: SlugRedirect.Page.SPEAKER,
    Room: SlugRedirect.Page.ROOM,
    Track: SlugRedirect.Page.TRACK,
}
PROGRAMME: tuple[type[Model], ...] = (
    Conference, Room, Track, Level, Speaker, Session, SessionSpeaker, SessionTrack, Slides,
)  # fmt: skip


def connect() -> None:
    """Connect every receiver; called once, when the apps are ready."""
    for model in PROGRAMME:
        name = f"publish {model.__name__}"
        post_save.connect(_publish_saved, sender=model, dispatch_uid=name)
        post_delete.connect(_publish_deleted, sender=model, dispatch_uid=name)
    m2m_changed.connect(
        _publish_levels, sender=Session.levels.through, dispatch_uid="publish levels"
    )
    pre_delete.connect(_refuse_delete, sender=Session, dispatch_uid="refuse delete")
    for model in PAGES:
        pre_save.connect(_remember_slug, sender=model, dispatch_uid=f"slug {model.__name__}")


def _conference_id(row: Any) -> int | None:
    if isinstance(row, Conference):
        return row.pk
    try:
        found: int = (row.session if hasattr(row, "session_id") else row).conference_id
    except ObjectDoesNotExist:
        return None
    return found


def _publish(row: Model) -> None:
    if getattr(row, "_is_from_fixture", False):
        return
    conference_id = _conference_id(row)
    if conference_id is not None:
        publish_soon(conference_id)


def _publish_saved(instance: Any, *, raw: bool, **_kwargs: object) -> None:
    if raw:
        # The loading of fixtures goes on to set many-to-many fields, which tells nobody "raw".
        instance._is_from_fixture = True
    _publish(instance)


def _is_conference(origin: object) -> bool:
    return isinstance(origin, Conference) or (
        isinstance(origin, QuerySet) and origin.model is Conference
    )


def _publish_deleted(instance: Model, *, origin: object = None, **_kwargs: object) -> None:
    if not _is_conference(origin):
        _publish(instance)


def _publish_levels(
    instance: Model, *, action: str, using: str, pk_set: set[int] | None = None, **_kwargs: object
) -> None:
    if action in {"post_add", "post_remove", "post_clear"}:
        _publish(instance)


def _refuse_delete(instance: Session, *, origin: object = None, **_kwargs: object) -> None:
    if instance.was_published and not _is_conference(origin):
        raise ProtectedError(
            _("“%(title)s” was published: withdraw it instead of deleting it.")
            % {"title": instance.title},
            {instance},
        )


def _remember_slug(instance: Any, *, raw: bool, sender: type[Model], **_kwargs: object) -> None:
    if not raw and instance.pk is not None and not instance._state.adding:
        remember_slug(instance, PAGES[sender])
