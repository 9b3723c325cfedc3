"""Li, Tables III and IV: the trained networks against each other and against random players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kibitz.experiments import Report, Run, experiment
from kibitz.experiments.curves import Curve, length_note, run_plans
from kibitz.experiments.li_training import DDQN, DMC, MCTS, METHODS, NFSP, REWARDS, plans
from kibitz.experiments.matches import Bar, judge, paint_bars
from kibitz.experiments.networks import LineUp, Played, play_all, table_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GAMES = 10_000  # with each seed's networks, whatever the scale
TABLE3 = (
    {MCTS: "40% ± 0.015", DDQN: "35% ± 0.048", DMC: "25% ± 0.1"},
    {MCTS: "40% ± 0.05", DDQN: "36% ± 0.052", NFSP: "24% ± 0.005"},
    {MCTS: "44% ± 0.048", NFSP: "28% ± 0.018", DMC: "28% ± 0.05"},
)
TABLE4 = ({MCTS: "32% ± 0.05", DDQN: "27% ± 0.001", DMC: "20% ± 0.1", NFSP: "21% ± 0.015"},)
RANDOM = "random"


@experiment(
    "li/table3",
    title="Li, Table III: the four methods against each other, three-player Uno",
    paper=(
        "Win rates of trained networks in 10,000 games: DDQN with MCTS 40%, DDQN 35%, DMC 25%; DDQN with MCTS 40%, "
        "DDQN 36%, NFSP 24%; DDQN with MCTS 44%, NFSP 28%, DMC 28%."
    ),
)
def table3(run: Run) -> Report:
    return _table(run, 3, TABLE3)


@experiment(
    "li/table4",
    title="Li, Table IV: the four methods against each other, four-player Uno",
    paper="Win rates of trained networks in 10,000 games: DDQN with MCTS 32%, DDQN 27%, DMC 20%, NFSP 21%.",
)
def table4(run: Run) -> Report:
    return _table(run, 4, TABLE4)


def nets_of(curve: Curve) -> list[str]:
    """The agent of every seed, as it was at the end of its training."""
    return [f"net:{trained.weights}" for trained in curve.seeds]


def _table(run: Run, players: int, paper: Sequence[Mapping[str, str]]) -> Report:
    curves = run_plans(run, plans(run, players))
    games = 120 if run.settings.quick else GAMES
    nets = {label: nets_of(curve) for label, curve in curves.items()}
    against = [_line_up(list(told), nets, players) for told in paper]
    others = [RANDOM] * (players - 1)
    alone = [
        LineUp("against random", [label, *others], [[net, *others] for net in mine], players)
        for label, mine in nets.items()
    ]
    played = play_all(run, "games", [*against, *alone], games)
    matches, singles = played[: len(against)], played[len(against) :]
    rows = [row for match, told in zip(matches, paper, strict=True) for row in match.rows(list(told.values()))]
    level = f"above {REWARDS[players]}"
    for match in singles:
        first = match.line_up.names[0] == MCTS
        rows += match.rows([""] * players, only=0, rewards=[level if first else ""])
    return Report(
        rows=rows,
        note=_note(matches, singles[0], players) + length_note(list(curves.values())) + _HOW,
        tables={"matches": table_of(played)},
        plots={"wins": lambda axes: _paint(axes, matches, paper, players)},
    )


_HOW = """

Every deal is played in all orders of seats, and by the networks of every seed; nobody chose among seeds or among
stages of a training. DDQN, DMC and DDQN with MCTS play the action with the highest Q, NFSP draws from its average
policy. The intervals of the table are about these networks, with a deal as one observation; what they say of the
methods is less, since each stands for few trainings: the note gives both. The paper does not say what its ± means, nor
how many networks of each method it trained."""


def _line_up(names: list[str], nets: Mapping[str, Sequence[str]], players: int) -> LineUp:
    agents = [[nets[name][seed] for name in names] for seed in range(len(nets[names[0]]))]
    return LineUp(", ".join(names), names, agents, players)


def _note(matches: Sequence[Played], alone: Played, players: int) -> str:
    """Does DDQN with MCTS beat the others here? As the intervals have it."""
    lines = []
    for match in matches:
        for other, name in enumerate(match.line_up.names):
            if name != MCTS:
                lines.append(match.judge(f"In {match.line_up.name}, {MCTS} wins more than {name}", 0, other))
    for rival in (name for name in METHODS if name != MCTS):
        leads = [match.lead(0, match.line_up.names.index(rival)) for match in matches if rival in match.line_up.names]
        won, lost = sum(lead.low > 0 for lead in leads), sum(lead.high < 0 for lead in leads)
        lines.append(
            f"- All told, {MCTS} beats {rival} in {won} of {len(leads)} line-ups, is beaten in {lost}, and "
            f"{len(leads) - won - lost} are open (these networks)."
        )
    reward = alone.reward(0)
    shown = f"{reward.mean:.3f} [{reward.low:.3f}, {reward.high:.3f}]"
    level = REWARDS[players]
    lines.append(
        judge(f"Against random players {MCTS} (these networks) has a reward above {level}", reward, level, shown=shown)
    )
    return "\n".join(lines)


def _paint(axes: Axes, matches: Sequence[Played], paper: Sequence[Mapping[str, str]], players: int) -> None:
    short = {MCTS: "MCTS"}
    bars = [
        Bar(f"{short.get(name, name)}\n({i + 1})", match.win_rate(j), float(text.split("%")[0]) / 100)
        for i, (match, told) in enumerate(zip(matches, paper, strict=True))
        for j, (name, text) in enumerate(told.items())
    ]
    paint_bars(axes, bars, f"Trained networks at one table, {players} players", "win rate")
    axes.axhline(1 / players, color="#888a85", linestyle=":")
