"""Learning without a network: a table of action values per seat, by Q-learning or TD(λ), and the file it is kept in.

The players of Wang, Emmerich and Plaat, "Monte Carlo Q-learning for General Game Playing": QPlayer (Algorithm 1 in
games of one player, Algorithm 2 otherwise), QMPlayer (Algorithm 4: where the table knows nothing good it searches), and
the TD(λ) learner they compare with. On every native game and every rulesheet. docs/q_table.md says where this differs
from the paper.

    settings = q_table.q_player(game="tictactoe", learning=50_000, file="ttt.npz")
    trained = q_table.train(settings)              # goes on from ttt.npz where that is there
    kibitz.play(trained.game, ["q:ttt.npz", "random"], games=1_000)

All matches are played, and learnt from, inside the core. What a training needs in memory is its tables: it does not
grow with the number of matches.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import stat
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

import kibitz
from kibitz import _core, gdl, protocols
from kibitz._core import Game
from kibitz.files import write_atomically
from kibitz.learn.common.archive import Archive
from kibitz.learn.common.settings import COUNT, SHARE, Ranges

FORMAT, VERSION = "kibitz q table", 2
REPORT = 0.2  # seconds between two reports of progress, about
MOST_MATCHES = 1 << 16  # in one call of the core
LEARNING_WINDOWS, PLAYING_WINDOWS = 100, 50  # of a curve

Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]
Progress = Callable[[int, int], None]
OnChunk = Callable[["Chunk"], None]


@dataclass(frozen=True)
class Settings:
    """What decides a training: equal settings, equal tables."""

    ranges: ClassVar[Ranges] = {
        "learning": (0, 10**9),
        "playing": (0, 10**9),
        "alpha": SHARE,
        "gamma": SHARE,
        "lambda_": SHARE,
        "epsilon_a": SHARE,
        "epsilon_b": SHARE,
        "seed": (0, 2**64 - 1),
        "save_every": COUNT,
    }

    game: str = "tictactoe"  # spec of a native game or a rulesheet, as in `kibitz.make`
    method: str = "q"  # "q": Q-learning; "td": TD(λ)
    opponent: str = "random"  # spec of who has the other seats; "self": the learner, which then learns in all of them
    fallback: str | None = None  # spec of who decides where the table knows nothing good; None: chance
    learning: int = 50_000  # matches with exploration and learning, l in the paper
    playing: int = 0  # matches after them, without either
    alpha: float = 0.1  # size of a step
    gamma: float = 0.9  # discount per step
    lambda_: float = 0.7  # of TD(λ) alone
    schedule: str = "cosine"  # of ε: "cosine" from a + b down to b, "fixed" at a + b
    epsilon_a: float = 0.5
    epsilon_b: float = 0.0
    states: str = "all"  # steps of a match: "all" states, as the paper's record has them; "own" decisions
    seed: int = 1
    file: str | None = None  # where the tables are kept; a training goes on from there
    save_every: int = 50_000  # matches

    def __post_init__(self) -> None:
        _one_of("method", self.method, ("q", "td"))
        _one_of("schedule", self.schedule, ("cosine", "fixed"))
        _one_of("states", self.states, ("all", "own"))
        for name in ("game", "opponent", "fallback"):
            value = getattr(self, name)
            if not (isinstance(value, str) or (name == "fallback" and value is None)):
                raise ValueError(f"{name} must be a text, not {value!r}")
        for name, (least, most) in self.ranges.items():  # types, too: settings come from files
            value, whole = getattr(self, name), name in ("learning", "playing", "save_every", "seed")
            number = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
            if not (number and least <= value <= most):
                kind = "a whole number " if whole else ""
                raise ValueError(f"{name.rstrip('_')} must be {kind}from {least:,} to {most:,}, not {value!r}")
        if self.epsilon_a + self.epsilon_b > 1:
            raise ValueError(f"epsilon_a + epsilon_b must be at most 1, not {self.epsilon_a + self.epsilon_b}")

    @property
    def matches(self) -> int:
        return self.learning + self.playing


def q_player(**settings: Any) -> Settings:
    """The paper's QPlayer: alpha 0.1, gamma 0.9, ε from 0.5 to 0."""
    return Settings(**settings)


