"""DDQN with Monte Carlo tree search (Li, Algorithm 2): searched Q values as second target and as shaped rewards."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from kibitz.learn import ddqn
from kibitz.learn.common import nets, run
from kibitz.learn.common.perceptron import Adam
from kibitz.learn.common.replay import Replay, Rows
from kibitz.learn.common.schedules import linear
from kibitz.learn.common.settings import COUNT, REPLAY_RANGES, SEARCH_RANGES, check_room, check_worlds
from kibitz.learn.common.settings import Settings as Common
from kibitz.learn.common.tables import Choice, Group, epsilon_greedy


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """Those of DDQN, and of the search. The paper gives the simulations; c and the worlds are ours."""

    ranges = (
        Common.ranges
        | REPLAY_RANGES
        | SEARCH_RANGES
        | {"target_every": COUNT, "mcts_loss": (0, 1000), "mcts_reward": (0, 1000)}
    )

    replay: int = 20_000  # transitions
    warm_up: int = 1_000  # transitions before the first update
    every: float = 1.0  # transitions per update
    epsilon_start: float = 1.0
    epsilon_end: float = 0.05
    epsilon_steps: int = 100_000  # transitions until epsilon_end
    target_every: int = 1_000  # updates between copies to the target net

    simulations: int = 50  # per decision
    c: float = 0.2  # of Equation 3
    worlds: str = "sampled"  # or "true": in the real state, which peeks at hidden cards while training
    per_world: int = 1  # simulations in each sampled world; more are faster, 1 is exact
    mcts_loss: float = 1.0  # weight of L_mcts; 0 leaves it out
    mcts_reward: float = 1.0  # weight of r_m; 0 leaves it out

    def __post_init__(self) -> None:
        super().__post_init__()
        check_room(self.replay, self.batch)
        check_worlds(self.worlds)


class MctsDDQN(run.Learner):
    method = "mcts-ddqn"
    settings: Settings

    def __init__(self, settings: Settings, group: Group) -> None:
        super().__init__(settings, group)
        self.refuse_ragged(group)
        sizes = [group.features, *settings.hidden, group.actions]
        self.estimator, self.target = self.net(sizes, 0), self.net(sizes, 0)
        self.optimiser = Adam(self.estimator, settings.learning_rate)
        drawn = settings.batch * settings.target_every  # transitions, from one copy to the next
        self.replay = Replay(settings.replay, self.target.evaluate, drawn)
        self.metadata = nets.describe(group.games[0], group.encoder, "q", {}, any_options=group.mixed_options)
        self.player = self.estimator
        self.nets = {"estimator": self.estimator, "target": self.target}
        self.optimisers = {"estimator": self.optimiser}
        self.memories = {"replay": self.replay}
        self.counts["leaves"] = 0  # states that searches asked the net about

    @property
    def epsilon(self) -> float:
        s = self.settings
        return linear(s.epsilon_start, s.epsilon_end, s.epsilon_steps, int(self.counts["transitions"]))

    def act(self, group: Group) -> Choice:
        """Algorithm 1 at all tables, by the estimator as it is now: Q_m [B, A] and r_m [B]; then ε-greedy in Q_m."""
        net, seed = nets.playing(self.estimator, self.metadata), int(self.rng.integers(2**63))
        q, reward, leaves = group.value_search(net, seed, self.settings)
        actions = epsilon_greedy(q, group.mask, self.epsilon, self.rng)
        extra = {"searched": q[range(group.batch), actions], "shaped": reward}
        return Choice(actions, extra, counts={"leaves": leaves})

    def learn(self, rows: Rows) -> list[tuple[float, float]]:
        s = self.settings
        self.replay.add(rows)
        if self.replay.seen < s.warm_up:
            return []
        updates = self.due(len(rows["obs"]), s.every)
        return [self.update(batch) for batch in self.batches(self.replay, updates, s.target_every)]

    def update(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        found = self.gradient(rows)
        self.optimiser.step()
        self.counts["updates"] += 1
        if self.counts["updates"] % self.settings.target_every == 0:
            self.target.take(self.estimator)
            self.replay.renew()
        return found

    def gradient(self, rows: dict[str, Tensor]) -> tuple[float, float]:
        """Leaves the gradient of Equation 6, the mean of (y - Q(s, a))² + (Q_m(s, a) - Q(s, a))², with the estimator,
        where y is DDQN's with the reward r + r_m. Returns this loss and the mean Q(s, a)."""
        s = self.settings
        total = rows["reward"] + s.mcts_reward * rows["shaped"]
        y = ddqn.target(self.estimator, rows | {"reward": total}, s.discount)
        return self.estimator.fit(rows["obs"], rows["action"], [(y, 1.0), (rows["searched"], s.mcts_loss)])


train = run.trainer(MctsDDQN)
