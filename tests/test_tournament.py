"""Tournaments: the same result on every back end, whatever dies on the way; until a question is decided."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz import cli, registry
from kibitz.arena import plan as plans
from kibitz.arena import regret, report, standings
from kibitz.arena.backends import Here, Processes
from kibitz.arena.jobs import Backend, Job, JobResult, LineUp, play_job
from kibitz.arena.plan import Plan, plan_of
from kibitz.arena.store import Row, Store
from kibitz.arena.summary import summary
from kibitz.arena.tournament import Ledger, jobs_left, outcome, run, write_records
from kibitz.record import Record

MAIN = [sys.executable, "-c", "from kibitz.cli import main; main()"]
AGENTS = {"random": "random", "mcs": "mcs:iterations=2", "ismcts": "ismcts:iterations=8"}
LONG = 60.0  # seconds to wait for what takes a moment


def mini(games: int = 600, agents: dict[str, str] = AGENTS, **more: Any) -> Plan:
    return plan_of(kibitz.make("mini_doudizhu"), agents, games, **more)


def uno(games: int = 600, **more: Any) -> Plan:
    """Of three players, of which two are the same."""
    return plan_of(kibitz.make("uno", players=3), {"random": "random", "rules": "rules"}, games, meet=2, **more)


def played(path: Path, plan: Plan, backend: Backend | None = None) -> str:
    """The result of a whole tournament, as its file has it."""
    with Store.create(path, plan) as store:
        assert run(store, backend)
        return json.dumps(summary(store).to_dict())


@dataclass
class Backwards:
    """Gives results in another order, some of them twice."""

    def map(self, jobs: Iterable[Job]) -> Iterator[JobResult]:
        found = [play_job(job) for job in jobs]
        yield from reversed(found)
        yield from found[:2]


@dataclass
class Cut:
    """Is interrupted after so many jobs."""

    after: int

    def map(self, jobs: Iterable[Job]) -> Iterator[JobResult]:
        for number, job in enumerate(jobs):
            if number == self.after:
                raise KeyboardInterrupt
            yield play_job(job)


@pytest.mark.parametrize("make", [mini, uno])
def test_back_ends_give_the_same_bytes(tmp_path: Path, make: Callable[..., Plan]) -> None:
    plan = make(6000, seed=3)
    backends: list[Backend] = [Here(), Here(2), Processes(2), Processes(3), Backwards()]
    found = {played(tmp_path / f"{at}.db", plan, backend) for at, backend in enumerate(backends)}
    assert len(found) == 1
    assert json.loads(found.pop())["games"] == plan.played


def test_a_line_up_is_the_match_that_the_arena_plays() -> None:
    line_up = LineUp("uno", (("players", 3),), ("rules", "random", "random"), ((0, 1, 2), (2, 0, 1), (1, 2, 0)))
    whole = play_job(Job(line_up, 5, 0, 60))
    parts = [play_job(Job(line_up, 5, 0, 25)), play_job(Job(line_up, 5, 25, 35))]
    match = kibitz.play("uno:players=3", ["rules", "random", "random"], games=180, seed=5)
    meeting = standings.Meeting((0, 1, 2), line_up, (0, 1, 2))
    for part in parts:
        meeting.add(Row.of(part))
    assert whole.payoffs == tuple(a + b for a, b in zip(parts[0].payoffs, parts[1].payoffs, strict=True))
    assert meeting.counts().sum() == meeting.deals == 60
    won = meeting.counts() @ meeting.credits().sum(axis=1)
    assert won.tolist() == [agent.wins for agent in match.agents]
    assert [float(m.total) / 180 for m in whole.payoffs] == pytest.approx([a.payoff.mean for a in match.agents])


def test_partners_are_one_agent() -> None:
    plan = plan_of(kibitz.make("belote"), {"random": "random", "rules": "rules"}, 40)
    assert plan.line_ups[0][1].sittings == ((0, 1, 0, 1), (1, 0, 1, 0))
    plan = plan_of(kibitz.make("doudizhu"), {"random": "random", "rules": "rules"}, 40)
    assert plan.line_ups[0][1].sittings == ((0, 1, 1), (1, 0, 0))
    meeting = standings.meetings_of(plan)[plan.line_ups[0][1].key]
    assert meeting.claims.tolist() == [[1, 1], [1, 1]]


def test_two_meet_in_a_game_of_three() -> None:
    plan = uno()
    assert len(plan.line_ups) == 1
    sittings = plan.line_ups[0][1].sittings
    assert sittings == ((0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))


def test_gauntlets_and_all_seatings() -> None:
    agents = AGENTS | {"other": "mcs:iterations=3"}
    assert len(mini(agents=agents).line_ups) == 6
    assert len(mini(agents=agents, gauntlet="other").line_ups) == 3
    three = plan_of(kibitz.make("uno", players=3), agents, 600, seatings="all")
    assert len(three.line_ups) == 4
    assert len(set(three.line_ups[0][1].sittings)) == 6


def test_an_interrupt_keeps_what_is_done(tmp_path: Path) -> None:
    plan = mini(12_000)
    with Store.create(tmp_path / "cut.db", plan) as store:
        for after in (1, 2, 1):
            before = len(store.counts())
            assert not run(store, Cut(after))
            assert len(store.counts()) == before + after
        assert not outcome(store).complete
        assert run(store)
        found = json.dumps(summary(store).to_dict())
    assert found == played(tmp_path / "whole.db", plan)


def test_more_games_and_agents(tmp_path: Path) -> None:
    few = mini(2300, agents={"random": "random", "mcs": AGENTS["mcs"]})
    many = mini(21_000)
    with Store.create(tmp_path / "grown.db", few) as store:
        run(store)
        store.replan(many)
        assert not outcome(store).complete
        run(store)
        found = summary(store).to_dict()
    whole = json.loads(played(tmp_path / "whole.db", many))
    assert json.loads(json.dumps(found)) == whole


def test_what_is_left_are_the_gaps() -> None:
    plan = mini(12_000)
    _, line_up = plan.line_ups[0]
    size, key = plan.size(line_up), line_up.key
    done = {(key, 3): size, (key, 2 * size): 2, (key, 2 * size + 5): 1}  # as chunks of other sizes would be
    left = [job for job in jobs_left(plan, done) if job.line_up == line_up]
    deals = [deal for job in left for deal in range(job.first, job.first + job.count)]
    played = {deal for (_, first), count in done.items() for deal in range(first, first + count)}
    assert deals == [deal for deal in range(plan.deals) if deal not in played]


@pytest.mark.parametrize("change", [{"seed": 1}, {"games": 100}, {"seatings": "all"}, {"kibitz": "0.1"}])
def test_what_does_not_fit_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    plan = mini()
    with Store.create(tmp_path / "a.db", plan) as store, pytest.raises(ValueError, match=r"was|asked"):
        store.replan(replace(plan, **change))


def test_a_second_run_is_kept_out(tmp_path: Path) -> None:
    with Store.create(tmp_path / "a.db", mini()) as store, Store(tmp_path / "a.db") as other:
        with store.writing(), pytest.raises(ValueError, match="another run"):
            run(other)
        assert run(other)


def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    flag = tmp_path / "killed"

    def mortal(view: Any) -> int:
        if os.getpid() != parent and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return int(view.legal()[0])

    parent = os.getpid()
    registry.register_agent("mortal", mortal, replace=True)
    plan = mini(160, agents={"random": "random", "mortal": "mortal"})
    found = played(tmp_path / "a.db", plan, Processes(2))
    assert flag.exists()
    assert found == played(tmp_path / "b.db", plan)


def test_killed_with_9_again_and_again(tmp_path: Path) -> None:
    """The process itself: its result is that of one that nobody disturbed."""
    agents = "random,mcs:iterations=2,ismcts:iterations=8"
    command = [*MAIN, "tournament", "mini_doudizhu", "--agents", agents, "--games", "120000", "--threads", "2"]
    killed, whole = tmp_path / "killed.db", tmp_path / "whole.db"
    seen = 0
    for number in range(3):
        more = ["--resume"] if killed.exists() else []
        process = subprocess.Popen([*command, "--store", str(killed), *more], stdout=subprocess.DEVNULL)
        end = time.monotonic() + LONG
        while process.poll() is None and _chunks(killed) <= seen and time.monotonic() < end:
            time.sleep(0.005)
        assert process.poll() is None, "it was to be killed on the way"
        process.kill()
        process.wait()
        assert _chunks(killed) > seen, f"killed before chunk {number}"
        seen = _chunks(killed)
    results = []
    for path, more in ((killed, ["--resume"]), (whole, [])):
        out = tmp_path / path.stem
        done = [*command, "--store", str(path), "--out", str(out), *more]
        subprocess.run(done, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        results.append((out / report.RESULT).read_bytes())
    assert results[0] == results[1]
    assert json.loads(results[0])["games"] == 120_000


def _chunks(path: Path) -> int:
    if not path.exists():
        return 0
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)
    try:
        return int(database.execute("SELECT count(*) FROM chunks").fetchone()[0])
    finally:
        database.close()


def test_until_counts_whole_rounds_alone(tmp_path: Path) -> None:
    plan = mini(60_000, until=("ismcts > random",))
    backends: list[Backend] = [Here(), Processes(3)]
    found = [played(tmp_path / f"{at}.db", plan, backend) for at, backend in enumerate(backends)]
    assert found[0] == found[1]
    result = json.loads(found[0])
    assert result["answers"][0]["verdict"] == "stronger"
    assert result["complete"]
    assert result["games"] < plan.played
    with Store(tmp_path / "1.db") as store:
        counts = dict(store.counts())
        assert sum(counts.values()) * 2 >= result["games"]
        assert run(store)  # nothing is left to be played
        assert store.counts() == counts


def test_a_ledger_does_not_care_for_the_order() -> None:
    plan = mini(20_000, until=("ismcts > mcs",), error=1e-9)
    rows = [Row.of(play_job(job)) for jobs in plan.rounds() for job in jobs]
    found = []
    for order in (rows, rows[::-1]):
        ledger = Ledger(plan)
        for row in order:
            ledger.add(row)
        found.append([(meeting.deals, meeting.counts().tolist()) for meeting in ledger.standings().meetings])
    assert found[0] == found[1]


def test_records_replay(tmp_path: Path) -> None:
    plan = plan_of(kibitz.make("doudizhu"), {"random": "random", "rules": "rules"}, 40, records=True)
    with Store.create(tmp_path / "a.db", plan) as store:
        run(store)
        assert write_records(store, tmp_path / "games.jsonl") == 40
    lines = (tmp_path / "games.jsonl").read_text().splitlines()
    records = [Record.from_json(json.loads(line)) for line in lines]
    for record in records:
        record.check()
    assert {tuple(seat.agent for seat in record.seats) for record in records} == {
        ("random", "rules", "rules"),
        ("rules", "random", "random"),
    }


def test_regret_asks_all_agents_about_the_same_decisions(tmp_path: Path) -> None:
    plan = mini(40, regret=6, effort=20)
    found = []
    for name in ("a", "b"):
        with Store.create(tmp_path / f"{name}.db", plan) as store:
            assert regret.sample(store)
            found.append(store.regrets())
    assert found[0] == found[1]
    assert len(found[0]) == 6
    figures = regret.regrets(plan, [{"effort": 20, "losses": {"random": 0.5, "ismcts": 0.0, "mcs": 0.25}}] * 3)
    assert [(r.name, r.loss.mean, r.best) for r in figures] == [("ismcts", 0, 1), ("mcs", 0.25, 0), ("random", 0.5, 0)]


def test_reports_are_the_same_again_and_load_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played(tmp_path / "a.db", mini(title="<script>alert(1)</script>"))
    for name in ("first", "second"):
        assert cli.run(["report", str(tmp_path / "a.db"), "--out", str(tmp_path / name)]) == 0
    files = sorted(path.name for path in (tmp_path / "first").iterdir())
    assert files == ["README.md", "agents.csv", "pairs.csv", "report.html", "result.json", "times.csv"]
    for file in files:
        assert (tmp_path / "first" / file).read_bytes() == (tmp_path / "second" / file).read_bytes()
    page = (tmp_path / "first" / report.PAGE).read_text()
    assert not any(word in page for word in ("http:", "https:", "src=", "href=", "url(", "@import", "<script"))
    assert page.count("<svg") == 2
    capsys.readouterr()
    assert cli.run(["report", str(tmp_path / "a.db")]) == 0
    assert capsys.readouterr().out == (tmp_path / "first" / report.README).read_text()


BAD = {
    "no agents": (["uno"], "--agents is missing"),
    "one agent": (["uno", "--agents", "random"], "at least two"),
    "twice": (["uno", "--agents", "random,random"], "two agents have the name 'random'"),
    "unknown agent": (["uno", "--agents", "random,nobody"], "unknown agent 'nobody'"),
    "not of this game": (["hex", "--agents", "random,rules"], "rules"),
    "too few": (["uno", "--players", "4", "--agents", "random,rules"], "4 agents meet"),
    "human": (["uno", "--agents", "random,human"], "no room for a human"),
    "question": (["uno", "--agents", "random,rules", "--until", "rules"], "bad question"),
    "unknown in a question": (["uno", "--agents", "random,rules", "--until", "rules > rando"], "did you mean 'random'"),
    "gauntlet": (["uno", "--agents", "random,rules", "--gauntlet", "me"], "unknown gauntlet 'me'"),
    "error": (["uno", "--agents", "random,rules", "--error", "2"], "from 1e-09 to 0.5"),
    "nothing there": (["--store", "none.db", "--resume"], "there is no tournament none.db"),
    "no file": (["uno", "--agents", "none.toml"], "none.toml"),
    "games": (["uno", "--agents", "random,rules", "--games", "0"], "from 1 to"),
}


@pytest.mark.parametrize(("words", "complaint"), BAD.values(), ids=BAD)
def test_bad_input_is_named(
    words: list[str],
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["tournament", *words]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert "Traceback" not in said
    assert not list(tmp_path.iterdir())


FILES = {
    "no TOML": ("version = ", "is no TOML"),
    "no version": ('[agents]\nrandom = "random"', "version = 1"),
    "unknown member": ("version = 1\ngame_s = 3", "unknown member 'game_s'"),
    "wrong kind": ('version = 1\ngames = "many"', "games cannot be 'many'"),
    "agent": ("version = 1\n[agents]\nrandom = 3", "must be a spec string"),
    "anchors": ('version = 1\n[anchors]\nversion = 1\nrandom = "x"', "anchors must be"),
}


@pytest.mark.parametrize(("text", "complaint"), FILES.values(), ids=FILES)
def test_bad_files_are_named(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "agents.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        plans.read_file(path)


def test_a_file_has_all_that_a_plan_needs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "agents.toml"
    text = 'version = 1\ngame = "uno:players=2"\ngames = 100\nseed = 4\nuntil = ["good > random"]\nerror = 0.01\n'
    path.write_text(text + '[agents]\nrandom = "random"\ngood = "rules"\n[anchors]\nversion = 2\ngood = 1000\n')
    assert cli.run(["tournament", "--agents", str(path)]) == 0
    with Store(tmp_path / "agents.db") as store:
        plan = store.plan
        assert (plan.games, plan.seed, plan.error, plan.names) == (100, 4, 0.01, ["random", "good"])
        result = summary(store).to_dict()
    assert result["agents"][0]["name"] == "good"
    assert result["agents"][0]["rating"]["mean"] == 1000
    assert result["anchors"]["version"] == 2
    assert cli.run(["tournament", "--resume", "--store", str(tmp_path / "agents.db"), "--games", "200"]) == 0
    with Store(tmp_path / "agents.db") as store:
        assert store.plan.games == 200
        assert np.sum(list(store.counts().values())) == 100
