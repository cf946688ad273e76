"""Django's admin and form classes under names that both mypy and Python understand.

The stubs make them generic, Django itself does not; the classes here are written for any model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin

if TYPE_CHECKING:
    ModelAdminBase = admin.ModelAdmin[Any]
    InlineBase = admin.StackedInline[Any, Any]
    ModelFormBase = forms.ModelForm[Any]
    InlineFormSetBase = forms.BaseInlineFormSet[Any, Any, Any]
else:
    ModelAdminBase = admin.ModelAdmin
    InlineBase = admin.StackedInline
    ModelFormBase = forms.ModelForm
    InlineFormSetBase = forms.BaseInlineFormSet
