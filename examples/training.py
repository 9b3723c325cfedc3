"""Training: a network learns Tic-Tac-Toe in seconds, and then plays without PyTorch. Needs the extra `train`."""

import tempfile
from pathlib import Path

import kibitz
from kibitz.learn import ddqn


def train(folder: Path, episodes: int = 3_000) -> tuple[float, float]:
    """Shares of games won against random, before and after."""
    settings = ddqn.Settings(
        game="tictactoe",
        players="2",
        hidden=(64,),
        learning_rate=1e-3,
        epsilon_steps=5_000,
        episodes=episodes,
        warm_up=200,
        test_every=500,
        test_games=200,
        tensorboard=False,
    )
    trained = ddqn.train(settings, folder)
    for row in trained.rows:
        print(f"{row['episodes']:>6} games: wins {row['win_rate']:.0%}")
    result = kibitz.play("tictactoe", [f"net:{trained.best}", "random"], games=400, seed=2)
    print(result)
    return trained.rows[0]["win_rate"], result.agents[0].win_rate.mean


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        train(Path(folder) / "run")


if __name__ == "__main__":
    main()
