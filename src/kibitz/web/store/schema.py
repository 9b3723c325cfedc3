"""The tables of the database. A change needs a migration in `migrations/versions`, which a test compares with this."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

# Names of all constraints, so that migrations can speak of them.
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

meta = Table("meta", metadata, Column("key", String(40), primary_key=True), Column("value", Text, nullable=False))

people = Table(
    "people",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("picture", Integer, nullable=False),
    Column("key", String(64), unique=True),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("muted", Boolean, nullable=False, server_default=false()),
    Column("banned", Boolean, nullable=False, server_default=false()),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("game", String(80), nullable=False),
    Column("options", Text, nullable=False),
    Column("series", Integer),
    Column("clock_s", Integer),
    Column("public", Boolean, nullable=False),
    Column("watching", Boolean, nullable=False),
    Column("host", String(40)),
    Column("status", String(10), nullable=False),
    Column("mode", String(10), nullable=False, server_default="casual"),
    Column("created", BigInteger, nullable=False),
    Column("named", String(40)),
    Column("named_as", String(40)),
    Index(None, "status", "created"),
    Index(None, "named"),
)

deals = Table(
    "deals",
    metadata,
    Column("table", String(40), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("deal", Integer, primary_key=True),
    Column("seed", String(20), nullable=False),  # 64 bits unsigned: too large for a column of numbers
    Column("salt", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    Column("started", BigInteger, nullable=False),
    Column("payoffs", Text),
    Column("finished", BigInteger),
    Column("start", Text),
    Index(None, "finished"),
)

entries = Table(
    "entries",
    metadata,
    Column("table", String(40), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("deal", Integer, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("place", Integer),
    Column("action", BigInteger),
    Column("cid", String(40)),
    Column("person", String(40)),
    Column("level", String(40)),
    Column("at", BigInteger, nullable=False),
    UniqueConstraint("table", "place", "cid"),
    Index(None, "person"),
)

says = Table(
    "says",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table", String(40), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("person", String(40), nullable=False),
    Column("phrase", String(20), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index(None, "person"),
)
