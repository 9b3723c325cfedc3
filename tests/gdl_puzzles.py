"""More of what gdl_reference has: games for one, and games in which both move at the same time."""

from __future__ import annotations

from itertools import product

from gdl_reference import BOARD, EIGHT, JUMPS, Cell, Moves, move, numbers


class PegSolitaire:
    def __init__(self) -> None:
        self.holes = {(x, y) for x in range(1, 8) for y in range(1, 8) if 3 <= x <= 5 or 3 <= y <= 5}
        self.pegs = self.holes - {(4, 4)}

    def legal(self) -> Moves:
        out = set()
        for x, y in self.pegs:
            for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                to = x + 2 * a, y + 2 * b
                if (x + a, y + b) in self.pegs and to in self.holes - self.pegs:
                    out.add(move("jump", (x, y), to))
        return [out]

    def play(self, moves: list[str]) -> None:
        x, y, u, v = numbers(moves[0])
        self.pegs ^= {(x, y), ((x + u) // 2, (y + v) // 2), (u, v)}

    @property
    def over(self) -> bool:
        return not self.legal()[0]

    @property
    def goals(self) -> list[int]:
        return [0 if len(self.pegs) > 1 else 100 if (4, 4) in self.pegs else 50]


class EightPuzzle:
    def __init__(self) -> None:
        self.tiles = [8, 7, 6, 5, 4, 3, 2, 1, 0]
        self.steps = 0

    def legal(self) -> Moves:
        row, column = divmod(self.tiles.index(0), 3)
        beside = ((row + a, column + b) for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1)))
        return [{f"(push (place (row {r + 1}) (column {c + 1})))" for r, c in beside if {r, c} <= {0, 1, 2}}]

    def play(self, moves: list[str]) -> None:
        row, column = (int(c) - 1 for c in moves[0] if c.isdigit())
        gap, at = self.tiles.index(0), 3 * row + column
        self.tiles[gap], self.tiles[at] = self.tiles[at], 0
        self.steps += 1

    @property
    def over(self) -> bool:
        return self.steps == 60 or self.goals == [100]

    @property
    def goals(self) -> list[int]:
        return [100 if self.tiles == [1, 2, 3, 4, 5, 6, 7, 8, 0] else 0]


