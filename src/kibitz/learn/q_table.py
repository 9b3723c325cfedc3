"""Learning without a network: a table of action values per seat, by Q-learning or TD(λ), and the file it is kept in.

The players of Wang, Emmerich and Plaat, "Monte Carlo Q-learning for General Game Playing": QPlayer (Algorithm 1 in
games of one player, Algorithm 2 otherwise), QMPlayer (Algorithm 4: where the table knows nothing good it searches), and
the TD(λ) learner they compare with. On every native game and every rulesheet. docs/q_table.md says where this differs
from the paper.

    settings = q_table.q_player(game="tictactoe", learning=50_000, file="ttt.npz")
    trained = q_table.train(settings)              # goes on from ttt.npz where that is there
    kibitz.play(trained.game, ["q:ttt.npz", "random"], games=1_000)

All matches are played, and learnt from, inside the core.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import time
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

import kibitz
from kibitz import gdl
from kibitz.files import write_atomically
from kibitz.learn.common.settings import COUNT, SHARE, Ranges, check_ranges

FORMAT, VERSION = "kibitz q table", 1
REPORT = 0.2  # seconds between two reports of progress, about

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]


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
        check_ranges(self, self.ranges)
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


def epsilon(settings: Settings) -> Floats:
    """ε of every match: a·cos(mπ/2l) + b while m <= l, then 0. Matches count from 1."""
    m = np.arange(1, settings.learning + 1)
    a, b = settings.epsilon_a, settings.epsilon_b
    learning = a * np.cos(m * math.pi / (2 * max(1, settings.learning))) + b
    if settings.schedule == "fixed":
        learning = np.full(settings.learning, a + b)
    return np.concatenate([np.clip(learning, 0.0, 1.0), np.zeros(settings.playing)])


# --- training


@dataclass(frozen=True)
class Trained:
    settings: Settings
    game: Any
    learner: Any  # of the core: the tables
    payoffs: Floats  # [match, seat]

    @property
    def seats(self) -> NDArray[np.int64]:
        """Where the learner sat in each match."""
        return np.arange(len(self.payoffs)) % int(self.game.players)

    @property
    def own(self) -> Floats:
        """The learner's payoff of each match."""
        mine: Floats = self.payoffs[np.arange(len(self.payoffs)), self.seats]
        return mine

    def agent(self, name: str = "q", fallback: Any = None) -> Any:
        """A native agent of the core that plays from a copy of the tables."""
        return self.learner.agent(name, fallback)


