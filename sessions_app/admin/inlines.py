"""People, tracks and slides of a session, in an order that organizers may change freely."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.db import models, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sessions_app.admin.bases import InlineBase, InlineFormSetBase, ModelFormBase
from sessions_app.admin.publishing import ScopedFields
from sessions_app.admin.widgets import StoredFileInput
from sessions_app.models import SessionSpeaker, SessionTrack, Slides
from sessions_app.uploads import SLIDES_KINDS, check_slides, extension


class OrderedForm(ModelFormBase):
    """One entry of a session; without a position it goes to the end."""

    position = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=32_767,
        label=gettext_lazy("Order"),
        widget=forms.NumberInput({"class": "position"}),
    )

    def _get_validation_exclusions(self) -> set[str]:
        """Leave what has to be unique to the formset: rows may swap places."""
        excluded: set[str] = super()._get_validation_exclusions()  # type: ignore[misc]  # not in the stubs
        return excluded | {"position"}

    def validate_constraints(self) -> None:
        """Skip the database's view: the formset sees the rows as they will be."""


class OrderedFormSet(InlineFormSetBase):
    """Entries of a session whose places, and contents, may be swapped in one save."""

    #: The field that no two entries may share beside the position; empty where there is none.
    unique_field = ""

    def __init__(self, data: Any = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(data, *args, **kwargs)
        if self.is_bound:
            self._keep_entries_deleted_elsewhere()

    def _keep_entries_deleted_elsewhere(self) -> None:
        """Take an entry that somebody else deleted meanwhile for a new one, so it is not lost."""
        count, known = self.initial_form_count(), {str(row.pk) for row in self.get_queryset()}
        indexes = range(self.total_form_count())
        old = [i for i in indexes if i < count and self.data.get(self._key(i, "id")) in known]
        if len(old) == count:
            return
        order = [*old, *(i for i in indexes if i not in old)]
        moved = {}
        for new, index in enumerate(order):
            for name in (*self.form.base_fields, "id", "DELETE", self.fk.name):
                if (value := self.data.get(self._key(index, name))) is not None:
                    moved[self._key(new, name)] = value
            if new >= len(old):
                moved[self._key(new, "id")] = ""
        rest = {
            key: value
            for key, value in self.data.items()
            if not any(key.startswith(f"{self.prefix}-{index}-") for index in indexes)
        }
        self.data = {**rest, **moved, f"{self.prefix}-INITIAL_FORMS": str(len(old))}
        self.__dict__.pop("management_form", None)
        self.__dict__.pop("forms", None)

    def _key(self, index: int, name: str) -> str:
        return f"{self.add_prefix(index)}-{name}"

    def _kept_forms(self) -> list[Any]:
        """Return the forms that will be rows after the save, those with errors left out."""
        return [
            form
            for form in self.forms
            if form.is_valid()
            and not self._is_deleted(form)
            and (form.has_changed() or not form.instance._state.adding)
        ]

    def clean(self) -> None:
        """Refuse two entries in one place, or the same person or track twice."""
        on_page = [row.pk for row in self.get_queryset()]
        others = list(self._stored().exclude(pk__in=on_page))
        for name in ("position", self.unique_field) if self.unique_field else ("position",):
            seen = {getattr(row, name) for row in others}
            for form in self._kept_forms():
                value = form.cleaned_data.get(name)
                if value is not None and value in seen:
                    form.add_error(name, self._twice(name, value))
                seen.add(value)

    def _twice(self, name: str, value: Any) -> str:
        if name == "position":
            return _("Place %(place)s is taken twice.") % {"place": value}
        return _("“%(what)s” is in this list twice.") % {"what": value}

    def validate_unique(self) -> None:
        """Leave this to ``clean``, which knows the order."""

    def save(self, commit: bool = True) -> list[Any]:
        """Save in an order that no unique constraint can stumble over.

        Entries that take another's place are deleted and written again under their own key, in the
        transaction of the whole save.
        """
        if not commit:
            return super().save(commit=False)
        with transaction.atomic():
            rows = super().save(commit=False)
            for row in self.deleted_objects:
                row.delete()
            moving = [row for row, names in self.changed_objects if self._is_moving(names)]
            self._stored().filter(pk__in=[row.pk for row in moving]).delete()
            for row in moving:
                row._state.adding = True
            self._give_places()
            for row in rows:
                row.save(force_insert=row._state.adding)
            self.save_m2m()
        return rows

    def _is_deleted(self, form: Any) -> bool:
        return bool(form.cleaned_data.get("DELETE")) if hasattr(form, "cleaned_data") else False

    def _stored(self) -> Any:
        rows: Any = self.model
        return rows._default_manager.filter(session_id=self.instance.pk)

    def _is_moving(self, names: list[str]) -> bool:
        return not {"position", self.unique_field}.isdisjoint(names)

    def _give_places(self) -> None:
        """Put entries without a place behind all others, in the order of the page."""
        kept = [form.instance for form in self.forms if not self._is_deleted(form)]
        last = self._stored().aggregate(last=models.Max("position"))["last"] or 0
        last = max([last, *(row.position or 0 for row in kept)])
        for form in (*self.initial_forms, *self.extra_forms):
            if form.has_changed() and form.cleaned_data.get("position") is None:
                last += 1
                form.instance.position = last


class SpeakersFormSet(OrderedFormSet):
    """The people of a session."""

    unique_field = "speaker"


class TracksFormSet(OrderedFormSet):
    """The tracks of a session."""

    unique_field = "track"


class SlidesFormSet(OrderedFormSet):
    """The decks of a session; an upload that no row uses any more is removed from the disk."""

    def save(self, commit: bool = True) -> list[Any]:
        """Save, and drop replaced and deleted files once that is certain."""
        rows = super().save(commit=commit)
        if commit:
            gone = [row.file for row in self.deleted_objects]
            gone += [form.initial["file"] for form in self.initial_forms if _lost_file(form)]
            for file in filter(None, gone):
                transaction.on_commit(delete_stored(file))
        return rows


def _lost_file(form: Any) -> bool:
    return "file" in form.changed_data and bool(form.initial.get("file"))


class SlidesForm(OrderedForm):
    """One deck: a link or an upload; name and kind follow from it where they are left empty."""

    name = forms.CharField(required=False, max_length=400, label=gettext_lazy("Name"))
    file_type = forms.CharField(
        required=False,
        max_length=10,
        label=gettext_lazy("Kind"),
        widget=forms.TextInput({"class": "file-type"}),
    )

    def clean_file(self) -> Any:
        """Accept a new upload only if its content is a presentation."""
        file = self.cleaned_data.get("file")
        if file and "file" in self.changed_data:
            self.upload_kind = check_slides(file)
        return file

    def clean(self) -> dict[str, Any]:
        """Fill in name and kind; a new deck has to be somewhere."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        file, url = cleaned.get("file"), cleaned.get("url") or ""
        if self.instance._state.adding and not file and not url and not self.errors:
            self.add_error("url", _("Give a link, or choose a file to upload."))
        source = (file.name if file else "") or url
        if not cleaned.get("name"):
            cleaned["name"] = source.rstrip("/").rsplit("/", 1)[-1].rsplit(".", 1)[0]
            if not cleaned["name"] and not self.errors:
                self.add_error("name", _("Give the slides a name."))
        kind = cleaned.get("file_type") or extension(source)
        kind = getattr(self, "upload_kind", kind).lstrip(".").lower()
        cleaned["file_type"] = kind[:10]
        return cleaned


class OrderedInline(ScopedFields, InlineBase):
    """A list of a session's entries; that of a new session may begin with an empty one."""

    form = OrderedForm
    formset: type[OrderedFormSet] = OrderedFormSet
    extra = 0
    extra_when_new = 0
    fk_name = "session"
    ordering = ("position",)
    classes = ("entries",)

    def get_extra(self, request: Any, obj: Any = None, **kwargs: Any) -> int:
        """Return how many empty entries the page begins with."""
        return self.extra_when_new if obj is None else self.extra


class SpeakerInline(OrderedInline):
    """Who speaks, in printed order."""

    model = SessionSpeaker
    extra_when_new = 1
    formset = SpeakersFormSet
    fields = (("speaker", "is_moderator", "position"),)
    autocomplete_fields = ("speaker",)

    def get_queryset(self, request: Any) -> Any:
        """Return the entries with their people."""
        return super().get_queryset(request).select_related("speaker")


class TrackInline(OrderedInline):
    """The tracks, the first of which gives the colour."""

    model = SessionTrack
    extra_when_new = 1
    formset = TracksFormSet
    fields = (("track", "position"),)
    autocomplete_fields = ("track",)

    def get_queryset(self, request: Any) -> Any:
        """Return the entries with their tracks and the parents that their names begin with."""
        return super().get_queryset(request).select_related("track__parent")


class SlidesInline(OrderedInline):
    """Decks, each a link or an upload."""

    model = Slides
    form = SlidesForm
    formset = SlidesFormSet
    fields = (("name", "file_type", "position"), ("url", "file"))

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        """Let uploads be looked at through the admin, and offer only files of the right kind."""
        if db_field.name == "file":
            accept = ",".join(f".{kind}" for kind in SLIDES_KINDS)
            kwargs["widget"] = StoredFileInput("admin:sessions_app_slides_file", accept)
        if db_field.name == "url":
            kwargs["widget"] = forms.URLInput({"class": "vURLField"})
        return super().formfield_for_dbfield(db_field, request, **kwargs)


def delete_stored(file: Any) -> Callable[[], None]:
    """Return what removes a stored file that no row uses any more, for ``on_commit``."""
    storage, name = file.storage, file.name

    def delete() -> None:
        storage.delete(name)

    return delete
