"""The first schema.

It is written out, not taken from `schema`: a migration stays as it is when the schema goes on.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "meta",
        sa.Column("key", sa.String(40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_meta"),
    )
    _people()
    _tables()
    _deals()
    _entries()
    _says()


def _people() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("picture", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(64)),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.Column("muted", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("banned", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
        sa.UniqueConstraint("key", name="uq_people_key"),
    )


def _tables() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("series", sa.Integer()),
        sa.Column("clock_s", sa.Integer()),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("watching", sa.Boolean(), nullable=False),
        sa.Column("host", sa.String(40)),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
    )
    op.create_index("ix_tables_status_created", "tables", ["status", "created"])


def _deals() -> None:
    op.create_table(
        "deals",
        sa.Column("table", sa.String(40), nullable=False),
        sa.Column("deal", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(20), nullable=False),
        sa.Column("salt", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("payoffs", sa.Text()),
        sa.Column("finished", sa.BigInteger()),
        sa.PrimaryKeyConstraint("table", "deal", name="pk_deals"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_deals_table", ondelete="CASCADE"),
    )
    op.create_index("ix_deals_finished", "deals", ["finished"])


def _entries() -> None:
    op.create_table(
        "entries",
        sa.Column("table", sa.String(40), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("deal", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("place", sa.Integer()),
        sa.Column("action", sa.BigInteger()),
        sa.Column("cid", sa.String(40)),
        sa.Column("person", sa.String(40)),
        sa.Column("level", sa.String(40)),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("table", "n", name="pk_entries"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_entries_table", ondelete="CASCADE"),
        sa.UniqueConstraint("table", "place", "cid", name="uq_entries_table_place_cid"),
    )
    op.create_index("ix_entries_person", "entries", ["person"])


def _says() -> None:
    op.create_table(
        "says",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("table", sa.String(40), nullable=False),
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("phrase", sa.String(20), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_says"),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_says_table", ondelete="CASCADE"),
    )
    op.create_index("ix_says_person", "says", ["person"])