def train(settings: Settings, progress: Progress | None = None, game: Any = None) -> Trained:
    """Plays all matches, or those that the file does not have yet; Ctrl-C keeps what is finished.

    `game` is played in place of the one that the settings name: a rulesheet given as text has no spec.
    """
    trained = _begin(settings, game)
    table = _Table(
        epsilon(settings),
        None if settings.opponent == "self" else _native(trained.game, settings.opponent, "opponent"),
        None if settings.fallback is None else _native(trained.game, settings.fallback, "fallback"),
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
            if end == saved + settings.save_every:
                saved = _keep(trained)
            if progress is not None:
                progress(end, settings.matches)
    finally:  # whatever cut it, the core has stopped between two matches
        if trained.learner.played != saved or (new and saved == 0):
            _keep(trained)
    return trained


def _keep(trained: Trained) -> int:
    """Saves the tables where there is a file for them; returns how many matches they have learnt from."""
    if trained.settings.file is not None:
        save(trained, trained.settings.file)
    return int(trained.learner.played)


def _begin(settings: Settings, game: Any) -> Trained:
    if settings.file is not None and Path(settings.file).exists():
        found = load(settings.file, game)
        # Where it is kept, and how often it was saved, change nothing.
        same = replace(found.settings, file=settings.file, save_every=settings.save_every)
        if same != settings:
            ours, theirs = asdict(settings), asdict(same)
            differ = [f"{key} {theirs[key]} (now {ours[key]})" for key in ours if ours[key] != theirs[key]]
            raise ValueError(f"{settings.file} holds a training with {', '.join(differ)}: use another file")
        return replace(found, settings=settings)
    if game is None:
        game = kibitz.make(settings.game)
    learner = _new_learner(game, settings.seed)
    if settings.file is not None:
        _fingerprint(game)  # a game whose tables cannot be kept is refused before the work
    return Trained(settings, game, learner, np.zeros((settings.matches, game.players)))


def _new_learner(game: Any, seed: int) -> Any:
    """The learner of the core; ValueError where the game is not one of the core's."""
    make = getattr(game, "native_q_learner", None)
    if make is None:
        raise ValueError(f"game {game.name!r} is not native: tables are learnt on native games and rulesheets")
    return make(seed)


def _native(game: Any, spec: str, what: str) -> Any:
    """The agent of the core that a spec names."""
    agent: Any = kibitz.agent(spec)
    handle = agent.native(game) if hasattr(agent, "native") else None
    if handle is None:
        raise ValueError(f"{what} {spec!r} does not play inside the core: name a native agent")
    return handle


@dataclass(frozen=True)
class _Table:
    epsilons: Floats
    opponent: Any | None
    fallback: Any | None


def _play(trained: Trained, table: _Table, begin: int, end: int) -> None:
    s = trained.settings
    trained.learner.run(
        table.epsilons[begin:end],
        trained.payoffs[begin:end],
        s.alpha,
        s.gamma,
        s.lambda_ if s.method == "td" else -1.0,
        s.states == "all",
        begin < s.learning,
        table.opponent,
        table.fallback,
    )


# --- files


def save(trained: Trained, file: str | Path) -> None:
    """Writes tables, settings and payoffs so far; after a crash there is the old file or the new one."""
    header = {
        "format": FORMAT,
        "version": VERSION,
        "rules": _fingerprint(trained.game),
        "settings": asdict(replace(trained.settings, file=None)),
        "played": trained.learner.played,
    }
    arrays: dict[str, Any] = {"header": np.array(json.dumps(header)), "payoffs": trained.payoffs}
    for seat in range(trained.game.players):
        size = trained.learner.size(seat)
        keys, values, visits = np.zeros(size, np.uint64), np.zeros(size), np.zeros(size, np.uint64)
        trained.learner.save(seat, keys, values, visits)
        arrays |= {f"keys{seat}": keys, f"values{seat}": values, f"visits{seat}": visits}
    data = io.BytesIO()
    np.savez_compressed(data, **arrays)
    write_atomically(Path(file), data.getvalue())


def load(file: str | Path, game: Any = None) -> Trained:
    """What `save` wrote; ValueError says what is wrong with the file. `game`: play this one, if it is the same."""
    header, arrays = read(file)
    try:
        settings = Settings(**header["settings"])
        made = kibitz.make(settings.game) if game is None else game
        _check_game(header, made)
        learner = _new_learner(made, settings.seed)
        for seat in range(made.players):
            learner.load(seat, *(arrays[f"{name}{seat}"] for name in ("keys", "values", "visits")))
        payoffs = arrays["payoffs"]
        if (
            payoffs.dtype != np.float64
            or payoffs.shape != (settings.matches, made.players)
            or not 0 <= header["played"] <= settings.matches
        ):
            raise ValueError("its payoffs are not those of its settings")
        learner.played = header["played"]
    except (KeyError, TypeError, ValueError) as error:
        what = f"it lacks {error}" if isinstance(error, KeyError) else str(error).splitlines()[0]
        raise ValueError(f"the table {str(file)!r} cannot be used: {what}") from None
    return Trained(settings, made, learner, payoffs)


def read(file: str | Path) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """Header and arrays of a file, without a game; ValueError if it is no table."""
    path = Path(file)
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        header = json.loads(str(arrays.pop("header")))
        known = isinstance(header, dict) and header.get("format") == FORMAT
    except FileNotFoundError:
        raise ValueError(f"there is no file {str(path)!r}") from None
    except OSError as error:
        raise ValueError(f"{str(path)!r} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, AttributeError, TypeError, RuntimeError):
        known = False
    if not known:
        raise ValueError(f"{str(path)!r} is no table of action values, or damaged")
    if header.get("version") != VERSION:
        raise ValueError(f"{str(path)!r} has version {header.get('version')}; this program reads {VERSION}")
    return header, arrays


def _fingerprint(game: Any) -> dict[str, Any]:
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


def _check_game(header: Mapping[str, Any], game: Any) -> None:
    ours, theirs = _fingerprint(game), header["rules"]
    if ours != theirs:
        differ = [key for key in sorted(ours.keys() | theirs.keys()) if ours.get(key) != theirs.get(key)]
        shown = [f"{key} {str(theirs.get(key))[:60]} (now {str(ours.get(key))[:60]})" for key in differ]
        raise ValueError(f"it was learnt on other rules: {', '.join(shown)}")


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")