def qm_player(**settings: Any) -> Settings:
    """The paper's QMPlayer: as QPlayer, with flat Monte Carlo search where the table knows nothing good.

    The paper searches for 50 ms; fallback="mcs:ms=50" does, too, but then the same seed need not give the same tables.
    """
    return Settings(**({"fallback": "mcs:iterations=50"} | settings))


def td_player(**settings: Any) -> Settings:
    """The TD(λ) learner of Banerjee and Stone, as the paper quotes it: alpha 0.3, gamma 1, λ 0.7, ε 0.01."""
    usual: dict[str, Any] = {"method": "td", "alpha": 0.3, "gamma": 1.0, "schedule": "fixed", "epsilon_a": 0.01}
    return Settings(**(usual | settings))


PLAYERS = {"q": q_player, "qm": qm_player, "td": td_player}  # by the names of `kibitz train`


def epsilon(settings: Settings, first: int = 0, last: int | None = None) -> Floats:
    """ε of matches `first` to `last` - 1, or to the end: a·cos(mπ/2l) + b while m <= l, then 0. In the formula matches
    count from 1."""
    m = np.arange(first + 1, (settings.matches if last is None else last) + 1)
    a, b = settings.epsilon_a, settings.epsilon_b
    if settings.schedule == "fixed":
        learning = np.full(len(m), a + b)
    else:
        learning = a * np.cos(m * math.pi / (2 * max(1, settings.learning))) + b
    return np.where(m <= settings.learning, np.clip(learning, 0.0, 1.0), 0.0)


# --- training


@dataclass(frozen=True)
class Chunk:
    """Matches `first` to `first + len(payoffs) - 1` of a training."""

    first: int
    payoffs: Floats  # [match, seat]

    @property
    def seats(self) -> NDArray[np.int64]:
        """Where the learner sat in each match."""
        seats: NDArray[np.int64] = (self.first + np.arange(len(self.payoffs))) % self.payoffs.shape[1]
        return seats

    @property
    def own(self) -> Floats:
        """The learner's payoff of each match."""
        mine: Floats = self.payoffs[np.arange(len(self.payoffs)), self.seats]
        return mine


@dataclass(frozen=True)
class Window:
    """Matches `first` to `last` - 1, and how the learner fared in them."""

    first: int
    last: int
    payoff: float  # mean
    ahead: float  # share of the matches in which it had more than every other seat
    level: float  # in which the best of the others had as much


