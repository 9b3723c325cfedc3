"""A deal may begin with a position."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("deals", sa.Column("start", sa.Text()))
