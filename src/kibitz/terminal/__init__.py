"""People at a terminal: the table they sit at, what they see and type, and the kibitzer behind their chair.

table.py     one person and some agents around a game, deal by deal
human.py     the person, as an agent
painter.py   draws a game and reads what is typed; the files of single games (uno.py, belote.py, ...) do it better
kibitzer.py  an agent that comments on the person's moves; opinion.py has its thoughts as tables
replay.py    the record of a match, turn by turn
screen.py, progress.py   where commands print, and what they show while they work

A painter for a game is a file in this folder and a line in this table. (The folder is not called `play`, since
`kibitz.play` is the function that plays a match.)
"""

from __future__ import annotations

# game name -> 'module:class'; strings, so that a painter is imported only when its game is played.
PAINTERS: dict[str, str] = {
    "belote": "kibitz.terminal.belote:BelotePainter",
    "connect_four": "kibitz.terminal.board:BoardPainter",
    "doudizhu": "kibitz.terminal.doudizhu:DouDiZhuPainter",
    "hex": "kibitz.terminal.board:HexPainter",
    "mini_doudizhu": "kibitz.terminal.doudizhu:RanksPainter",
    "tictactoe": "kibitz.terminal.board:BoardPainter",
    "uno": "kibitz.terminal.uno:UnoPainter",
}
