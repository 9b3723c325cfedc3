"""What an operator can set. `kibitz serve --help` and docs/deploy.md list the same."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

HOST, PORT = "127.0.0.1", 8420


@dataclass(frozen=True)
class Settings:
    """Defaults are for one machine and a few friends."""

    host: str = HOST
    port: int = PORT
    database: str | None = None  # URL; None: SQLite in the data folder
    data: Path | None = None  # None: the user's data folder
    agents: Path | None = None  # TOML: names and specs of further agents
    rulesheets: Path | None = None  # None: `rulesheets` in the data folder
    max_tables: int = 1000  # in memory at once
    max_connections: int = 5000
    max_people: int = 1_000_000
    per_address: int = 40  # connections of one address
    trusted_proxy: str | None = None  # address whose X-Forwarded-For counts
    origins: tuple[str, ...] = ()  # beside the server's own
    pace: float = 0.8  # seconds, the time grid of bots
    threads: int = 0  # that bots think in; 0: one per core, at most four
    idle: float = 600.0  # seconds until a table that nobody looks at leaves the memory
    grace: float = 25.0  # seconds until a bot plays for somebody who has gone
    window: float = 8.0  # seconds to call Uno, or to catch somebody who has not
    keep_days: int = 365  # how long finished games and idle guests are kept

    @property
    def local(self) -> bool:
        """Only this machine can reach it, and no proxy speaks for others."""
        try:
            loopback = self.host == "localhost" or ip_address(self.host).is_loopback
        except ValueError:
            loopback = False
        return loopback and self.trusted_proxy is None

    def folder(self) -> Path:
        """Of the data; made if it is missing."""
        if self.data is not None:
            folder = self.data
        else:
            import platformdirs

            folder = Path(platformdirs.user_data_dir("kibitz", appauthor=False))
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def url(self) -> URL:
        """Of the database, as SQLAlchemy has it."""
        from sqlalchemy.engine import URL, make_url

        if self.database:
            return make_url(async_url(self.database))
        return URL.create("sqlite+aiosqlite", database=str(self.folder() / "table.sqlite"))  # whatever letters it has


def async_url(url: str) -> str:
    """`postgresql://…` and `sqlite:///…` with the driver that we use."""
    for plain, driven in (
        ("postgresql+asyncpg://", "postgresql+asyncpg://"),
        ("sqlite+aiosqlite://", "sqlite+aiosqlite://"),
        ("postgresql://", "postgresql+asyncpg://"),
        ("postgres://", "postgresql+asyncpg://"),
        ("sqlite://", "sqlite+aiosqlite://"),
    ):
        if url.startswith(plain):
            return driven + url[len(plain) :]
    raise ValueError(f"bad database {url.split(':')[0]!r}: give sqlite:///FILE or postgresql://USER@HOST/NAME")
