"""Rows of the programme. Written by the loader, the admin and commands, each ending in publish."""

from sessions_app.models.changes import Change
from sessions_app.models.programme import Level, Room, Track
from sessions_app.models.sessions import Session, SessionSpeaker, SessionTrack, Status
from sessions_app.models.slides import Slides

__all__ = [
    "Change",
    "Level",
    "Room",
    "Session",
    "SessionSpeaker",
    "SessionTrack",
    "Slides",
    "Status",
    "Track",
]
