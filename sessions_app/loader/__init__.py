"""Source records → rows: the only way imported data comes in. Says what it would do, then does it.

Each imported row keeps in ``source_values`` what the last import said. A field that differs from
that was changed by hand: it is kept and reported. One that equals it follows the source. So loading
the same source twice changes nothing. Rules: docs/architecture.md, "Loading".
"""

from sessions_app.loader.plan import Action, FieldChange, Kept, Plan, RowPlan
from sessions_app.loader.write import LoadError, apply, find_conference, plan

__all__ = [
    "Action",
    "FieldChange",
    "Kept",
    "LoadError",
    "Plan",
    "RowPlan",
    "apply",
    "find_conference",
    "plan",
]
