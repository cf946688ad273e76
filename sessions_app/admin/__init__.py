"""The programme in the admin: sessions, rooms, tracks, levels, and the change log to read.

Agendas belong to visitors: they are not here, but for the number of picks in the list of sessions.
"""

from django.contrib import admin

from sessions_app.admin.changes import ChangeAdmin
from sessions_app.admin.programme import LevelAdmin, RoomAdmin, TrackAdmin
from sessions_app.admin.session import SessionAdmin
from sessions_app.models import Change, Level, Room, Session, Track

admin.site.register(Session, SessionAdmin)
admin.site.register(Room, RoomAdmin)
admin.site.register(Track, TrackAdmin)
admin.site.register(Level, LevelAdmin)
admin.site.register(Change, ChangeAdmin)
