"""Tables are casual, for teaching, or rated."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tables", sa.Column("mode", sa.String(10), nullable=False, server_default="casual"))
