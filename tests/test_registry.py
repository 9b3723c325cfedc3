"""Names and spec strings; see also kibitz/registry.py."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from importlib import metadata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_game import Bold, ToyGame

from kibitz import protocols, registry
from kibitz._core import agent_stream
from kibitz.agents import builtin
from kibitz.agents.base import AgentBase
from kibitz.agents.native import NativeAgent
from kibitz.agents.random import RandomAgent
from kibitz.registry import Spec, agent, agents, games, make, parse_spec, register_agent, register_game


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """What a test registers is gone after it."""
    yield
    registry._games.added.clear()
    registry._agents.added.clear()


class Echo(Bold):
    """Remembers what it was made with."""

    def __init__(self, source: str = "", *, n: int = 0, x: float = 0.0, on: bool = False, word: str = "") -> None:
        self.made = (source, n, x, on, word)


# Spec strings


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("random", Spec("random")),
        (" ismcts:iterations=10_000 ", Spec("ismcts", None, {"iterations": 10000})),
        ("a:n=-3,x=1e-3,y=.5,z=2.", Spec("a", None, {"n": -3, "x": 0.001, "y": 0.5, "z": 2.0})),
        ("a:n=1e4,m=1.5E3,x=1e300,y=25e-1", Spec("a", None, {"n": 10_000, "m": 1500, "x": 1e300, "y": 2.5})),
        ("a:yes=true,no=False,w=li,e=", Spec("a", None, {"yes": True, "no": False, "w": "li", "e": ""})),
        ("a:w=nan,v=inf,u=1.2.3,t=0x10", Spec("a", None, {"w": "nan", "v": "inf", "u": "1.2.3", "t": "0x10"})),
        ("net:runs/uno 3p.safetensors", Spec("net", "runs/uno 3p.safetensors")),
        ("net:C:/a.st,t=1", Spec("net", "C:/a.st", {"t": 1})),
        ("net:runs/lr=3/a.st,t=1", Spec("net", "runs/lr=3/a.st", {"t": 1})),
        ("a:url=http://h:80/?q=1", Spec("a", None, {"url": "http://h:80/?q=1"})),
    ],
)
def test_spec(text: str, spec: Spec) -> None:
    parsed = parse_spec(text)
    assert parsed == spec
    assert [type(v) for v in parsed.options.values()] == [type(v) for v in spec.options.values()]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "must begin with a name"),
        (":a=1", "must begin with a name"),
        ("a b", "must begin with a name"),
        ("a:", "nothing follows the colon"),
        ("a:n=1,n=2", "'n' is given twice"),
        ("a:n=1,file", "'file' is not key=value"),
        ("a:n=1,", "'' is not key=value"),
        ("a:,n=1", "'' is not key=value"),
        ("a:file,other", "'other' is not key=value"),
    ],
)
def test_bad_spec(text: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong) as info:
        parse_spec(text)
    assert "\n" not in str(info.value)


_words = st.text("abcxyz_/.", min_size=1).filter(
    lambda text: text[0] not in "." and text.lower() not in ("true", "false")
)


@given(
    st.from_regex(r"[a-z][a-z0-9_\-]*", fullmatch=True),
    st.none() | _words,
    st.dictionaries(
        st.from_regex(r"[a-z_]+", fullmatch=True),
        st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans() | _words,
    ),
)
def test_spec_text_round_trips(name: str, source: str | None, options: dict[str, Any]) -> None:
    assert parse_spec(str(Spec(name, source, options))) == Spec(name, source, options)


# Agents


def test_builtin_agents() -> None:
    assert {"random", "rules", "human"} <= set(agents())
    with_source = {"level", "q", "qm"}
    for name in with_source:
        with pytest.raises(ValueError, match=f"agent '{name}': missing a required argument: 'source'"):
            agent(name)
    for name in builtin().keys() - with_source - {"net"}:  # which needs a file
        made = agent(name)
        assert isinstance(made, protocols.Agent)
        assert made.name == name
        assert made.peeks is name.startswith("cheat-")


def test_agent_passes_source_and_options() -> None:
    register_agent("echo", Echo)
    assert agent("echo").made == ("", 0, 0.0, False, "")  # type: ignore[attr-defined]
    assert agent("echo:FILE").made == ("FILE", 0, 0.0, False, "")  # type: ignore[attr-defined]
    made = agent("echo:a/b.st,n=3,x=0.5,on=true,word=li")
    assert made.made == ("a/b.st", 3, 0.5, True, "li")  # type: ignore[attr-defined]
    assert agent(made) is made


@pytest.mark.parametrize(
    ("spec", "wrong"),
    [
        ("nobody", r"unknown agent 'nobody'; known agents: .*echo.*random, .*rules"),
        ("random:n=1", r"unknown option 'n' of agent 'random'; allowed options: none"),
        ("echo:m=1", r"unknown option 'm' of agent 'echo'; allowed options: source, n, x, on, word"),
        ("random:FILE", r"agent 'random' takes no bare value, but was given 'FILE'"),
        ("picky", r"agent 'picky': missing a required argument: 'source'"),
        ("echo:FILE,source=other", r"agent 'echo': multiple values for argument 'source'"),
        ("hollow", r"'hollow' is no agent: object lacks name, peeks, begin, act, think"),
    ],
)
def test_bad_agents(spec: str, wrong: str) -> None:
    register_agent("echo", Echo)
    register_agent("hollow", object)

    @register_agent("picky")
    def picky(source: str) -> Echo:
        return Echo(source)

    with pytest.raises(ValueError, match=wrong) as info:
        agent(spec)
    assert "\n" not in str(info.value)


def test_a_thing_that_is_no_agent() -> None:
    with pytest.raises(ValueError, match="lacks name, peeks, begin, act, think"):
        agent(7)  # type: ignore[arg-type]


def test_register_as_decorator_and_twice() -> None:
    decorated = register_agent("echo")(Echo)
    assert decorated is Echo
    with pytest.raises(ValueError, match="'echo' is already taken"):
        register_agent("echo", Bold)
    register_agent("echo", Bold, replace=True)
    assert isinstance(agent("echo"), Bold)
    assert not isinstance(agent("echo"), Echo)
    with pytest.raises(ValueError, match="'random'"):
        register_agent("random", Bold, replace=True)
    with pytest.raises(ValueError, match="bad agent name"):
        register_agent("a:b", Bold)


# Games


def test_make() -> None:
    register_game("toy", ToyGame)
    assert "toy" in games()
    assert games() == sorted(games())
    assert make("toy").players == 2
    assert make("toy", players=3).players == 3
    assert make("toy:players=4,partners=true").teams == [0, 1, 0, 1]
    assert isinstance(make("toy"), protocols.Game)


@pytest.mark.parametrize(
    ("name", "options", "wrong"),
    [
        ("nothing", {}, r"unknown game 'nothing'; known games: .*toy"),
        ("toy", {"colour": 1}, r"unknown option 'colour' of game 'toy'; allowed options: players, ranks, partners"),
        ("toy:players=3", {"players": 3}, r"option 'players' of game 'toy' is given twice"),
        ("toy:FILE", {}, r"takes no bare value"),
        ("toy", {"players": 1}, r"players must be 2..12, not 1"),
        ("hollow", {}, r"'hollow' is no game: object lacks name, players"),
    ],
)
def test_bad_games(name: str, options: dict[str, Any], wrong: str) -> None:
    register_game("toy", ToyGame)
    register_game("hollow", lambda **options: object())
    with pytest.raises(ValueError, match=wrong) as info:
        make(name, **options)
    assert "\n" not in str(info.value)


def test_toy_satisfies_the_protocols() -> None:
    state = ToyGame(3).deal(1)
    assert isinstance(state, protocols.State)
    assert isinstance(state.view(0), protocols.View)
    assert isinstance(Bold(), protocols.Agent)
    assert not isinstance(state, protocols.Game)
    assert protocols.missing(state, protocols.Game) == [
        "name",
        "players",
        "num_actions",
        "payoff_range",
        "deal",
        "text",
        "parse",
    ]


@pytest.mark.parametrize("protocol", [protocols.Game, protocols.State, protocols.View, protocols.Agent])
def test_protocols_are_small_and_say_their_laws(protocol: type) -> None:
    members = {name: member for name, member in vars(protocol).items() if not name.startswith("_")}
    assert 0 < len(members) <= 10
    assert all(member.__doc__ for member in members.values())


# Entry points


def _install(monkeypatch: pytest.MonkeyPatch, **points: str) -> None:
    """Pretends that a package with these entry points (group_name=module:attribute) is installed."""
    made = []
    for key, value in points.items():
        group, _, name = key.partition("_")
        made.append(metadata.EntryPoint(name, value, f"kibitz.{group}"))
    monkeypatch.setattr(metadata, "entry_points", lambda group: [point for point in made if point.group == group])


def test_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "toy" not in games()
    _install(monkeypatch, games_toy="toy_game:ToyGame", agents_bold="toy_game:Bold")
    assert "toy" in games()
    assert "toy" not in agents()
    assert "bold" in agents()
    assert make("toy", players=3).players == 3
    assert isinstance(agent("bold"), Bold)
    with pytest.raises(ValueError, match="unknown option 'colour' of game 'toy'"):
        make("toy", colour=1)


def test_broken_and_shadowed_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    _install(monkeypatch, games_lost="no_such_module:Game", agents_random="toy_game:Bold")
    assert "lost" in games()  # listing names imports nothing
    with pytest.raises(ValueError, match=r"game 'lost' .no_such_module:Game. cannot be loaded: No module named"):
        make("lost")
    assert isinstance(agent("random"), RandomAgent)


def test_lasting(monkeypatch: pytest.MonkeyPatch) -> None:
    _install(monkeypatch, agents_bold="toy_game:Bold")
    register_agent("echo", Echo)
    assert registry.lasting_agent("random")
    assert registry.lasting_agent("bold:n=1")
    assert not registry.lasting_agent("echo:n=1")


# The agents themselves


def test_random_draws_once_per_choice() -> None:
    view = ToyGame(2).deal(3).view(0)
    forced = ToyGame(2).deal(3)
    forced.apply(0)
    player, rng = RandomAgent(), agent_stream(9)
    player.begin(9)
    for _ in range(50):
        for seen in (view, forced.view(1)):
            count = len(seen.legal())
            assert player.act(seen) == seen.legal()[rng.below(count) if count > 1 else 0]
    assert player.think(view).share == [0.5, 0.5]


def test_default_thought() -> None:
    class Stubborn(AgentBase):
        def act(self, view: Any) -> int:
            return 1

    thought = Stubborn().think(ToyGame(2).deal(0).view(0))
    assert thought == protocols.Thought([0, 1], [None, None], [None, None], [0.0, 1.0])
    assert thought.best == 1
    with pytest.raises(NotImplementedError, match="AgentBase"):
        AgentBase().act(None)
    with pytest.raises(ValueError, match="differ in length"):
        protocols.Thought([0, 1], [None], [None, None], [1.0, 0.0])


def test_native_agent_follows_the_native_one() -> None:
    game = make("uno")
    player, handle, rng = NativeAgent("rules"), game.native_agent("rules", {}), agent_stream(5)
    player.begin(5)
    for seed in range(50):
        state = game.deal(seed)
        view = state.view(state.to_act)
        assert player.act(view) == handle.act(view, rng)
    assert player.native(game) is player.native(game)
    other = make("uno", players=3)
    assert player.native(other) is not player.native(game)


def test_rules_need_a_native_agent() -> None:
    with pytest.raises(ValueError, match="game 'toy' has no rules agent"):
        agent("rules").act(ToyGame(2).deal(0).view(0))
    assert NativeAgent("x", {"n": 1, "on": True}).name == "x:n=1,on=true"


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda a: pickle.loads(pickle.dumps(a))])
def test_agents_can_be_copied_in_the_middle_of_a_game(clone: Any) -> None:
    game = make("uno")
    states = [game.deal(seed) for seed in range(30)]
    views = [state.view(state.to_act) for state in states]
    for name in ("random", "rules"):
        player = agent(name)
        player.begin(1)
        player.act(views[0])
        twin = clone(player)
        player.begin(7)
        twin.begin(7)
        assert [player.act(view) for view in views] == [twin.act(view) for view in views]


def test_changed_play_is_not_replaced_by_the_native_original() -> None:
    class Contrary(RandomAgent):
        def act(self, view: Any) -> int:
            return int(view.legal()[0])

    class Timid(NativeAgent):
        def act(self, view: Any) -> int:
            return int(view.legal()[0])

    assert RandomAgent().native(make("uno")) is not None
    assert RandomAgent().native(ToyGame(2)) is None
    assert Contrary().native(make("uno")) is None
    assert Timid("rules").native(make("uno")) is None


# The native games of the core (they need it built)


def test_native_uno_by_name() -> None:
    game = make("uno:players=3", rules="rlcard")
    assert (game.name, game.players, game.options["rules"]) == ("uno", 3, "rlcard")
    assert isinstance(game, protocols.Game)
    state = game.deal(1)
    assert isinstance(state, protocols.State)
    assert isinstance(state.view(0), protocols.View)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("uno", {"players": 1}),
        ("uno", {"players": 11}),
        ("uno", {"players": "two"}),
        ("uno", {"colour": 1}),
        ("uno", {"rules": "chess"}),
        ("uno:FILE", {}),
    ],
)
def test_bad_uno(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w") as info:
        make(name, **options)
    assert "\n" not in str(info.value)
    assert "unknown game" not in str(info.value)


@pytest.mark.parametrize("name", ["random", "rules"])
def test_slow_path_plays_like_the_native_agent(name: str) -> None:
    game = make("uno", players=3)
    handle = game.native_agent(name, {})
    players, rngs = [agent(name) for _ in range(3)], [agent_stream(seat) for seat in range(3)]
    for seat, player in enumerate(players):
        player.begin(seat)
    state = game.deal(5)
    while not state.over:
        seat = state.to_act
        view = state.view(seat)
        action = players[seat].act(view)
        assert action == handle.act(view, rngs[seat])
        state.apply(action)
