"""The person at the terminal, with scripted fingers."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console
from toy_game import ToyGame

import kibitz
from kibitz._core import Seeds
from kibitz.protocols import Agent
from kibitz.terminal import commands
from kibitz.terminal import uno as human_uno
from kibitz.terminal.commands import Quit
from kibitz.terminal.human import Human
from kibitz.terminal.painter import Painter
from kibitz.terminal.table import Table

HAND = ["r-7", "b-5", "wild", "wild_draw_4", "g-1", "r-reverse", "r-draw_2"]
HIDDEN = ["y-9", "y-9", "y-8"]


def position(**changes: Any) -> dict[str, Any]:
    """Seat 0 to play on a red 5, the other holding cards that seat 0 must not see."""
    return {"game": "uno", "players": 2, "target": "r-5", "hands": [HAND, HIDDEN], **changes}


def view_of(changes: dict[str, Any] | None = None, **options: Any) -> Any:
    return kibitz.make("uno", players=2, **options).from_position(position(**(changes or {}), **options)).view(0)


def seated(*lines: str, width: int = 100) -> tuple[Human, io.StringIO]:
    """A human who types these lines and then closes the terminal, and what the screen shows."""
    human, screen = Human(), io.StringIO()
    human.console = Console(file=screen, width=width, highlight=False)
    script = iter(lines)

    def ask(prompt: str) -> str:
        try:
            return next(script)
        except StopIteration:
            raise EOFError from None

    human.ask = ask
    return human, screen


def chosen(view: Any, *lines: str) -> str:
    human, _ = seated(*lines)
    return str(view.game.text(human.act(view)))


def test_it_is_an_agent() -> None:
    human = kibitz.agent("human")
    assert isinstance(human, Human)
    assert isinstance(human, Agent)
    assert not human.peeks
    assert kibitz.agent("human:name=Anna").name == "Anna"


@pytest.mark.parametrize("text", ["r-7", "R-7", "r7", "red 7", " Red  7 ", "red-7", "r 7", "7 red", "7r", "1"])
def test_a_card_by_name_or_number(text: str) -> None:
    assert chosen(view_of(), text) == "r-7"


@pytest.mark.parametrize(
    ("lines", "action"),
    [
        (["draw"], "draw"),
        (["d"], "draw"),
        (["DRAW"], "draw"),
        (["rev"], "r-reverse"),
        (["red reverse"], "r-reverse"),
        (["rreverse"], "r-reverse"),
        (["+2"], "r-draw_2"),
        (["red draw 2"], "r-draw_2"),
        (["draw 2"], "r-draw_2"),
        (["d2"], "r-draw_2"),
        (["b5"], "b-5"),
        (["wild blue"], "b-wild"),
        (["blue wild"], "b-wild"),
        (["b-wild"], "b-wild"),
        (["w b"], "b-wild"),
        (["wild", "b"], "b-wild"),
        (["wild", "Blue"], "b-wild"),
        (["wild", "3"], "b-wild"),
        (["wild", "purple", "9", "yellow"], "y-wild"),
        (["wild", "", "r7"], "r-7"),  # an empty answer goes back
        (["wild draw 4 green"], "g-wild_draw_4"),
        (["+4", "g"], "g-wild_draw_4"),
        (["wd4 y"], "y-wild_draw_4"),
        (["wild+4 red"], "r-wild_draw_4"),
        (["y-wild_draw_4"], "y-wild_draw_4"),
    ],
)
def test_forgiving_input(lines: list[str], action: str) -> None:
    assert chosen(view_of(), *lines) == action


def test_every_legal_action_can_be_typed_as_its_text_and_found_by_number() -> None:
    view = view_of()
    for action in view.legal():
        assert chosen(view, view.game.text(action)) == view.game.text(action)
    human, _ = seated()
    choices = human.painter(view).choices(view)
    assert sorted(a for choice in choices for a in choice.actions) == sorted(view.legal())
    for number, choice in enumerate(choices, start=1):
        assert seated(str(number), "1")[0].act(view) == choice.actions[0]


@pytest.mark.parametrize(
    ("wrong", "explanation"),
    [
        ("y9", "You have no Y 9."),
        ("skip", "You have no skip."),
        ("g1", "G 1 does not fit on R 5."),
        ("r", "Which red card?"),
        ("99", "the numbers go from 1 to 7"),
        ("0", "the numbers go from 1 to 7"),
        ("", "Type the number or the text of a choice."),
        ("challenge", "'challenge' is nothing you can do now."),
        ("rubbish", "'rubbish' is nothing you can do now."),
        ("[red]", "'[red]' is nothing you can do now."),
        ("[/]", "'[/]' is nothing you can do now."),  # markup is text like any other
    ],
)
def test_wrong_input_is_explained_and_asked_again(wrong: str, explanation: str) -> None:
    view = view_of()
    human, screen = seated(wrong, "r7")
    assert view.game.text(human.act(view)) == "r-7"
    assert explanation in screen.getvalue()
    assert screen.getvalue().count("Your turn.") == 2  # the choices are shown again


def test_help_log_and_quit() -> None:
    human, screen = seated("/help", "/log", "/quit")
    with pytest.raises(Quit):
        human.act(view_of())
    assert "leave the table" in screen.getvalue()
    for lines in ([], ["wild"], ["wild", "/quit"]):  # end of input is leaving, too
        with pytest.raises(Quit):
            seated(*lines)[0].act(view_of())


def test_the_picture_shows_the_view_and_nothing_else() -> None:
    human, screen = seated("draw")
    human.names = ["me", "Ben"]
    human.act(view_of())
    shown = screen.getvalue()
    for card in HIDDEN:
        assert f" {card[0].upper()} {card[2:]} " not in shown
    assert "Ben" in shown
    assert "3 cards" in shown
    assert "You" in shown
    hand = next(line for line in shown.splitlines() if " R 7 " in line)
    # Sorted, and with the colour's letter beside every colour.
    assert hand.split() == ["R", "7", "R", "rev", "R", "+2", "G", "1", "B", "5", "WILD", "WILD", "+4"]
    numbers = shown.splitlines()[shown.splitlines().index(hand) + 1]
    assert numbers.split() == ["1", "2", "3", "4", "5", "6"]  # the green 1 has none
    assert numbers.index("4") - hand.index("B 5") in range(-1, 4)  # beneath its card


def test_colours_are_there_on_a_terminal() -> None:
    human, screen = seated("draw")
    human.console = Console(file=screen, width=100, force_terminal=True, color_system="truecolor")
    human.act(view_of())
    assert "\x1b[" in screen.getvalue()
    assert "48;2;196;40;27" in screen.getvalue()  # red


def test_a_large_hand_is_wrapped() -> None:
    cards = [f"{colour}-{number}" for colour in "rgb" for number in range(1, 9)]
    human, screen = seated("draw", width=40)
    human.act(view_of({"hands": [cards, HIDDEN]}))
    assert max(len(line.rstrip()) for line in screen.getvalue().splitlines()) <= 40
    assert all(f" {card[0].upper()} {card[2:]} " in screen.getvalue() for card in cards)


PHASES: dict[str, tuple[dict[str, Any], dict[str, Any], str, str, str]] = {
    "challenge": (
        {"target": "r-wild_draw_4", "turn": 1, "phase": "penalty", "pending": 4, "before": "g", "bluff": [False, 3]},
        {},
        "if it was honest you draw 6",
        "c",
        "challenge",
    ),
    "accept": (
        {"target": "r-wild_draw_4", "turn": 1, "phase": "penalty", "pending": 4, "before": "g", "bluff": [False, 3]},
        {},
        "you draw 4",
        "ACC",
        "accept",
    ),
    "drawn": ({"phase": "drawn", "drawn": "r-7"}, {}, "You drew R 7", "k", "keep"),
    "drawn and played": ({"phase": "drawn", "drawn": "r-7"}, {}, "Play it, or keep it?", "p", "play"),
    "name": ({"target": "wild", "phase": "name", "hands": [["r-7"], HIDDEN]}, {}, "Name the colour", "blue", "name-b"),
    "call": ({"phase": "call", "hands": [["r-7"], HIDDEN]}, {"uno_call": "decision"}, "one card left", "u", "uno"),
    "catch": (
        {"phase": "catch", "turn": 1, "hands": [["r-7"], ["y-9"]]},
        {"uno_call": "decision"},
        "did not call Uno",
        "catch",
        "catch",
    ),
    "swap": (
        {"phase": "swap", "target": "r-7", "hands": [["r-1"], HIDDEN]},
        {"seven_zero": True},
        "with whom",
        "1",
        "swap-1",
    ),
}


@pytest.mark.parametrize("phase", PHASES)
def test_every_decision_is_explained(phase: str) -> None:
    changes, options, sentence, text, action = PHASES[phase]
    view = view_of(changes, **options)
    human, screen = seated("?", text)
    assert view.game.text(human.act(view)) == action
    assert sentence in " ".join(screen.getvalue().split())


def test_stacking_is_explained() -> None:
    changes = {
        "target": "r-draw_2",
        "turn": 1,
        "phase": "penalty",
        "pending": 2,
        "hands": [["b-draw_2", "r-1"], HIDDEN],
    }
    human, screen = seated("b +2")
    view = view_of(changes, stacking=True)
    assert view.game.text(human.act(view)) == "b-draw_2"
    assert "of the same kind on top" in " ".join(screen.getvalue().split())


def test_one_choice_needs_only_enter() -> None:
    view = (
        kibitz.make("uno", players=2, rules="rlcard")
        .from_position(position(rules="rlcard", hands=[["g-1", "b-2"], HIDDEN]))
        .view(0)
    )
    human, screen = seated("")
    assert view.game.text(human.act(view)) == "draw"
    assert "you have to draw" in screen.getvalue()


def played(game: Any, moves: list[str], seat: int, *, watch: bool) -> tuple[str, Any]:
    """What the human in `seat` is told about these moves, and the state after them."""
    human, screen = seated()
    human.names = [f"P{i}" for i in range(game.players)]
    state = game.from_position(position())
    if watch:
        human.watch(state.view(seat))
    for move in moves:
        state.apply(game.parse(move))
        if watch:
            human.watch(state.view(seat))
    human.tell(state.view(seat))
    return screen.getvalue(), state


def test_the_log_tells_what_others_did_and_what_came_of_it() -> None:
    game = kibitz.make("uno", players=2)
    told, state = played(game, ["r-draw_2", "r-7"], 1, watch=True)
    opening, first, second = " ".join(told.split()).replace(" P0 plays", "\nP0 plays").splitlines()
    assert opening == "Turned up R 5 . P0 begins."
    assert first.startswith("P0 plays R +2 ; you draw 2 ")
    assert "and lose the turn (P0: 6 cards, You: 5 cards) You drew " in first
    assert second == "P0 plays R 7 (P0: 5 cards)"
    drawn = [card for card in game.position(state)["hands"][1] if card not in HIDDEN]
    assert drawn
    assert all(human_uno.face(card) in first for card in drawn)  # one's own new cards are shown
    # The other way round they are not.
    told, _ = played(game, ["r-draw_2", "r-7"], 0, watch=True)
    assert told.splitlines()[1] == "You play  R +2 ; P1 draws 2 and loses the turn  (You: 6 cards, P1: 5 cards)"


def test_the_log_without_watching_has_the_plain_moves() -> None:
    told, _ = played(kibitz.make("uno", players=2), ["b-wild", "draw"], 0, watch=False)
    assert told.splitlines() == ["You play  B WILD ", "P1 draws"]


def test_the_log_tells_only_what_is_new() -> None:
    game = kibitz.make("uno", players=2)
    human, screen = seated("r7", "/log", "draw")
    state = game.from_position(position())
    state.apply(human.act(state.view(0)))
    state.apply(game.parse("draw"))
    state.apply(game.parse("keep"))
    screen.truncate(0)
    human.act(state.view(0))
    lines = [line.strip("\0> ") for line in screen.getvalue().splitlines()]
    assert lines[:3] == ["You play  R 7", "seat 1 draws", "seat 1 keeps the drawn card"]
    again = [line.strip("> ") for line in lines[3:] if "draws" in line]
    assert again == ["seat 1 draws"]  # once more for the log


OPTIONS: list[dict[str, Any]] = [
    {},
    {"rules": "rlcard"},
    {"uno_call": "decision"},
    {"stacking": True, "seven_zero": True, "draw_until": True},
    {"scoring": "points", "opening_wild": "back"},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("players", [2, 4])
def test_whole_games(options: dict[str, Any], players: int) -> None:
    """Whatever happens at the table is drawn, told and typed without a failure, and nothing hidden is shown."""
    game = kibitz.make("uno", players=players, **options)
    for seed in range(2):
        table = Table.set_up(game, [kibitz.agent("rules") for _ in range(players - 1)], seed % players)
        table.use(Console(file=io.StringIO(), width=100, highlight=False), random_fingers(seed))
        payoffs = table.deal(Seeds(seed), 0)
        assert sum(payoffs) == pytest.approx(0) or options.get("rules") == "rlcard"


def random_fingers(seed: int) -> Callable[[str], str]:
    chance = random.Random(seed)
    return lambda prompt: str(chance.randint(1, 8))


def test_any_game_can_be_played() -> None:
    game = ToyGame(players=3)
    table = Table.set_up(game, [kibitz.agent("random"), kibitz.agent("random")], 0)
    screen = io.StringIO()
    script = iter(["x", "f"])
    table.use(Console(file=screen, width=100), lambda prompt: next(script))
    table.deal(Seeds(0), 0)
    assert "'x' is nothing you can do now." in screen.getvalue()
    assert "1 fold  2 stay" in screen.getvalue()
    assert "You: fold" in screen.getvalue()


class Digits(Painter):
    """Actions called by numbers, as columns are."""

    def text(self, action: int) -> str:
        return str(action * 10)


def test_actions_that_are_called_by_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    view = ToyGame(players=2).deal(0).view(0)
    human, screen = seated("1", "10")
    monkeypatch.setattr(human, "painter", lambda view: Digits(view.game, [], 80))
    assert human.act(view) == 1  # "1" is the beginning of "10" and of nothing else
    human, screen = seated("2", "10")
    monkeypatch.setattr(human, "painter", lambda view: Digits(view.game, [], 80))
    assert human.act(view) == 1  # not the second choice: texts come before numbers
    assert "0  10  (? explains, /help)" in screen.getvalue()


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (["r-7", "r-9", "wild_draw_4", "g-1"], "with success: P0 bluffed and held a red card; P0 draws 4"),
        (["g-7", "g-9", "wild_draw_4", "b-1"], "in vain: P0 held no red card; you draw 6 and lose the turn"),
    ],
)
def test_whether_a_challenge_succeeded_is_told(held: list[str], said: str) -> None:
    game = kibitz.make("uno", players=2)
    human, screen = seated()
    human.names = ["P0", "P1"]
    state = game.from_position(position(hands=[held, HIDDEN]))
    human.watch(state.view(1))
    for move in ("b-wild_draw_4", "challenge"):
        state.apply(game.parse(move))
        human.watch(state.view(1))
    human.tell(state.view(1))
    assert f"You challenge {said}" in " ".join(screen.getvalue().split())


@pytest.mark.parametrize("command", [command.name for command in commands.COMMANDS])
def test_commands_can_never_be_moves(command: str) -> None:
    for name in kibitz.games():
        if name == "gdl":
            continue
        game = kibitz.make(name)
        with pytest.raises(ValueError, match=command):
            game.parse(f"/{command}")
    for start in range(1, len(command) + 1):
        found = [other.name for other in commands.COMMANDS if other.name.startswith(command[:start])]
        if len(found) == 1:
            assert commands.find(command[:start]).name == command
        elif command[:start] not in found:
            with pytest.raises(ValueError, match="can mean"):
                commands.find(command[:start])
