"""The games of tests/sheets once more, in plain Python and as simply as possible, to compare rulesheets with.

All have the same form: `legal()` has a set of moves per role, `play(moves)` takes one of each, `over` and `goals` say
how it stands. Written from the rules of the games, not from the rulesheets.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from itertools import product

Cell = tuple[int, int]
Moves = list[set[str]]

EIGHT = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
BOARD = [(x, y) for x in range(1, 9) for y in range(1, 9)]
JUMPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]


def move(name: str, *cells: Iterable[object]) -> str:
    return f"({name} {' '.join(str(part) for cell in cells for part in cell)})"


def numbers(text: str) -> list[int]:
    return [int(part) for part in text.strip("()").split()[1:]]


class TurnTaking(ABC):
    """Two players in turn; who is not to move has the move `noop`."""

    turn = 0

    @abstractmethod
    def moves(self) -> set[str]: ...

    @abstractmethod
    def do(self, text: str) -> None: ...

    def legal(self) -> Moves:
        out: Moves = [{"noop"}, {"noop"}]
        out[self.turn] = self.moves()
        return out

    def play(self, moves: list[str]) -> None:
        self.do(moves[self.turn])
        self.turn = 1 - self.turn


class Breakthrough(TurnTaking):
    def __init__(self) -> None:
        self.cells = {(x, y): 0 if y < 3 else 1 for x in range(1, 9) for y in (1, 2, 7, 8)}

    def moves(self) -> set[str]:
        out = set()
        for (x, y), owner in self.cells.items():
            for u in (x - 1, x, x + 1):
                to = u, y + (1 if owner == 0 else -1)
                there = self.cells.get(to)
                if owner == self.turn and to in BOARD and (there is None or (u != x and there != owner)):
                    out.add(move("move", (x, y), to))
        return out

    def do(self, text: str) -> None:
        x, y, u, v = numbers(text)
        self.cells[u, v] = self.cells.pop((x, y))

    @property
    def winner(self) -> int | None:
        for player, last in ((0, 8), (1, 1)):
            if any(owner == player and y == last for (_, y), owner in self.cells.items()):
                return player
            if 1 - player not in self.cells.values():
                return player
        return None

    @property
    def over(self) -> bool:
        return self.winner is not None

    @property
    def goals(self) -> list[int]:
        return [100, 0] if self.winner == 0 else [0, 100]


class Othello(TurnTaking):
    def __init__(self) -> None:
        self.cells = {(4, 4): 1, (5, 5): 1, (4, 5): 0, (5, 4): 0}

    def flips(self, at: Cell, player: int) -> list[Cell]:
        out: list[Cell] = []
        for a, b in EIGHT:
            line: list[Cell] = []
            x, y = at[0] + a, at[1] + b
            while self.cells.get((x, y)) == 1 - player:
                line.append((x, y))
                x, y = x + a, y + b
            if self.cells.get((x, y)) == player:
                out += line
        return out

    def puts(self, player: int) -> set[str]:
        return {move("put", at) for at in BOARD if at not in self.cells and self.flips(at, player)}

    def moves(self) -> set[str]:
        return self.puts(self.turn) or {"pass"}

    def do(self, text: str) -> None:
        if text != "pass":
            x, y = numbers(text)
            for cell in [*self.flips((x, y), self.turn), (x, y)]:
                self.cells[cell] = self.turn

    @property
    def over(self) -> bool:
        return not self.puts(0) and not self.puts(1)

    @property
    def goals(self) -> list[int]:
        more = sum(1 if owner == 0 else -1 for owner in self.cells.values())
        return [50 + 50 * ((more > 0) - (more < 0)), 50 - 50 * ((more > 0) - (more < 0))]


class Amazons(TurnTaking):
    def __init__(self) -> None:
        self.queens = [{(3, 1), (6, 1), (1, 3), (8, 3)}, {(3, 8), (6, 8), (1, 6), (8, 6)}]
        self.arrows: set[Cell] = set()

    def reach(self, at: Cell, left: Cell | None) -> Iterator[Cell]:
        full = (self.arrows | self.queens[0] | self.queens[1]) - {left}
        for a, b in EIGHT:
            x, y = at[0] + a, at[1] + b
            while (x, y) in BOARD and (x, y) not in full:
                yield x, y
                x, y = x + a, y + b

    def moves(self) -> set[str]:
        queens = self.queens[self.turn]
        ways = ((queen, to) for queen in queens for to in self.reach(queen, None))
        return {move("shoot", queen, to, hit) for queen, to in ways for hit in self.reach(to, queen)}

    def do(self, text: str) -> None:
        x, y, u, v, a, b = numbers(text)
        self.queens[self.turn] ^= {(x, y), (u, v)}
        self.arrows.add((a, b))

    @property
    def over(self) -> bool:
        return not self.moves()

    @property
    def goals(self) -> list[int]:
        return [100 * (self.turn == 1), 100 * (self.turn == 0)]


class Chess(TurnTaking):
    BACK = ("rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook")
    STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
    ASLANT = ((1, 1), (1, -1), (-1, -1), (-1, 1))

    def __init__(self) -> None:
        self.played = 0
        self.cells: dict[Cell, tuple[int, str]] = {}
        for x, piece in enumerate(self.BACK, 1):
            self.cells |= {(x, 1): (0, piece), (x, 2): (0, "pawn"), (x, 7): (1, "pawn"), (x, 8): (1, piece)}

    def targets(self, at: Cell) -> Iterator[Cell]:
        player, kind = self.cells[at]
        x, y = at
        if kind == "pawn":
            ahead = 1 if player == 0 else -1
            yield from ((u, y + ahead) for u in (x - 1, x + 1) if self.owner((u, y + ahead)) == 1 - player)
            for v in (y + ahead, y + 2 * ahead)[: 2 if y == (2 if player == 0 else 7) else 1]:
                if (x, v) in self.cells:
                    break
                yield x, v
            return
        ways: dict[str, Iterable[Cell]] = {"rook": self.STRAIGHT, "bishop": self.ASLANT, "knight": JUMPS}
        for a, b in ways.get(kind, EIGHT):
            for far in range(1, 2 if kind in ("knight", "king") else 8):
                to = x + far * a, y + far * b
                if to not in BOARD or self.owner(to) == player:
                    break
                yield to
                if to in self.cells:
                    break

    def owner(self, at: Cell) -> int | None:
        return self.cells[at][0] if at in self.cells else None

    def checked(self, player: int) -> bool:
        king = next(at for at, piece in self.cells.items() if piece == (player, "king"))
        return any(king in self.targets(at) for at, piece in self.cells.items() if piece[0] != player)

    def moves(self) -> set[str]:
        out = set()
        for at in [at for at, piece in self.cells.items() if piece[0] == self.turn]:
            for to in list(self.targets(at)):
                before = dict(self.cells)
                self.cells[to] = self.cells.pop(at)
                if not self.checked(self.turn):
                    out.add(move("move", at, to))
                self.cells = before
        return out

    def do(self, text: str) -> None:
        x, y, u, v = numbers(text)
        piece = self.cells.pop((x, y))
        self.cells[u, v] = (piece[0], "queen") if piece[1] == "pawn" and v in (1, 8) else piece
        self.played += 1

    @property
    def over(self) -> bool:
        return self.played == 100 or not self.moves()

    @property
    def goals(self) -> list[int]:
        if self.moves() or not self.checked(self.turn):
            return [50, 50]
        return [100 * (self.turn == 1), 100 * (self.turn == 0)]


class Checkers(TurnTaking):
    def __init__(self) -> None:
        self.played, self.bound = 0, (0, 0)
        dark = [(x, y) for x, y in BOARD if x % 2 == y % 2]
        self.cells = {(x, y): (0 if y < 4 else 1, False) for x, y in dark if y not in (4, 5)}  # owner, king

    def jumps(self, at: Cell) -> Iterator[tuple[Cell, Cell]]:
        player, king = self.cells[at]
        for a, b in product((-1, 1), repeat=2):
            over, to = (at[0] + a, at[1] + b), (at[0] + 2 * a, at[1] + 2 * b)
            there = self.cells.get(over)
            ahead = king or b == (1 if player == 0 else -1)
            if ahead and there is not None and there[0] != player and to in BOARD and to not in self.cells:
                yield over, to

    def moves(self) -> set[str]:
        mine = [at for at, piece in self.cells.items() if piece[0] == self.turn]
        if self.bound in self.cells:
            mine = [self.bound]
        takes = {move("take", at, to) for at in mine for _, to in self.jumps(at)}
        if takes:
            return takes
        out = set()
        for x, y in mine:
            for a, b in product((-1, 1), repeat=2):
                to, ahead = (x + a, y + b), b == (1 if self.turn == 0 else -1)
                if (ahead or self.cells[x, y][1]) and to in BOARD and to not in self.cells:
                    out.add(move("go", (x, y), to))
        return out

    def do(self, text: str) -> None:
        x, y, u, v = numbers(text)
        player, king = self.cells.pop((x, y))
        crowned = not king and v == (8 if player == 0 else 1)
        self.cells[u, v] = player, king or crowned
        self.played += 1
        self.bound = (0, 0)
        if text.startswith("(take"):
            del self.cells[(x + u) // 2, (y + v) // 2]
            if not crowned and any(self.jumps((u, v))):
                self.bound = u, v
                self.turn = 1 - self.turn  # and once more by `play`: the same player goes on

    @property
    def over(self) -> bool:
        return self.played == 100 or not self.moves()

    @property
    def goals(self) -> list[int]:
        return [50, 50] if self.moves() else [100 * (self.turn == 1), 100 * (self.turn == 0)]


class Pentago(TurnTaking):
    def __init__(self) -> None:
        self.marbles: dict[tuple[int, int, int], int] = {}
        self.placing = True

    def moves(self) -> set[str]:
        if not self.placing:
            return {f"(turn {q} {way})" for q in range(1, 5) for way in ("left", "right")}
        return {move("place", at) for at in product(range(1, 5), range(1, 4), range(1, 4)) if at not in self.marbles}

    def do(self, text: str) -> None:
        if self.placing:
            q, x, y = numbers(text)
            self.marbles[q, x, y] = self.turn
            self.turn = 1 - self.turn  # it goes on with turning
        else:
            quarter, way = text.strip("()").split()[1:]
            turned = {}
            for (q, x, y), owner in self.marbles.items():
                if q != int(quarter):
                    turned[q, x, y] = owner
                else:
                    turned[(q, 4 - y, x) if way == "left" else (q, y, 4 - x)] = owner
            self.marbles = turned
        self.placing = not self.placing

    def five(self, player: int) -> bool:
        whole = {
            (x + 3 * ((q - 1) % 2), y + 3 * ((q - 1) // 2)) for (q, x, y), o in self.marbles.items() if o == player
        }
        return any(
            all((x + k * a, y + k * b) in whole for k in range(5))
            for x, y in whole
            for a, b in ((1, 0), (0, 1), (1, 1), (1, -1))
        )

    @property
    def over(self) -> bool:
        return self.five(0) or self.five(1) or (self.placing and len(self.marbles) == 36)

    @property
    def goals(self) -> list[int]:
        difference = self.five(0) - self.five(1)
        return [50 + 50 * difference, 50 - 50 * difference]


class Nim(TurnTaking):
    def __init__(self) -> None:
        self.heaps = {"a": 200, "b": 120, "c": 3}

    def moves(self) -> set[str]:
        return {f"(reduce {heap} {m})" for heap, n in self.heaps.items() for m in range(n)}

    def do(self, text: str) -> None:
        heap, left = text.strip("()").split()[1:]
        self.heaps[heap] = int(left)

    @property
    def over(self) -> bool:
        return not any(self.heaps.values())

    @property
    def goals(self) -> list[int]:
        return [100 * (self.turn == 1), 100 * (self.turn == 0)]


class ChineseCheckers:
    """On coordinates; the rulesheet has names of holes, in the order of their rows."""

    ACROSS = (3, 4, 5, 0, 1, 2)
    TIPS: tuple[Callable[[int, int], bool], ...] = (
        lambda q, r: r < -2,
        lambda q, r: q > 2,
        lambda q, r: q + r > 2,
        lambda q, r: r > 2,
        lambda q, r: q < -2,
        lambda q, r: q + r < -2,
    )

    def __init__(self) -> None:
        around = range(-4, 5)
        points = [(q, r, -q - r) for r in around for q in around]
        star = [(q, r) for q, r, s in points if max(q, r, s) <= 2 or min(q, r, s) >= -2]
        self.names = {hole: f"h{i}" for i, hole in enumerate(star, 1)}
        self.holes = {name: hole for hole, name in self.names.items()}
        self.homes = [{hole for hole in star if tip(*hole)} for tip in self.TIPS]
        self.men = [set(home) for home in self.homes]
        self.played = 0

    def hops(self, start: Cell) -> set[Cell]:
        full = set().union(*self.men)
        reached: set[Cell] = set()
        waiting = [start]
        while waiting:
            q, r = waiting.pop()
            for a, b in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)):
                to = q + 2 * a, r + 2 * b
                if (q + a, r + b) in full and to in self.names and to not in full | reached:
                    reached.add(to)
                    waiting.append(to)
        return reached

    def legal(self) -> Moves:
        full = set().union(*self.men)
        out: Moves = [{"noop"} for _ in self.men]
        mine = {"stay"}
        for q, r in self.men[self.played % 6]:
            steps = {(q + a, r + b) for a, b in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))}
            targets = {to for to in steps if to in self.names and to not in full} | self.hops((q, r))
            mine |= {f"(go {self.names[q, r]} {self.names[to]})" for to in targets}
        out[self.played % 6] = mine
        return out

    def play(self, moves: list[str]) -> None:
        text = moves[self.played % 6]
        if text != "stay":
            start, end = text.strip("()").split()[1:]
            self.men[self.played % 6] ^= {self.holes[start], self.holes[end]}
        self.played += 1

    @property
    def arrived(self) -> list[bool]:
        return [self.men[i] == self.homes[self.ACROSS[i]] for i in range(6)]

    @property
    def over(self) -> bool:
        return self.played == 60 or any(self.arrived)

    @property
    def goals(self) -> list[int]:
        return [100 * there for there in self.arrived] if any(self.arrived) else [20] * 6
