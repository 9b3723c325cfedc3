"""People at a terminal: the table they sit at, what they see and type, and the kibitzer behind their chair.

evening.py   deals in a row: the rematch, the series, the score
table.py     people and agents around a game; deal.py is one deal, saving.py writes it down
human.py     a person, as an agent; commands.py what they type besides moves, log.py what they have seen
painter.py   draws a game and reads what is typed; the files of single games (uno.py, belote.py, ...) do it better
kibitzer.py  an agent that comments on a person's moves; opinion.py has its thoughts as tables
replay.py    the record of a match, turn by turn; reading.py longer texts, page by page
screen.py, keyboard.py, progress.py   where commands print, how lines are typed, and what is shown during long work

A painter for a game is a file in this folder and a line in this table. (The folder is not called `play`, since
`kibitz.play` is the function that plays a match.)
"""

from __future__ import annotations

# game name -> 'module:class'; strings, so that a painter is imported only when its game is played.
PAINTERS: dict[str, str] = {
    "belote": "kibitz.terminal.belote:BelotePainter",
    "connect_four": "kibitz.terminal.board:ConnectFourPainter",
    "doudizhu": "kibitz.terminal.doudizhu:DouDiZhuPainter",
    "hex": "kibitz.terminal.board:HexPainter",
    "mini_doudizhu": "kibitz.terminal.doudizhu:RanksPainter",
    "tictactoe": "kibitz.terminal.board:TicTacToePainter",
    "uno": "kibitz.terminal.uno:UnoPainter",
}
