"""Every table, figure and claim of the five papers, in the paper's order, with the experiment that answers it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """A place in a paper. It has experiments, or a reason why there is none."""

    place: str
    experiments: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Paper:
    name: str  # as in PAPER/NAME of an experiment
    title: str
    items: tuple[Item, ...]


def _item(place: str, *experiments: str, reason: str = "") -> Item:
    return Item(place, experiments, reason)


_DESCRIBES = "describes the set-up, nothing is measured"
_DRAWING = "an illustration, nothing is measured"

PAPERS = (
    Paper(
        "li",
        "Li et al.: Double Deep Q-Learning with Monte Carlo Tree Search for Uno",
        (
            _item("Table I, special cards", reason=f"{_DESCRIBES}; the rules are tested"),
            _item("Fig. 1, the cards", reason=_DRAWING),
            _item("Fig. 2, how long games last", "li/fig2"),
            _item("Fig. 3, a small decision process", reason=_DRAWING),
            _item("III, overestimation (claimed, not measured there)", "li/overestimation"),
            _item("Table II and Fig. 4, encodings of actions and hands", reason=f"{_DESCRIBES}; the encoder is tested"),
            _item("Fig. 5, the search of one player", reason=_DRAWING),
            _item("Fig. 6 and 7 (a-c), training with three players", "li/fig6"),
            _item("Fig. 6 and 7 (d-f), training with four players", "li/fig7"),
            _item("what the parts of the method are worth (not in the paper)", "li/ablation"),
            _item("Table III, three players", "li/table3"),
            _item("Table IV, four players", "li/table4"),
            _item("IV.A, 54% against people (counts games of people at the table)", "li/human"),
            _item("IV.A, what the agents have learnt", "li/knowledge"),
            _item("Fig. 8, the window", reason="the table in the browser, `kibitz`"),
        ),
    ),
    Paper(
        "brown",
        "Brown, Jasson and Swarnakar: learning to play Uno",
        (
            _item("Tables 1 and 2, cards and state", reason=f"{_DESCRIBES}; the encoder is tested"),
            _item("Figure 1, the network", reason=_DESCRIBES),
            _item("the choice of settings", "brown/grid"),
            _item("Figure 2, training of DQN", "brown/fig2"),
            _item("Figure 3, training of DeepSARSA", "brown/fig3"),
            _item("Table 3, against random players", "brown/table3"),
            _item("Table 4, all at one table", "brown/table4"),
        ),
    ),
    Paper(
        "wang",
        "Wang, Emmerich and Plaat: Monte Carlo Q-learning for general game playing",
        (
            _item("Fig. 1, fixed and decreasing ε", "wang/fig1"),
            _item("Fig. 2, Q-learning and TD(λ)", "wang/fig2"),
            _item("Fig. 3, by the length of learning", "wang/fig3"),
            _item("Fig. 4, convergence", "wang/fig4"),
            _item("Fig. 5, Hex", "wang/fig5"),
            _item("Fig. 6, Connect Four", "wang/fig6"),
            _item("Fig. 7, larger boards", "wang/fig7"),
            _item("Fig. 8, QMPlayer and QPlayer", "wang/fig8"),
            _item("Fig. 9, convergence of both", "wang/fig9"),
            _item("the search's 50 ms", "wang/budget"),
            _item("Table 1, the players against each other", "wang/table1"),
            _item("the exploration of MCTS in Table 1", "wang/exploration"),
        ),
    ),
    Paper(
        "olech",
        "Olech et al.: Monte Carlo tree search for Belote",
        (
            _item("Table 1, 12 cards", "olech/table1"),
            _item("Table 2, 32 cards", "olech/table2"),
            _item("Algorithm 2, 4.3 and 5.1: choices tried both ways", "olech/choices"),
        ),
    ),
    Paper(
        "whitehouse",
        "Whitehouse, Powley and Cowling: determinization and information set MCTS for Dou Di Zhu",
        (
            _item("Fig. 1 and 2, trees and pseudocode", reason=_DRAWING),
            _item("Table 1, the worth of cheating", "whitehouse/table1"),
            _item("Fig. 3, exact methods for Mini Dou Di Zhu", "whitehouse/fig3"),
            _item("information set UCT for Mini Dou Di Zhu", "whitehouse/mini-ismcts"),
            _item("iterations, exploration, branching", "whitehouse/sweeps"),
            _item("Table 2, information set UCT where cheating helps", "whitehouse/table2"),
            _item("40 trees of 250 (is that enough?)", "whitehouse/determinizations"),
            _item("millions of states in an information set", "whitehouse/sets"),
            _item("later work: several observers, inference", "whitehouse/wishes"),
        ),
    ),
)
