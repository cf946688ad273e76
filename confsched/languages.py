"""Which of the site's languages an answer is in."""

from __future__ import annotations

import functools

from django.conf import settings
from django.utils.translation.trans_real import parse_accept_lang_header

#: A longer Accept-Language header is no browser's; the site's own language answers it.
LONGEST_HEADER = 200


def requested_language(code: str) -> str | None:
    """Return the site's language that a ``lang`` parameter names, or None if it names none."""
    if len(code) > 20:
        return None
    return _supported(code.lower().replace("_", "-"), _languages())


def preferred_language(header: str) -> str:
    """Return the site's language that suits an Accept-Language header best."""
    languages = _languages()
    if len(languages) == 1 or not header or len(header) > LONGEST_HEADER:
        return settings.LANGUAGE_CODE
    return _preferred(header, languages, settings.LANGUAGE_CODE)


def _languages() -> tuple[str, ...]:
    return tuple(code for code, _ in settings.LANGUAGES)


@functools.lru_cache(maxsize=256)
def _preferred(header: str, languages: tuple[str, ...], default: str) -> str:
    for code, _ in parse_accept_lang_header(header):
        if code == "*":
            break
        found = _supported(code, languages)
        if found is not None:
            return found
    return default


def _supported(code: str, languages: tuple[str, ...]) -> str | None:
    """Return the language for a code: the very one, or the one without its region."""
    by_lower = {language.lower(): language for language in languages}
    while code:
        if code in by_lower:
            return by_lower[code]
        code = code.rpartition("-")[0]
    return None
