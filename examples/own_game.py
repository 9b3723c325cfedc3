"""A new game in plain Python, and everything that then plays it: matches, searches, the checker of the contract.

Nim with a secret: two players take one to three stones from a heap in turn. The one who takes the last stone wins the
stake, which only the first player knows.
"""

import random
from dataclasses import dataclass, field

import kibitz

HEAP, STAKES = 7, (1.0, 2.0)


class SecretNim:
    name, players, num_actions, payoff_range, zero_sum = "secret_nim", 2, 3, (-2.0, 2.0), True

    def deal(self, seed: int = 0) -> "State":
        return State(self, random.Random(seed).choice(STAKES))

    def text(self, action: int) -> str:
        return f"take-{action + 1}"

    def parse(self, text: str) -> int:
        names = [self.text(action) for action in range(self.num_actions)]
        if text not in names:
            raise ValueError(f"unknown action {text!r}; allowed: {', '.join(names)}")
        return names.index(text)


@dataclass
class State:
    """The whole truth."""

    game: SecretNim
    stake: float
    history: list[tuple[int, int]] = field(default_factory=list)

    @property
    def left(self) -> int:
        return HEAP - sum(action + 1 for _, action in self.history)

    @property
    def over(self) -> bool:
        return self.left == 0

    @property
    def to_act(self) -> int:
        return kibitz.OVER if self.over else len(self.history) % 2

    @property
    def payoffs(self) -> list[float]:
        if not self.over:
            return [0.0, 0.0]
        winner = self.history[-1][0]
        return [self.stake if seat == winner else -self.stake for seat in range(2)]

    def legal(self) -> list[int]:
        return list(range(min(3, self.left)))

    def apply(self, action: int) -> None:
        if action not in self.legal():
            raise ValueError(f"illegal action {action}")
        self.history.append((self.to_act, action))

    def copy(self) -> "State":
        return State(self.game, self.stake, list(self.history))

    def view(self, seat: int) -> "View":
        return View(self.game, seat, self.stake if seat == 0 or self.over else None, tuple(self.history))


@dataclass(frozen=True)
class View:
    """What a seat may know: all moves, and the stake if it is the first player's or shown at the end."""

    game: SecretNim
    seat: int
    stake: float | None
    history: tuple[tuple[int, int], ...]

    @property
    def to_act(self) -> int:
        return self.sample(0).to_act

    @property
    def key(self) -> int:
        return hash((self.seat, self.stake, self.history)) % 2**64

    def legal(self) -> list[int]:
        return self.sample(0).legal() if self.to_act == self.seat else []

    def sample(self, seed: int) -> State:
        stake = random.Random(seed).choice(STAKES) if self.stake is None else self.stake
        return State(self.game, stake, list(self.history))


def main() -> None:
    kibitz.register_game("secret_nim", SecretNim)
    game = kibitz.make("secret_nim")
    kibitz.check(game)  # all laws of the contract, over random play; prints what fails
    print(kibitz.play(game, ["ismcts:iterations=200", "random"], games=200, seed=1))


if __name__ == "__main__":
    main()
