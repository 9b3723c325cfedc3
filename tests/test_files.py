"""Files that are written whole or not at all, and what is no file: links, devices, pipes."""

from __future__ import annotations

import errno
import os
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from kibitz.cli import run
from kibitz.files import check_writable, write_atomically

MATCH = ["match", "tictactoe", "--agents", "random,random", "--games", "4", "--format", "csv"]
MAIN = [sys.executable, "-c", "from kibitz.cli import main; main()"]

posix = pytest.mark.skipif(os.name == "nt", reason="POSIX files")
linux = pytest.mark.skipif(sys.platform != "linux", reason="devices of Linux")


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A disk that is always full. As root one of our own: a defect must not replace that of the machine."""
    if os.geteuid() != 0:
        return Path("/dev/full")
    node = tmp_path / "full"
    try:
        os.mknod(node, stat.S_IFCHR | 0o666, os.makedev(1, 7))
        node.open("wb").close()
    except PermissionError:
        pytest.skip("root that may not make devices")
    return node


def left_over(folder: Path) -> list[Path]:
    return list(folder.glob(".*"))


# ------------------------------------------------------------------------------------------------- files and links


def test_a_new_file_has_ordinary_permissions_and_a_replaced_one_keeps_its_own(tmp_path: Path) -> None:
    plain, path = tmp_path / "plain", tmp_path / "path"
    plain.write_text("x")
    write_atomically(path, "one")
    assert (path.read_text(), path.stat().st_mode) == ("one", plain.stat().st_mode)
    path.chmod(0o640)
    before = path.stat().st_ino
    write_atomically(path, b"two")
    assert path.read_text() == "two"
    assert path.stat().st_ino != before, "written in place: a reader could see half of it"
    if os.name != "nt":
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert not left_over(tmp_path)


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)
    write_atomically(path, "long")
    assert path.read_text() == "long"


@posix
def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    target, there, link = tmp_path / "target", tmp_path / "there", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o600)
    there.mkdir()
    (there / "second").symlink_to("../target")
    link.symlink_to(there / "second")
    write_atomically(link, "new")
    assert (target.read_text(), stat.S_IMODE(target.stat().st_mode)) == ("new", 0o600)
    assert link.is_symlink()
    assert (there / "second").is_symlink()
    assert not left_over(tmp_path) + left_over(there)


@posix
def test_a_dangling_link_gets_its_target(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"
    (tmp_path / "lost").symlink_to("nowhere/target")
    with pytest.raises(ValueError, match="nowhere is not a folder"):
        write_atomically(tmp_path / "lost", "new")


def read_only(path: Path) -> None:
    path.write_text("old")
    path.chmod(0o444)


def read_only_behind_a_link(path: Path) -> None:
    read_only(path.with_name("target"))
    path.symlink_to("target")


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


REFUSED: dict[str, tuple[Callable[[Path], None], str]] = {
    "read-only": (read_only, "read-only"),
    "read-only behind a link": (read_only_behind_a_link, "read-only"),
    "a folder": (Path.mkdir, "folder"),
    "a link to a folder": (lambda path: path.symlink_to(path.parent), "folder"),
    "a link to itself": (lambda path: path.symlink_to(path), "symbolic links"),
    "a socket": (listening, "socket"),
}


@posix
@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_is_refused_before_the_work(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make, expected = REFUSED[case]
    monkeypatch.chdir(tmp_path)  # names of sockets must be short
    path = Path("path.csv")
    make(path)
    before = path.lstat()
    with pytest.raises((ValueError, OSError), match=expected):
        check_writable(path)
    with pytest.raises((ValueError, OSError), match=expected):
        write_atomically(path, "new")
    monkeypatch.setattr("kibitz.play", lambda *_, **__: pytest.fail("played"))
    assert run([*MATCH, "--out", str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert expected in said.err
    assert "path.csv" in said.err
    assert said.err.count("\n") == 1
    assert path.lstat() == before


@posix
def test_a_folder_that_is_not_there_or_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="missing is not a folder"):
        check_writable(tmp_path / "missing" / "path")
    with pytest.raises(NotADirectoryError):
        check_writable(tmp_path / "file" / "path")


@posix
@pytest.mark.parametrize("name", ["README.md", "table.csv"])
def test_a_reproduction_looks_at_its_files_first(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "li" / "fig2" / "quick"
    folder.mkdir(parents=True)
    read_only(folder / name)
    assert run(["reproduce", "li/fig2", "--quick", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"kibitz: cannot write {folder / name}: it is read-only\n"
    assert [path.name for path in folder.iterdir()] == [name]


@posix
def test_a_training_looks_at_its_files_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learning = ["--game", "tictactoe", "--players", "2", "--episodes", "20", "--out"]
    net = ["train", "dqn", *learning, str(tmp_path / "run"), "--encoder", "", "--test-games", "2"]
    assert run(net) == 0
    tables = ["train", "q", "--game", "tictactoe", "--episodes", "20", "--out", str(tmp_path / "q.npz")]
    assert run(tables) == 0
    (tmp_path / "run" / "best.safetensors").chmod(0o444)
    (tmp_path / "q.npz").chmod(0o444)
    capsys.readouterr()
    for command, name in ((net, "best.safetensors"), (tables, "q.npz")):
        assert run([*command, "--resume"]) == 2
        said = capsys.readouterr()
        assert said.err.startswith("kibitz: cannot write ")
        assert said.err.endswith(f"{name}: it is read-only\n")
        assert said.out == ""


@posix
@pytest.mark.parametrize("more", [[], ["--resume"]])
def test_tables_are_kept_in_files_only(more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert run(["train", "q", "--out", str(tmp_path / "pipe"), *more]) == 2  # and does not wait for a writer
    assert capsys.readouterr().err == f"kibitz: {tmp_path / 'pipe'} is not a file\n"


# ---------------------------------------------------------------------------------------------- devices and pipes


@linux
def test_a_full_device_is_told_and_stays(full: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = full.stat()
    with pytest.raises(OSError, match="No space left") as told:
        write_atomically(full, "x")
    assert (told.value.errno, told.value.filename) == (errno.ENOSPC, str(full))
    assert run([*MATCH, "--out", str(full)]) == 2
    said = capsys.readouterr()
    assert said.err == f"kibitz: {full}: No space left on device\n"
    assert "random" in said.out, "what was played is lost"
    after = full.stat()
    assert stat.S_ISCHR(after.st_mode)
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)


@posix
def test_a_pipe_is_written_through(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    sent = "x" * 1_000_000  # more than a pipe holds
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()), daemon=True)
    reader.start()
    write_atomically(pipe, sent)
    reader.join(60)
    assert heard == [sent]
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    assert not left_over(tmp_path)


@linux
def test_a_pipe_that_nobody_reads_any_more() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "wb"), pytest.raises(ValueError, match=f"/dev/fd/{writer}: nobody reads it"):
        write_atomically(Path(f"/dev/fd/{writer}"), "x")


@linux
@pytest.mark.parametrize("path", ["/dev/fd/{}", "/proc/self/fd/{}", "link"])
def test_what_the_shell_calls_process_substitution(path: str, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    (tmp_path / "link").symlink_to(f"/dev/fd/{writer}")
    done = subprocess.run(
        [*MAIN, *MATCH, "--out", path.format(writer)],
        pass_fds=[writer],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    os.close(writer)
    with open(reader) as file:
        assert file.readline().startswith("name,")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "link").is_symlink()


@linux
@pytest.mark.parametrize("out", ["a file", "a pipe", "a socket"])
def test_standard_output_gets_both_the_file_and_the_table(out: str, tmp_path: Path) -> None:
    """Through a link like /dev/stdout, which a defect could not replace for all."""
    link, file = tmp_path / "stdout", tmp_path / "file"
    link.symlink_to("/proc/self/fd/1")
    command = [*MAIN, *MATCH, "--out", str(link)]
    if out == "a file":
        with file.open("wb") as opened:
            subprocess.run(command, stdout=opened, check=True)
        said = file.read_text()
    elif out == "a pipe":
        said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    else:
        ours, theirs = socket.socketpair()
        with theirs:
            subprocess.run(command, stdout=theirs.fileno(), check=True)
        with ours, ours.makefile() as read:
            said = read.read()
    assert said.startswith("name,")
    assert said.index("name,") < said.index("4 games")
    assert link.is_symlink()


@linux
def test_what_is_open_for_reading_only_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    with (tmp_path / "file").open("rb") as file, pytest.raises(ValueError, match="cannot write /dev/fd"):
        check_writable(Path(f"/dev/fd/{file.fileno()}"))
    with pytest.raises(ValueError, match="cannot write /dev/fd/99999"):
        check_writable(Path("/dev/fd/99999"))


@linux
def test_results_on_a_full_standard_output_end_in_one_line() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*MAIN, "games"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "kibitz: No space left on device\n")
