"""What tests of Q-tables share."""

from __future__ import annotations

import numpy as np

from kibitz.learn import q_table


def entries(trained: q_table.Trained, seat: int) -> dict[int, float]:
    size = trained.learner.size(seat)
    keys, values, visits = np.zeros(size, np.uint64), np.zeros(size), np.zeros(size, np.uint64)
    trained.learner.save(seat, keys, values, visits)
    assert (visits > 0).all()
    return {int(key): float(value) for key, value in zip(keys, values, strict=True)}


def train_and_gather(settings: q_table.Settings) -> tuple[q_table.Trained, q_table.Chunk]:
    """With the payoffs of all matches."""
    chunks: list[q_table.Chunk] = []
    trained = q_table.train(settings, on_chunk=chunks.append)
    return trained, q_table.Chunk(0, np.concatenate([chunk.payoffs for chunk in chunks]))
