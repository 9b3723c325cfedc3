"""Players that behave badly, each in its own way: `python ggp_peers.py KIND` prints its port and answers."""

from __future__ import annotations

import contextlib
import os
import socket
import sys

READY = b"HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: 5\r\n\r\nready"


def reply(body: bytes) -> bytes:
    return b"HTTP/1.0 200 OK\r\nContent-length: %d\r\n\r\n%b" % (len(body), body)


def answer(kind: str, connection: socket.socket, turn: int) -> None:
    """The answer to the PLAY of a turn."""
    if kind == "mute" or (kind == "late" and turn == 1):
        print("asked", flush=True)
        connection.recv(1)  # until the manager hangs up
        return
    if kind == "dying" and turn == 1:
        os._exit(0)
    if kind == "mad":
        if turn == 3:  # never silent, never finished, until the manager hangs up
            connection.sendall(b"HTTP/1.0 200 OK\r\nX: ")
            connection.settimeout(0.05)
            while True:
                with contextlib.suppress(TimeoutError):
                    if not connection.recv(1):
                        return
                connection.sendall(b"y")
        said = (b"\xff\xfe\x00 no HTTP at all \r\n\r\n", reply(b"( pick ( ( 1"), reply(b"( pick 99 )"))[turn]
        connection.sendall(said)
        return
    connection.sendall(reply(b"( PICK 1 )" if kind == "late" else b"(pick 2)"))


def main(kind: str) -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    turn = 0
    while listening.fileno() >= 0:
        connection, _ = listening.accept()
        with connection:
            try:
                request = connection.recv(1 << 20)
                if b"PLAY" in request:
                    turn += 1
                    answer(kind, connection, turn - 1)
                else:
                    if kind == "leaving" and b"STOP" in request:
                        listening.close()
                    connection.sendall(READY)
            except OSError:
                pass


if __name__ == "__main__":
    main(sys.argv[1])
