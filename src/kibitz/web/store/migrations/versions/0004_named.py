"""Deals that have a name."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("tables", sa.Column("named", sa.String(40)))
    op.add_column("tables", sa.Column("named_as", sa.String(40)))
    op.create_index("ix_tables_named", "tables", ["named"])