class Curve:
    """How the learner fared along its matches, in windows: at most 100 of the learning and 50 of the playing.

    So a curve is as large for a billion matches as for a hundred. It does not depend on the chunks in which it grew.
    """

    def __init__(self, settings: Settings) -> None:
        learning, playing = settings.learning, settings.playing
        inside, after = min(LEARNING_WINDOWS, learning), min(PLAYING_WINDOWS, playing)
        self.ends = [learning * (i + 1) // inside for i in range(inside)]
        self.ends += [learning + playing * (i + 1) // after for i in range(after)]
        # One name for both, so that Ctrl-C cannot come between them. Sums [window, (payoff, ahead, level)].
        self._state = (0, np.zeros((len(self.ends), 3)))

    @property
    def played(self) -> int:
        return self._state[0]

    @property
    def sums(self) -> Floats:
        return self._state[1]

    def add(self, chunk: Chunk) -> None:
        """The matches that come next."""
        played, sums = self.played, self.sums.copy()
        mine, seats = chunk.own, chunk.payoffs.shape[1]
        others = np.where(np.eye(seats, dtype=np.bool_)[chunk.seats], -np.inf, chunk.payoffs).max(axis=1)
        told = np.stack([mine, mine > others, mine == others], axis=1)
        while len(told):
            window = int(np.searchsorted(self.ends, played, side="right"))
            part, told = np.split(told, [self.ends[window] - played])
            # Not part.sum(): that depends on the cut, since what is added together first is rounded first.
            sums[window] = np.add.accumulate(np.vstack([sums[window], part]))[-1]
            played += len(part)
        self._state = (played, sums)

    def restore(self, played: int, sums: Floats) -> None:
        """What a file has; ValueError where it cannot be."""
        sizes = np.diff(np.minimum([0, *self.ends], played))
        counts = sums[:, 1:]
        if not (
            np.isfinite(sums).all()
            and (counts == np.floor(counts)).all()
            and (counts >= 0).all()
            and (counts.sum(axis=1) <= sizes).all()
            and (sums[sizes == 0] == 0).all()
        ):
            raise ValueError("its curve is not one of its matches")
        self._state = (played, sums)

    def between(self, first: int, last: int) -> Window:
        """Several windows as one; `first` and `last` must be where windows begin and end."""
        cuts = [0, *self.ends]
        if not (first < last <= self.played and first in cuts and last in cuts):
            raise ValueError(f"matches {first} to {last} are not whole windows of {self.played} matches")
        payoff, ahead, level = self.sums[cuts.index(first) : cuts.index(last)].sum(axis=0) / (last - first)
        return Window(first, last, float(payoff), float(ahead), float(level))

    @property
    def windows(self) -> list[Window]:
        """Those that are full."""
        return [self.between(first, last) for first, last in pairwise([0, *self.ends]) if last <= self.played]


@dataclass(frozen=True)
class Trained:
    settings: Settings
    game: Game
    learner: _core.QLearner  # the tables
    curve: Curve

    def agent(self, name: str = "q", fallback: _core.Agent | None = None) -> _core.Agent:
        """A native agent of the core that plays from a copy of the tables."""
        return self.learner.agent(name, fallback)


def train(
    settings: Settings, progress: Progress | None = None, game: Game | None = None, on_chunk: OnChunk | None = None
) -> Trained:
    """Plays all matches, or those that the file does not have yet; Ctrl-C keeps what is finished.

    `game` is played in place of the one that the settings name: a rulesheet given as text has no spec. `on_chunk` gets
    the payoffs of all matches that are played, in their order; only the curve is kept of them.
    """
    trained = _begin(settings, game)
    table = _Table(
        None if settings.opponent == "self" else _native(trained.game, settings.opponent, "opponent"),
        None if settings.fallback is None else _native(trained.game, settings.fallback, "fallback"),
        on_chunk,
    )
    saved = trained.learner.played
    new = settings.file is not None and not Path(settings.file).exists()
    chunk = 1  # matches per call of the core: about as many as it plays between two reports
    try:
        while (done := trained.learner.played) < settings.matches:
            # Learning and playing are never in one call.
            stage = settings.learning if done < settings.learning else settings.matches
            end, start = min(done + chunk, saved + settings.save_every, stage), time.monotonic()
            _play(trained, table, done, end)
            chunk = max(1, round(chunk * min(4.0, REPORT / max(time.monotonic() - start, 1e-9))))
            chunk = min(chunk, MOST_MATCHES)
            if end == saved + settings.save_every:
                saved = _keep(trained)
            if progress is not None:
                progress(end, settings.matches)
    finally:  # whatever cut it, the core has stopped between two matches
        _settle(trained, table)
        if trained.learner.played != saved or (new and saved == 0):
            _keep(trained)
    return trained


def _keep(trained: Trained) -> int:
    """Saves the tables where there is a file for them; returns how many matches they have learnt from."""
    if trained.settings.file is not None:
        save(trained, trained.settings.file)
    return int(trained.learner.played)


def _begin(settings: Settings, game: Game | None) -> Trained:
    if settings.file is not None and Path(settings.file).exists():
        found = load(settings.file, game)
        # Where it is kept, and how often it was saved, change nothing.
        same = replace(found.settings, file=settings.file, save_every=settings.save_every)
        if same != settings:
            ours, theirs = asdict(settings), asdict(same)
            differ = [f"{key} {theirs[key]!r} (now {ours[key]!r})" for key in ours if ours[key] != theirs[key]]
            raise ValueError(f"{settings.file} holds a training with {', '.join(differ)}: use another file")
        return replace(found, settings=settings)
    if game is None:
        game = kibitz.make(settings.game)
    learner = _new_learner(game, settings.seed)
    if settings.file is not None:
        _fingerprint(game)  # a game whose tables cannot be kept is refused before the work
    return Trained(settings, game, learner, Curve(settings))


def _own(game: protocols.Game) -> Game:
    """The same game; ValueError where it is not one of the core's."""
    if not isinstance(game, Game):
        raise ValueError(f"game {game.name!r} is not native: tables are learnt on native games and rulesheets")
    return game


def _new_learner(game: protocols.Game, seed: int) -> _core.QLearner:
    return _own(game).native_q_learner(seed)


def _native(game: Game, spec: str, what: str) -> _core.Agent:
    """The agent of the core that a spec names."""
    handle = protocols.native(kibitz.agent(spec), game)
    if handle is None:
        raise ValueError(f"{what} {spec!r} does not play inside the core: name a native agent")
    return handle


@dataclass
class _Table:
    opponent: Any | None
    fallback: Any | None
    on_chunk: OnChunk | None
    last: Chunk | None = None  # of the last call of the core; what was not played is 0


def _play(trained: Trained, table: _Table, begin: int, end: int) -> None:
    s = trained.settings
    payoffs = np.zeros((end - begin, trained.game.players))
    table.last = Chunk(begin, payoffs)
    try:
        trained.learner.run(
            epsilon(s, begin, end),
            payoffs,
            s.alpha,
            s.gamma,
            s.lambda_ if s.method == "td" else -1.0,
            s.states == "all",
            begin < s.learning,
            table.opponent,
            table.fallback,
        )
    finally:
        _settle(trained, table)


def _settle(trained: Trained, table: _Table) -> None:
    """Adds to the curve what the core has played; once more, if Ctrl-C came while it was being added."""
    if table.last is None or trained.curve.played == trained.learner.played:
        return
    first = trained.curve.played
    finished = Chunk(first, table.last.payoffs[first - table.last.first : trained.learner.played - table.last.first])
    trained.curve.add(finished)
    if table.on_chunk is not None:
        table.on_chunk(finished)


# --- files


MOST_HEADER = 1 << 22  # bytes
MOST_PAYOFFS = 1 << 32  # bytes of the payoffs that version 1 kept: 268 million matches of two seats
MOST_TABLES = 1 << 35  # bytes of all tables: 1.4 thousand million values
# Keys are hashes, and sorted: deflated they keep more than half of their size, whatever becomes of values and visits.
# So honest tables are at most 6 times as large as their file.
MOST_GROWTH, SMALL = 16, 1 << 16
MOST_STEPS = 32  # to the slot of an entry in the core's table, on average; of hashes it is half a step


def save(trained: Trained, file: str | Path) -> None:
    """Writes tables, settings and the curve so far; after a crash there is the old file or the new one."""
    header = {
        "format": FORMAT,
        "version": VERSION,
        "rules": _fingerprint(trained.game),
        "settings": asdict(replace(trained.settings, file=None)),
        "played": trained.learner.played,
    }
    arrays: dict[str, Any] = {"header": np.array(json.dumps(header)), "curve": trained.curve.sums}
    for seat in range(trained.game.players):
        size = trained.learner.size(seat)
        keys, values, visits = np.zeros(size, np.uint64), np.zeros(size), np.zeros(size, np.uint64)
        trained.learner.save(seat, keys, values, visits)
        arrays |= {f"keys{seat}": keys, f"values{seat}": values, f"visits{seat}": visits}
    data = io.BytesIO()
    np.savez_compressed(data, **arrays)
    write_atomically(Path(file), data.getvalue())


@dataclass(frozen=True)
class Stored:
    """What a file has, checked as far as that is possible without its game."""

    rules: Mapping[str, Any]
    settings: Settings
    played: int
    tables: list[tuple[Keys, Floats, Keys]]  # per seat: keys, values, visits
    curve: Curve


def load(file: str | Path, game: protocols.Game | None = None) -> Trained:
    """What `save` wrote; ValueError says what is wrong with the file. `game`: play this one, if it is the same."""
    stored = read(file)
    try:
        made = kibitz.make(stored.settings.game) if game is None else _own(game)
        _check_game(stored.rules, made)
        learner = _new_learner(made, stored.settings.seed)
        if len(stored.tables) != made.players:
            raise ValueError(f"it has tables of {len(stored.tables)} seats, and {made.name} has {made.players}")
        for seat, entries in enumerate(stored.tables):
            learner.load(seat, *entries)
        learner.played = stored.played
    except (ValueError, TypeError, OSError) as error:
        raise _unusable(file, error) from None
    return Trained(stored.settings, made, learner, stored.curve)


def read(file: str | Path) -> Stored:
    """The content of a file, without a game; ValueError if it is no table. The file need not be trusted: nothing is
    unpacked before its size is known to be right."""
    path = Path(file)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise OSError("it is no ordinary file")
        with path.open("rb") as opened, Archive(opened) as archive:
            return _read(archive, os.fstat(opened.fileno()).st_size)
    except FileNotFoundError:
        raise ValueError(f"there is no file {str(path)!r}") from None
    except OSError as error:
        raise ValueError(f"{str(path)!r} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise _unusable(path, error) from None


def _unusable(file: str | Path, error: Exception) -> ValueError:
    first = (str(error) or type(error).__name__).splitlines()[0][:300]
    reason = "".join(letter if letter.isprintable() else "?" for letter in first)  # it may quote the file
    return ValueError(f"the table {str(file)!r} cannot be used: {reason}")


def _read(archive: Archive, size: int) -> Stored:
    version, rules, settings, played = _header(archive)
    kept = "payoffs" if version == 1 else "curve"
    seats = sum(name.startswith("keys") for name in archive.names)
    wanted = {"header", kept, *(f"{name}{seat}" for seat in range(seats) for name in ("keys", "values", "visits"))}
    if lacking := sorted(wanted - archive.names):
        raise ValueError(f"it lacks {lacking[0]!r}")
    if odd := sorted(archive.names - wanted):
        raise ValueError(f"it has {odd[0][:60]!r}, which does not belong there")
    if not 1 <= seats <= 64:
        raise ValueError(f"it has tables of {seats} seats, not of 1 to 64")
    tables = _tables(archive, seats, size)
    curve = Curve(settings)
    if version == 1:
        _follow(archive, curve, settings, played, seats)
    else:
        layout = archive.layout("curve")
        if (layout.kind, layout.shape) != ("<f8", curve.sums.shape):
            raise ValueError("its curve is not that of its settings")
        curve.restore(played, archive.read("curve", layout))
    return Stored(rules, settings, played, tables, curve)


def _header(archive: Archive) -> tuple[int, dict[str, Any], Settings, int]:
    """Version, rules, settings and matches played."""
    layout = archive.layout("header")
    if not layout.kind.startswith("<U") or layout.shape != () or layout.bytes > MOST_HEADER:
        raise ValueError("it is no table of action values, or damaged: its header is no text of a usual length")
    try:
        header = json.loads(archive.read("header", layout).tobytes().decode("utf-32-le"))
    except (ValueError, RecursionError):
        raise ValueError("it is no table of action values, or damaged: its header is no JSON") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError("it is no table of action values, or damaged: its header is another")
    version = header.get("version")
    if type(version) is not int or version not in (1, VERSION):
        raise ValueError(f"it has version {version!r}; this program reads 1 and {VERSION}")
    given, rules, played = header.get("settings"), header.get("rules"), header.get("played")
    if not isinstance(given, dict) or not isinstance(rules, dict) or header.keys() - _HEADER_KEYS:
        raise ValueError(f"its header must have {', '.join(sorted(_HEADER_KEYS))}, and nothing else")
    if odd := sorted(given.keys() ^ {field.name for field in fields(Settings)}):
        raise ValueError(f"its settings {'have' if odd[0] in given else 'lack'} {odd[0]!r}")
    if given["file"] is not None:
        raise ValueError("its settings name another file")
    settings = Settings(**given)
    if isinstance(played, bool) or not isinstance(played, int) or not 0 <= played <= settings.matches:
        raise ValueError(f"the matches it has played must be from 0 to {settings.matches:,}, not {played!r}")
    return version, rules, settings, played


_HEADER_KEYS = {"format", "version", "rules", "settings", "played"}


def _tables(archive: Archive, seats: int, size: int) -> list[tuple[Keys, Floats, Keys]]:
    """Keys, values and visits of each seat; `size` is that of the file."""
    kinds = {"keys": "<u8", "values": "<f8", "visits": "<u8"}
    names = [(f"{name}{seat}", kind) for seat in range(seats) for name, kind in kinds.items()]
    layouts = {name: archive.layout(name) for name, _ in names}
    for name, kind in names:
        if layouts[name].kind != kind or len(layouts[name].shape) != 1:
            raise ValueError(f"its {name} must be a list of {kind}, not {layouts[name].kind} {layouts[name].shape}")
    total = sum(layout.bytes for layout in layouts.values())
    if total > min(MOST_TABLES, MOST_GROWTH * size + SMALL):
        raise ValueError(f"its tables would take {total:,} bytes, far more than tables in a file of {size:,} can")
    out = []
    for seat in range(seats):
        keys, values, visits = (archive.read(f"{name}{seat}", layouts[f"{name}{seat}"]) for name in kinds)
        if not len(keys) == len(values) == len(visits):
            raise ValueError("keys, values and visits must be of one length")
        if (keys[1:] <= keys[:-1]).any():
            raise ValueError("its keys must ascend, and none may be there twice")
        if _steps(keys) > MOST_STEPS:
            raise ValueError("its keys are no hashes: they fall on each other")
        if not np.isfinite(values).all() or (visits == 0).any():
            raise ValueError("its values must be finite, and of at least one visit")
        out.append((keys, values, visits))
    return out


def _steps(keys: Keys) -> float:
    """From where an entry belongs in the core's table (`cpp/learn/q_table.h`) to where it finds a free slot, on average
    and at its worst while the table grows. The low bits of a key are taken for a hash: if all were alike, filling the
    table would take a time that grows with the square of their number."""
    most, slots = 0.0, 64
    while True:
        belongs = np.sort(keys[: slots // 2] & np.uint64(slots - 1)).astype(np.int64)
        if len(belongs):
            # As if they came in this order: the sum of the steps is the same in any. Entry i gets slot i + found[i].
            belongs -= np.arange(len(belongs))
            found = np.maximum.accumulate(belongs)
            found = np.maximum(found, found[-1] + len(found) - slots)  # those beyond the end have the first slots
            most = max(most, (int(found.sum()) - int(belongs.sum())) / len(found))
        if slots >= 2 * len(keys):
            return most
        slots *= 2


def _follow(archive: Archive, curve: Curve, settings: Settings, played: int, seats: int) -> None:
    """Version 1 has the payoffs of all matches [match, seat], 0 where they have not been played, and no curve."""
    layout = archive.layout("payoffs")
    if layout.kind != "<f8" or layout.shape != (settings.matches, seats):
        raise ValueError("its payoffs are not those of its settings")
    if layout.bytes > MOST_PAYOFFS:
        raise ValueError(f"its payoffs have {layout.bytes:,} bytes; at most {MOST_PAYOFFS:,} are read")
    with np.errstate(all="ignore"):
        for rows in archive.rows("payoffs", layout):
            if curve.played < played:
                curve.add(Chunk(curve.played, rows[: played - curve.played]))
    if not np.isfinite(curve.sums).all():
        raise ValueError("its payoffs must be finite")


def _fingerprint(game: Game) -> dict[str, Any]:
    """What the keys of a table depend on."""
    if game.name != "gdl":
        return {"game": game.name, "options": dict(game.options)}
    # A rulesheet is its text, wherever it lies; both engines count moves alike, but have keys of their own.
    about, options = game.about, game.options
    if "moves" not in about:
        raise ValueError("the moves of this rulesheet have no lasting numbers, so its tables cannot be kept")
    text = options["text"] if "text" in options else gdl.find(options["file"]).read_text(encoding="utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return {"game": "gdl", "text": digest, "engine": about["engine"], "turns": options["turns"]}


def _check_game(theirs: Mapping[str, Any], game: Game) -> None:
    ours = _fingerprint(game)
    if ours != theirs:
        differ = [key for key in sorted(ours.keys() | theirs.keys()) if ours.get(key) != theirs.get(key)]
        shown = [f"{key} {str(theirs.get(key))[:60]} (now {str(ours.get(key))[:60]})" for key in differ]
        raise ValueError(f"it was learnt on other rules: {', '.join(shown)}")


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")
