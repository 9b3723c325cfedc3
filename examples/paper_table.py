"""A paper's table by one call: the length of Uno games of Li's Figure 2, a hundredth of its games."""

import tempfile
from pathlib import Path

from kibitz.experiments import reproduce


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = reproduce("li/fig2", out=Path(folder), scale=0.01, seed=1)
        assert report is not None
        for row in report.rows:
            figure, paper, ours, games, interval = row.cells()
            print(f"{figure}: paper {paper or '-'}, ours {ours} ({interval or 'no interval'}), {games} games")
        print(report.note)


if __name__ == "__main__":
    main()
