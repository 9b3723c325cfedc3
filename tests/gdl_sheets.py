"""Small rulesheets of all kinds, each with a line of play in which every legal move, and the goals, are known."""

from __future__ import annotations

from dataclasses import dataclass

Step = tuple[str, str]  # legal moves, separated by two spaces; the one that is played


@dataclass(frozen=True)
class Sheet:
    text: str
    steps: list[Step]
    goals: list[int]


SHEETS: dict[str, Sheet] = {}


def sheet(name: str, text: str, steps: list[Step], goals: list[int]) -> None:
    SHEETS[name] = Sheet(text, steps, goals)


END = "(<= terminal (true done))\n"  # most of them end after one move

sheet(
    "a puzzle with lamps",
    """(role robot)
    (lamp a) (lamp b)
    (init (on b))
    (<= (legal robot (press ?l)) (lamp ?l))
    (<= (next (on ?l)) (does robot (press ?l)) (not (true (on ?l))))
    (<= (next (on ?l)) (true (on ?l)) (not (does robot (press ?l))))
    (<= (next (step 1)) (not (true (step 1))) (not (true (step 2))))
    (<= (next (step 2)) (true (step 1)))
    (<= terminal (true (on a)) (true (on b)))
    (<= terminal (true (step 2)))
    (<= (goal robot 100) (true (on a)) (true (on b)))
    (<= (goal robot 0) (not (true (on a))))""",
    [("(press a)  (press b)", "(press a)")],
    [100],
)
sheet(
    "a maze",
    """(role walker) (init (at start))
    (door start hall) (door hall garden) (door hall cellar) (door cellar hall)
    (<= (legal walker (go ?to)) (true (at ?from)) (door ?from ?to))
    (<= (next (at ?to)) (does walker (go ?to)))
    (<= terminal (true (at garden)))
    (<= (goal walker 100) (true (at garden)))""",
    [
        ("(go hall)", "(go hall)"),
        ("(go cellar)  (go garden)", "(go cellar)"),
        ("(go hall)", "(go hall)"),
        ("(go cellar)  (go garden)", "(go garden)"),
    ],
    [100],
)
sheet(
    "a counter made of functions",
    """(role r) (init (n zero)) (bound zero) (bound (s zero)) (bound (s (s zero)))
    (<= (legal r up) (true (n ?x)) (bound ?x)) (legal r stay)
    (<= (next (n (s ?x))) (true (n ?x)) (does r up) (bound ?x))
    (<= (next (n ?x)) (true (n ?x)) (does r stay))
    (<= terminal (true (n (s (s zero)))))
    (<= (goal r 70) (true (n (s (s zero)))))""",
    [("stay  up", "up"), ("stay  up", "stay"), ("stay  up", "up")],
    [70],
)
sheet(
    "three players in turn",
    """(role a) (role b) (role c) (init (control a)) (after a b) (after b c)
    (item x) (item y) (item z)
    (<= (legal ?p (take ?i)) (true (control ?p)) (item ?i) (not (taken ?i)))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (taken ?i) (true (has ?p ?i)))
    (<= (next (has ?p ?i)) (does ?p (take ?i)))
    (<= (next (has ?p ?i)) (true (has ?p ?i)))
    (<= (next (control ?q)) (true (control ?p)) (after ?p ?q))
    (worth x 10) (worth y 20) (worth z 30)
    (<= terminal (true (has c ?i)))
    (<= (goal ?p ?v) (true (has ?p ?i)) (worth ?i ?v))""",
    [("(take x)  (take y)  (take z)", "(take y)"), ("(take x)  (take z)", "(take z)"), ("(take x)", "(take x)")],
    [20, 30, 10],
)
sheet(
    "rock, paper, scissors",
    """(role left) (role right) (thing rock) (thing paper) (thing scissors)
    (beats rock scissors) (beats scissors paper) (beats paper rock)
    (<= (legal ?p ?t) (role ?p) (thing ?t))
    (<= (next (showed ?p ?t)) (does ?p ?t))
    (<= terminal (true (showed left ?t)))
    (<= (goal ?p 100) (true (showed ?p ?s)) (true (showed ?q ?t)) (beats ?s ?t))
    (<= (goal ?p 0) (true (showed ?p ?s)) (true (showed ?q ?t)) (beats ?t ?s))
    (<= (goal ?p 50) (true (showed ?p ?t)) (true (showed ?q ?t)) (distinct ?p ?q))""",
    [("paper  rock  scissors", "rock"), ("paper  rock  scissors", "paper")],
    [0, 100],
)
sheet(
    "a dilemma, three at once",
    """(role a) (role b) (role c)
    (legal a share) (legal a grab) (legal b share) (legal b grab) (legal c share) (legal c grab)
    (<= (next (did ?p ?m)) (does ?p ?m))
    (<= greedy (true (did ?p grab)))
    (<= terminal (true (did a share))) (<= terminal (true (did a grab)))
    (<= (goal ?p 100) (role ?p) (true (did a share)) (not greedy))
    (<= (goal ?p 60) (true (did ?p grab)))
    (<= (goal ?p 10) (true (did ?p share)) greedy)""",
    [("grab  share", "share"), ("grab  share", "grab"), ("grab  share", "share")],
    [10, 60, 10],
)
sheet(
    "left recursion",
    """(role r) (init (at 1)) (edge 1 2) (edge 2 3) (edge 3 1) (edge 4 1)
    (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))
    (<= (path ?x ?y) (edge ?x ?y))
    (<= (legal r (jump ?y)) (true (at ?x)) (path ?x ?y))
    (<= (next (at ?y)) (does r (jump ?y))) (<= (next done) (true (at ?x)))"""
    + END
    + "(<= (goal r 5) (true (at 3)))",
    [("(jump 1)  (jump 2)  (jump 3)", "(jump 3)")],
    [5],
)
sheet(
    "recursion through itself twice",
    """(role r) (init (link 1 2)) (init (link 2 3)) (init (link 3 4))
    (<= (far ?x ?y) (true (link ?x ?y)))
    (<= (far ?x ?z) (far ?x ?y) (far ?y ?z))
    (<= (legal r (cut ?x ?y)) (true (link ?x ?y)))
    (<= (next (link ?x ?y)) (true (link ?x ?y)) (not (does r (cut ?x ?y))))
    (<= (next done) (does r (cut ?x ?y)))"""
    + END
    + """(<= (goal r 100) (far 1 4)) (<= (goal r 40) (far 1 3) (not (far 1 4))) (<= (goal r 20) (not (far 1 3)))""",
    [("(cut 1 2)  (cut 2 3)  (cut 3 4)", "(cut 3 4)")],
    [40],
)
sheet(
    "deep recursion",
    "(role r) (init (at 0))\n"
    + " ".join(f"(succ {i} {i + 1})" for i in range(200))
    + """(<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))
    (<= (legal r go) (true (at ?x)) (less ?x 200)) (legal r wait)
    (<= (next (at 200)) (does r go)) (<= (next (at 0)) (does r wait)) (next done)"""
    + END
    + "(<= (goal r 33) (true (at ?x)) (not (less ?x 200)))",
    [("go  wait", "go")],
    [33],
)
sheet(
    "recursion of two relations",
    """(role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (even 0) (<= (even ?y) (succ ?x ?y) (odd ?x)) (<= (odd ?y) (succ ?x ?y) (even ?x))
    (<= (legal r (pick ?x)) (odd ?x))
    (<= (next (at ?x)) (does r (pick ?x))) (next done)"""
    + END
    + "(<= (goal r 1) (true (at 1)))",
    [("(pick 1)  (pick 3)", "(pick 1)")],
    [1],
)
sheet(
    "a cycle without a reason",
    """(role r) (legal r go) (legal r stay) (init (p 1))
    (<= chicken egg) (<= egg chicken)
    (<= hen cock (true (p 1))) (<= cock hen)
    (<= (next (went)) (does r go)) (<= (next done) (does r ?x))"""
    + END
    + "(<= (goal r 100) (not chicken) (not hen)) (<= (goal r 0) hen)",
    [("go  stay", "stay")],
    [100],
)
sheet(
    "a cycle that loses its reason",
    """(role r) (init (on 1)) (init (wire 1 2)) (init (wire 2 1)) (init (wire 2 3))
    (<= (live ?x) (true (on ?x)))
    (<= (live ?y) (live ?x) (true (wire ?x ?y)))
    (<= (legal r off) (live 1)) (<= (legal r rest) (live 3)) (<= (legal r quit) (not (live 3)))
    (<= (next (wire ?x ?y)) (true (wire ?x ?y)))
    (<= (next (on ?x)) (true (on ?x)) (does r rest))
    (<= (next done) (does r quit))"""
    + END
    + "(<= (goal r 44) (not (live 2)))",
    [("off  rest", "rest"), ("off  rest", "off"), ("quit", "quit")],
    [44],
)
sheet(
    "or within or",
    """(role r) (n 1) (n 2) (n 3) (n 4) (n 5)
    (<= (legal r (pick ?x)) (n ?x) (or (or (same ?x 1) (same ?x 3)) (same ?x 5)))
    (same 1 1) (same 3 3) (same 5 5)
    (<= (next (got ?x)) (does r (pick ?x))) (next done)"""
    + END
    + "(<= (goal r 9) (or (true (got 3)) (true (got 4))))",
    [("(pick 1)  (pick 3)  (pick 5)", "(pick 3)")],
    [9],
)
sheet(
    "or around distinct and not",
    """(role r) (init (bad 2)) (n 1) (n 2) (n 3)
    (<= (legal r (pick ?x ?y)) (n ?x) (n ?y) (or (distinct ?x ?y) (not (true (bad ?x)))) (or (distinct ?y 3)))
    (<= (next (got ?x ?y)) (does r (pick ?x ?y))) (next done)"""
    + END
    + "(<= (goal r 8) (true (got ?x ?x)))",
    [("(pick 1 1)  (pick 1 2)  (pick 2 1)  (pick 3 1)  (pick 3 2)", "(pick 1 1)")],
    [8],
)
sheet(
    "not of or, not of not, not of distinct",
    """(role r) (init p) (n 1) (n 2)
    (<= (legal r a) (not (or (true p) (true q))))
    (<= (legal r b) (not (not (true p))))
    (<= (legal r (c ?x ?y)) (n ?x) (n ?y) (not (distinct ?x ?y)))
    (<= (legal r d) (not (or (not (true p)) (true q))))
    (next done)"""
    + END
    + "(<= (goal r 100) (not (true p)))",
    [("b  (c 1 1)  (c 2 2)  d", "d")],
    [100],
)
sheet(
    "distinct before anything is known",
    """(role r) (n 1) (n 2) (n 3)
    (<= (legal r (pair ?x ?y)) (distinct ?x ?y) (distinct ?x 3) (n ?x) (not (gone ?x)) (n ?y))
    (gone 2)
    (next done)"""
    + END
    + "(goal r 12)",
    [("(pair 1 2)  (pair 1 3)", "(pair 1 2)")],
    [12],
)
sheet(
    "nobody ever defines it",
    """(role r) (legal r a) (<= (legal r b) nothing) (<= (legal r c) (not (nothing_else 1 2)))
    (next done)"""
    + END
    + "(<= (goal r 3) (not nothing))",
    [("a  c", "a")],
    [3],
)
sheet(
    "facts in the form of rules",
    """(<= (role r)) (<= (legal r a)) (<= (legal r b)) (<= (next (done))) (<= (init (start)))
    (<= (terminal) (true (done))) (<= (goal r 6))""",
    [("a  b", "b")],
    [6],
)
sheet(
    "propositions in parentheses",
    """(role r) (init (p)) (<= (q) (true p)) (<= (legal r a) q) (<= (legal r (b)) (q))
    (<= (next done) (does r (a))) (<= (next done) (does r b)) (<= (terminal) (true (done))) (goal r 2)""",
    [("a  b", "a")],
    [2],
)
sheet(
    "keywords in any case",
    """(ROLE r) (Init (cell 1)) (<= (LEGAL r (take ?x)) (TRUE (cell ?x))) (legal r Take)
    (<= (NEXT done) (DOES r ?m)) (<= TERMINAL (true done)) (<= (Goal r 11) (NOT (true (cell 1))) (OR (true done)))""",
    [("Take  (take 1)", "Take")],
    [11],
)
sheet(
    "strange files",
    "; a comment (with parentheses\r(role r);)\r\n(init (p 1)) ; (init (p 2))\r(legal r été)\n(legal r 日本)(next done)"
    "\r\n(<= terminal\r(true done)) (goal r 7) ; the end",
    [("été  日本", "日本")],
    [7],
)
sheet(
    "nothing holds at first",
    """(role r) (legal r a) (legal r b) (<= (next (did ?m)) (does r ?m))
    (<= terminal (true (did ?m))) (<= (goal r 1) (true (did a))) (<= (goal r 2) (true (did b)))""",
    [("a  b", "b")],
    [2],
)
sheet(
    "the same variable twice in a head",
    """(role r) (n 1) (n 2) (<= (twice ?x ?x) (n ?x)) (<= (legal r (m ?x ?y)) (twice ?x ?y))
    (next done)"""
    + END
    + "(<= (goal r 4) (twice 1 1) (not (twice 1 2)))",
    [("(m 1 1)  (m 2 2)", "(m 1 1)")],
    [4],
)
sheet(
    "a variable for a whole move",
    """(role r) (init (can (jump 1 2))) (init (can stand)) (init (can (say (hello world))))
    (<= (legal r ?m) (true (can ?m)))
    (<= (next (did ?m)) (does r ?m)) (<= terminal (true (did ?m)))
    (<= (goal r 21) (true (did (say (hello ?who))))) (<= (goal r 22) (true (did (jump ?x ?y))))""",
    [("(jump 1 2)  (say (hello world))  stand", "(say (hello world))")],
    [21],
)
sheet(
    "legal where others are",
    """(role r) (init (left 2)) (init (left 1))
    (<= (legal r (take ?x)) (true (left ?x)))
    (<= more (legal r ?m))
    (<= (next (left ?x)) (true (left ?x)) (not (does r (take ?x))))
    (<= terminal (not more))
    (<= (goal r 30) (not more)) (<= (goal r 0) more)""",
    [("(take 1)  (take 2)", "(take 2)"), ("(take 1)", "(take 1)")],
    [30],
)
sheet(
    "terms that grow in a relation",
    """(role r) (v 1) (v 2) (<= (r ?v (f ?v)) (v ?v)) (<= (r ?v (f ?w)) (r ?v ?w) (small ?w)) (small (f 1))
    (<= (legal r (m ?v ?w)) (r ?v ?w)) (next done)"""
    + END
    + "(goal r 17)",
    [("(m 1 (f 1))  (m 1 (f (f 1)))  (m 2 (f 2))", "(m 2 (f 2))")],
    [17],
)
sheet(
    "goals by variables",
    """(role a) (role b) (init (score a 30)) (init (score b 20)) (legal a x) (legal a y) (legal b x)
    (<= (next (score ?p ?v)) (true (score ?p ?v))) (next done)"""
    + END
    + "(<= (goal ?p ?v) (true (score ?p ?v)))",
    [("x  y", "x")],
    [30, 20],
)
sheet(
    "no goal, several goals",
    """(role a) (role b) (legal a x) (legal a y) (legal b x) (next done)"""
    + END
    + "(goal b 10) (goal b 90) (<= (goal a 50) (not (true done)))",
    [("x  y", "x")],
    [0, 90],
)
sheet(
    "everything that holds, as a variable",
    """(role r) (init (a 1)) (init (b 2)) (init c)
    (<= (legal r (drop ?f)) (true ?f) (distinct ?f c))
    (<= (next ?f) (true ?f) (not (does r (drop ?f))))
    (<= terminal (not (true (a 1)))) (<= (goal r 50) (true (b 2)))""",
    [("(drop (a 1))  (drop (b 2))", "(drop (a 1))")],
    [50],
)
sheet(
    "names that differ in case",
    """(role r) (role R) (legal r a) (legal r A) (legal R b) (<= (next (did ?m)) (does r ?m))
    (<= terminal (true (did ?m))) (<= (goal r 10) (true (did a))) (<= (goal r 20) (true (did A)))
    (goal R 5)""",
    [("A  a", "A")],
    [20, 5],
)
sheet(
    "taking stones",
    """(role a) (role b) (init (stones 5)) (init (control a)) (other a b) (other b a)
    (minus 5 1 4) (minus 5 2 3) (minus 4 1 3) (minus 4 2 2) (minus 3 1 2) (minus 3 2 1)
    (minus 2 1 1) (minus 2 2 0) (minus 1 1 0)
    (<= (legal ?p (take ?k)) (true (control ?p)) (true (stones ?n)) (minus ?n ?k ?m))
    (<= (legal ?p noop) (other ?p ?q) (true (control ?q)))
    (<= (next (stones ?m)) (true (stones ?n)) (does ?p (take ?k)) (minus ?n ?k ?m))
    (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
    (<= terminal (true (stones 0)))
    (<= (goal ?p 0) (true (stones 0)) (true (control ?p)))
    (<= (goal ?p 100) (true (stones 0)) (other ?p ?q) (true (control ?q)))""",
    [("(take 1)  (take 2)", "(take 2)"), ("(take 1)  (take 2)", "(take 1)"), ("(take 1)  (take 2)", "(take 2)")],
    [100, 0],
)
sheet(
    "nobody can move",
    """(role r) (init p) (<= (legal r a) (true p)) (<= (legal r b) (true p)) (<= terminal (true never))
    (<= (goal r 77) (not (true p)))""",
    [("a  b", "a")],
    [77],
)
sheet(
    "chance that all see",
    """(role p) (role random) (legal random heads) (<= (legal p stay) (not (true done))) (legal p go)
    (<= (next (side ?s)) (does random ?s)) (next done)"""
    + END
    + "(<= (goal p 100) (true (side heads))) (<= (goal p 0) (true (side tails)))",
    [("go  stay", "go")],
    [100],
)
sheet(
    "what others did, as they did it",
    """(role a) (role b) (role random) (legal a x) (legal a y) (legal b z) (legal random n)
    (<= (sees b (does a ?m)) (does a ?m))
    (<= (next (saw ?m)) (does a ?m))
    (<= terminal (true (saw ?m)))
    (<= (goal a 60) (true (saw y))) (<= (goal b 40) (true (saw y)))""",
    [("x  y", "y"), ("z", "z")],
    [60, 40],
)
sheet(
    "a secret of one's own",
    """(role a) (role b) (init (phase 1)) (n 1) (n 2)
    (<= (legal a (hide ?x)) (true (phase 1)) (n ?x)) (<= (legal b wait) (true (phase 1)))
    (<= (legal b (guess ?x)) (true (phase 2)) (n ?x)) (<= (legal a wait) (true (phase 2)))
    (<= (next (hidden ?x)) (does a (hide ?x))) (<= (next (hidden ?x)) (true (hidden ?x)))
    (<= (next (guessed ?x)) (does b (guess ?x)))
    (<= (next (phase 2)) (true (phase 1))) (<= (next (phase 3)) (true (phase 2)))
    (<= (sees b ready) (true (phase 1)))
    (<= terminal (true (phase 3)))
    (<= (goal b 100) (true (hidden ?x)) (true (guessed ?x)))
    (<= (goal a 100) (true (hidden ?x)) (not (true (guessed ?x))))""",
    [("(hide 1)  (hide 2)", "(hide 1)"), ("wait", "wait"), ("wait", "wait"), ("(guess 1)  (guess 2)", "(guess 2)")],
    [100, 0],
)
sheet(
    "goals by the negation of goals",
    """(role r) (role s) (legal r a) (legal r b) (legal s c) (<= (next (won r)) (does r a)) (next done)
    (<= (goal ?r 100) (true (won ?r))) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))"""
    + END,
    [("a  b", "a")],
    [100, 0],
)
sheet(
    "sight of what will be",
    """(role r) (role s) (legal r a) (legal r b) (legal s c) (<= (next (it ?m)) (does r ?m)) (next done)
    (<= (sees s ?m) (next (it ?m)))
    (<= (goal r 10) (true (it b))) (<= (goal s 20) (true (it b)))"""
    + END,
    [("a  b", "b"), ("c", "c")],
    [10, 20],
)
sheet(
    "nothing is left in the end",
    "(role r) (init p) (legal r a) (legal r b) (<= (sees r p) (does r b)) (<= terminal (not (true p))) (goal r 33)",
    [("a  b", "a")],
    [33],
)