class Sudoku:
    GRID = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"

    def __init__(self) -> None:
        self.cells = {(i % 9 + 1, 9 - i // 9): int(d) for i, d in enumerate(self.GRID) if d != "0"}

    def legal(self) -> Moves:
        out = set()
        for x, y in product(range(1, 10), repeat=2):
            seen = {d for (u, v), d in self.cells.items() if u == x or v == y or self.box(u, v) == self.box(x, y)}
            if (x, y) not in self.cells:
                out |= {f"(write {x} {y} {d})" for d in range(1, 10) if d not in seen}
        return [out]

    @staticmethod
    def box(x: int, y: int) -> Cell:
        return (x - 1) // 3, (y - 1) // 3

    def play(self, moves: list[str]) -> None:
        x, y, d = numbers(moves[0])
        self.cells[x, y] = d

    @property
    def over(self) -> bool:
        return not self.legal()[0]

    @property
    def goals(self) -> list[int]:
        return [100 * (len(self.cells) == 81)]


class LightsOut:
    def __init__(self) -> None:
        self.lit = {(1, 1), (3, 2), (3, 3), (3, 4), (5, 5), (2, 3), (4, 3)}
        self.steps = 0
        self.side = list(product(range(1, 6), repeat=2))

    def legal(self) -> Moves:
        return [{move("press", at) for at in self.side}]

    def play(self, moves: list[str]) -> None:
        x, y = numbers(moves[0])
        self.lit ^= {(x, y), (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & set(self.side)
        self.steps += 1

    @property
    def over(self) -> bool:
        return not self.lit or self.steps == 20

    @property
    def goals(self) -> list[int]:
        return [0 if self.lit else 100]


class KnightsTour:
    def __init__(self) -> None:
        self.way = [(1, 1)]

    def legal(self) -> Moves:
        x, y = self.way[-1]
        to = ((x + a, y + b) for a, b in JUMPS)
        return [{f"(to {'abcdefgh'[u - 1]} |{v}|)" for u, v in to if (u, v) in BOARD and (u, v) not in self.way}]

    def play(self, moves: list[str]) -> None:
        file, rank = moves[0].strip("()").split()[1:]
        self.way.append(("abcdefgh".index(file) + 1, int(rank.strip("|"))))

    @property
    def over(self) -> bool:
        return not self.legal()[0]

    @property
    def goals(self) -> list[int]:
        return [100 if len(self.way) == 64 else len(self.way) // 16 * 25]


class BiddingTicTacToe:
    def __init__(self) -> None:
        self.coins, self.tiebreak, self.marker = [3, 3], 0, -1
        self.cells: dict[str, int] = {}

    def legal(self) -> Moves:
        if self.marker < 0:
            return [{f"(bid {n})" for n in range(coins + 1)} for coins in self.coins]
        out: Moves = [{"wait"}, {"wait"}]
        out[self.marker] = {f"(mark {m} {n})" for m, n in product("abc", repeat=2) if m + n not in self.cells}
        return out

    def play(self, moves: list[str]) -> None:
        if self.marker >= 0:
            self.cells[moves[self.marker][6] + moves[self.marker][8]] = self.marker
            self.marker = -1
            return
        bids = [numbers(text)[0] for text in moves]
        tie = bids[0] == bids[1]
        self.marker = self.tiebreak if tie else int(bids[1] > bids[0])
        self.coins[self.marker] -= bids[self.marker]
        self.coins[1 - self.marker] += bids[self.marker]
        self.tiebreak ^= tie

    def line(self, player: int) -> bool:
        lines = ["aa ab ac", "ba bb bc", "ca cb cc", "aa ba ca", "ab bb cb", "ac bc cc", "aa bb cc", "ac bb ca"]
        return any(all(self.cells.get(cell) == player for cell in line.split()) for line in lines)

    @property
    def over(self) -> bool:
        return self.line(0) or self.line(1) or len(self.cells) == 9

    @property
    def goals(self) -> list[int]:
        return [50 + 50 * (self.line(0) - self.line(1)), 50 + 50 * (self.line(1) - self.line(0))]


class Blocker:
    def __init__(self) -> None:
        self.bridge: set[Cell] = set()
        self.stones: set[Cell] = set()

    def legal(self) -> Moves:
        free = {move("mark", at) for at in product(range(1, 5), repeat=2) if at not in self.bridge | self.stones}
        return [set(free), set(free)]

    def play(self, moves: list[str]) -> None:
        crossing, blocking = ((numbers(text)[0], numbers(text)[1]) for text in moves)
        self.stones.add(blocking)
        if crossing != blocking:
            self.bridge.add(crossing)

    @property
    def across(self) -> bool:
        reached = {at for at in self.bridge if at[0] == 1}
        waiting = list(reached)
        while waiting:
            x, y = waiting.pop()
            more = {(x + a, y + b) for a, b in EIGHT} & self.bridge - reached
            reached |= more
            waiting += more
        return any(x == 4 for x, _ in reached)

    @property
    def over(self) -> bool:
        return self.across or len(self.bridge | self.stones) == 16

    @property
    def goals(self) -> list[int]:
        return [100, 0] if self.across else [0, 100]


class Corridor:
    def __init__(self) -> None:
        self.at, self.left, self.time = [(2, 1), (2, 1)], [3, 3], 0
        self.walls: list[set[Cell]] = [set(), set()]

    def legal(self) -> Moves:
        out: Moves = []
        for me, (x, y) in enumerate(self.at):
            steps = {(x - 1, y), (x + 1, y), (x, y + 1)} - self.walls[me]
            mine = {move("go", to) for to in steps if 1 <= to[0] <= 3 and to[1] <= 5}
            row = self.at[1 - me][1] + 1
            walls = {wall for wall in self.walls[1 - me] if wall[1] == row}
            if self.left[me] and row <= 5 and len(walls) < 2:
                mine |= {move("build", (c, row)) for c in (1, 2, 3) if (c, row) not in walls}
            out.append(mine | {"rest"})
        return out

    def play(self, moves: list[str]) -> None:
        self.time += 1
        for me, text in enumerate(moves):
            if text.startswith("(go"):
                self.at[me] = numbers(text)[0], numbers(text)[1]
            elif text != "rest":
                self.walls[1 - me].add((numbers(text)[0], numbers(text)[1]))
                self.left[me] -= 1

    @property
    def over(self) -> bool:
        return self.time == 20 or any(y == 5 for _, y in self.at)

    @property
    def goals(self) -> list[int]:
        home = [y == 5 for _, y in self.at]
        return [50, 50] if all(home) else [100 * mine for mine in home]
