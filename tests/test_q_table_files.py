"""Files of Q-tables: old ones are read, and whatever else a file may be, it is a table or one clear error."""

from __future__ import annotations

import io
import json
import os
import struct
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from q_table_common import entries, train_and_gather

import kibitz
from kibitz.learn import q_table
from kibitz.learn.q_table import q_player

Members = dict[str, bytes]  # of an archive, as they are unpacked
Header = dict[str, Any]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("tables") / "ttt.npz"
    q_table.train(q_player(learning=120, playing=30, file=str(file)))
    return file


def members_of(table: Path) -> Members:
    with zipfile.ZipFile(table) as stored:
        return {name: stored.read(name) for name in stored.namelist()}


def write(file: Path, members: Members, kind: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(file, "w", kind) as stored:
        for name, content in members.items():
            stored.writestr(name, content)
    return file


def npy(array: Any) -> bytes:
    data = io.BytesIO()
    np.save(data, np.asarray(array))
    return data.getvalue()


def header_of(members: Members) -> Header:
    header: Header = json.loads(str(np.load(io.BytesIO(members["header.npy"]))))
    return header


def with_header(members: Members, **changes: Any) -> Members:
    return members | {"header.npy": npy(json.dumps(header_of(members) | changes))}


def with_settings(members: Members, **changes: Any) -> Members:
    return with_header(members, settings=header_of(members)["settings"] | changes)


def refusal(file: Path) -> str:
    """The one line of the error."""
    with pytest.raises(ValueError, match=r".") as caught:
        q_table.load(file)
    assert str(caught.value).isprintable()  # so there is no end of a line in it
    return str(caught.value)


@pytest.fixture
def peak() -> Iterator[Callable[[], int]]:
    """How many bytes were taken at most, since the last call."""
    before = 0

    def bytes_since() -> int:
        nonlocal before
        now, most = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        taken, before = most - before, now
        return taken

    tracemalloc.start()
    yield bytes_since
    tracemalloc.stop()


# --- what is read


def test_what_was_saved_is_read(table: Path) -> None:
    stored, loaded = q_table.read(table), q_table.load(table)
    assert (stored.played, stored.settings) == (150, q_player(learning=120, playing=30))
    assert loaded.learner.played == 150
    assert len(loaded.curve.windows) == 130
    for seat, (keys, values, visits) in enumerate(stored.tables):
        assert dict(zip(keys.tolist(), values.tolist(), strict=True)) == entries(loaded, seat)
        assert visits.min() >= 1


def as_version_1(members: Members, payoffs: Any) -> Members:
    """As the first version of the format has it: the payoffs of all matches, and no curve."""
    changed = with_header(members, version=1) | {"payoffs.npy": npy(payoffs)}
    del changed["curve.npy"]
    return changed


def test_version_1_is_read_and_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "table.npz"
    settings = q_player(learning=130, playing=40, seed=4, save_every=70, file=str(file))
    whole, matches = train_and_gather(replace(settings, file=None))

    class CutError(Exception):
        pass

    def cut(done: int, total: int) -> None:
        if done >= 70:
            raise CutError

    with pytest.raises(CutError):
        q_table.train(settings, progress=cut)
    unplayed = np.where(np.arange(170)[:, None] < 70, matches.payoffs, 0.0)
    write(file, as_version_1(members_of(file), unplayed))
    assert q_table.load(file).curve.played == q_table.load(file).learner.played == 70
    resumed = q_table.train(settings)
    assert resumed.curve.windows == whole.curve.windows
    for seat in (0, 1):
        assert entries(resumed, seat) == entries(whole, seat)
    assert header_of(members_of(file))["version"] == 2


def test_files_that_are_not_there_or_no_files(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no file"):
        kibitz.agent(f"q:{tmp_path / 'nowhere.npz'}")
    with pytest.raises(ValueError, match="cannot be read: it is no ordinary file"):
        kibitz.agent(f"q:{tmp_path}")
    os.mkfifo(tmp_path / "pipe")  # opening it would wait for ever
    with pytest.raises(ValueError, match="cannot be read: it is no ordinary file"):
        kibitz.agent(f"q:{tmp_path / 'pipe'}")


def test_damaged_files_say_so(table: Path, tmp_path: Path) -> None:
    whole, bad = table.read_bytes(), tmp_path / "bad.npz"
    for data in (b"", b"hello", whole[: len(whole) // 2], whole[:-7], b"\x93NUMPY"):
        bad.write_bytes(data)
        assert "no archive of arrays, or damaged" in refusal(bad)
    members = members_of(table)
    write(bad, {"some.txt": b"hello"})
    assert "'some.txt' in it is no array" in refusal(bad)
    write(bad, {"some.npy": members["keys0.npy"]})
    assert "lacks 'header'" in refusal(bad)
    write(bad, members | {"header.npy": npy("[" * 100_000)})
    assert "no table of action values, or damaged" in refusal(bad)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 99}, "version 99; this program reads 1 and 2"),
        ({"version": True}, "version True"),
        ({"version": "2"}, "version '2'"),
        ({"version": 2.0}, "version 2.0"),
        ({"format": "soup"}, "no table of action values"),
        ({"format": None}, "no table of action values"),
        ({"rules": None}, "its header must have"),
        ({"rules": []}, "its header must have"),
        ({"rules": {}}, "learnt on other rules"),
        ({"rules": {"game": "\x1b[2J"}}, "learnt on other rules: game ?[2J"),
        ({"settings": None}, "its header must have"),
        ({"settings": {"alpha": 7}}, "its settings lack 'epsilon_a'"),
        ({"played": 10**9}, "must be from 0 to 150, not 1000000000"),
        ({"played": -1}, "must be from 0 to 150, not -1"),
        ({"played": 1.5}, "must be from 0 to 150, not 1.5"),
        ({"played": True}, "must be from 0 to 150, not True"),
        ({"played": None}, "must be from 0 to 150, not None"),
        ({"played": 40}, "its curve is not one of its matches"),
        ({"more": 1}, "and nothing else"),
    ],
)
def test_headers_that_are_wrong(table: Path, tmp_path: Path, changes: Header, message: str) -> None:
    assert message in refusal(write(tmp_path / "bad.npz", with_header(members_of(table), **changes)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"alpha": 7}, "alpha must be from 0 to 1, not 7"),
        ({"alpha": True}, "alpha must be from 0 to 1, not True"),
        ({"alpha": float("nan")}, "alpha must be from 0 to 1, not nan"),
        ({"alpha": "0.1"}, "alpha must be"),
        ({"learning": 120.0}, "learning must be a whole number"),
        ({"learning": 10**400}, "learning must be a whole number"),
        ({"learning": False}, "learning must be a whole number"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"seed": 2**64}, "seed must be a whole number"),
        ({"save_every": None}, "save_every must be a whole number"),
        ({"game": 3}, "game must be a text"),
        ({"game": "no\nsuch"}, "bad spec"),
        ({"game": "nothing"}, "unknown game"),
        ({"game": "gdl:file=/no/such/sheet"}, "/no/such/sheet"),
        ({"game": "uno"}, "learnt on other rules"),
        ({"opponent": {}}, "opponent must be a text"),
        ({"fallback": 1}, "fallback must be a text"),
        ({"method": "x" * 10_000}, "method must be one of"),
        ({"file": "/etc/passwd"}, "name another file"),
        ({"beta": 7}, "its settings have 'beta'"),
        ({"learning": 90}, "must be from 0 to 120, not 150"),
        ({"learning": 140, "playing": 10}, "its curve is not that of its settings"),
    ],
)
def test_settings_that_are_wrong(table: Path, tmp_path: Path, changes: Header, message: str) -> None:
    said = refusal(write(tmp_path / "bad.npz", with_settings(members_of(table), **changes)))
    assert message in said
    assert len(said) < 600


U8, F8 = np.uint64, np.float64


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"keys0": np.zeros(3)}, "must be a list of <u8"),
        ({"keys0": np.zeros((3, 1), U8)}, "must be a list of <u8"),
        ({"keys0": np.zeros(3, object)}, "is no array of numbers"),
        ({"keys0": np.zeros(3, ">u8")}, "is no array of numbers"),
        ({"keys0": np.zeros(1, U8)}, "must be of one length"),
        ({"keys0": np.ones(2, U8), "values0": np.ones(2), "visits0": np.ones(2, U8)}, "none may be there twice"),
        ({"keys0": np.array([2, 1], U8), "values0": np.ones(2), "visits0": np.ones(2, U8)}, "must ascend"),
        ({"keys0": np.ones(1, U8), "values0": np.full(1, np.inf), "visits0": np.ones(1, U8)}, "must be finite"),
        ({"keys0": np.ones(1, U8), "values0": np.full(1, np.nan), "visits0": np.ones(1, U8)}, "must be finite"),
        ({"keys0": np.ones(1, U8), "values0": np.ones(1), "visits0": np.zeros(1, U8)}, "at least one visit"),
        ({"curve": np.zeros((3, 3))}, "its curve is not that of its settings"),
        ({"curve": np.full((130, 3), 0.5)}, "its curve is not one of its matches"),
        ({"curve": np.full((130, 3), np.nan)}, "its curve is not one of its matches"),
        ({"curve": np.full((130, 3), 7.0)}, "its curve is not one of its matches"),
        ({"header": np.zeros(3)}, "no text of a usual length"),
        ({"header": np.array(["a", "b"])}, "no text of a usual length"),
        ({"header": np.array("hello")}, "its header is no JSON"),
        ({"header": np.array("{}")}, "its header is another"),
        ({"header": np.array("[1]")}, "its header is another"),
        ({"keys2": np.zeros(0, U8)}, "it lacks 'values2'"),
        ({"payoffs": np.zeros((150, 2))}, "it has 'payoffs'"),
        ({"extra": np.zeros(3)}, "it has 'extra'"),
        ({f"{n}2": np.zeros(0, t) for n, t in (("keys", U8), ("values", F8), ("visits", U8))}, "tables of 3 seats"),
    ],
)
def test_arrays_that_are_wrong(table: Path, tmp_path: Path, arrays: dict[str, Any], message: str) -> None:
    changed = {f"{name}.npy": npy(array) for name, array in arrays.items()}
    assert message in refusal(write(tmp_path / "bad.npz", members_of(table) | changed))


def test_payoffs_of_version_1_that_are_wrong(table: Path, tmp_path: Path) -> None:
    members, bad = members_of(table), tmp_path / "bad.npz"
    for payoffs in (np.zeros((3, 2)), np.zeros((150, 3)), np.zeros(150), np.zeros((150, 2), np.uint64)):
        assert "its payoffs are not those of its settings" in refusal(write(bad, as_version_1(members, payoffs)))
    for wrong in (np.nan, np.inf):
        assert "must be finite" in refusal(write(bad, as_version_1(members, np.full((150, 2), wrong))))
    q_table.load(write(bad, as_version_1(members, np.zeros((150, 2)))))


def test_members_that_are_wrong(table: Path, tmp_path: Path) -> None:
    members, bad = members_of(table), tmp_path / "bad.npz"
    for name in members:
        said = refusal(write(bad, {other: members[other] for other in members if other != name}))
        assert "it lacks " in said or "which does not belong there" in said
    with warnings.catch_warnings(), zipfile.ZipFile(write(bad, members), "a") as stored:
        warnings.simplefilter("ignore")  # of the name that is there
        stored.writestr("keys0.npy", members["keys0.npy"])
    assert "'keys0.npy' in it is no array, or there twice" in refusal(bad)
    assert "is no array, or there twice" in refusal(write(bad, members, zipfile.ZIP_BZIP2))
    assert "'keys0' in it is no array" in refusal(write(bad, members | {"keys0.npy": b"\x93NUMP"}))
    assert "'keys0' in it is no array" in refusal(write(bad, members | {"keys0.npy": b""}))
    for content in (members["keys0.npy"] + b"x", members["keys0.npy"][:-1]):
        assert "'keys0' in it is larger or smaller than it says" in refusal(
            write(bad, members | {"keys0.npy": content})
        )


# --- sizes that are not what they seem


def claims(kind: str, shape: tuple[int, ...]) -> bytes:
    """The header of such an array."""
    data = io.BytesIO()
    np.lib.format.write_array_header_1_0(data, {"descr": kind, "fortran_order": False, "shape": shape})
    return data.getvalue()


MANY = 2_000_000


@pytest.mark.parametrize("name", ["keys0", "values1", "curve", "header", "more", "payoffs"])
def test_zeros_that_would_fill_the_memory(name: str, table: Path, tmp_path: Path, peak: Callable[[], int]) -> None:
    """16 MB of them, deflated to 16 kB, in every place."""
    kind = {"keys0": "<u8", "header": f"<U{2 * MANY}"}.get(name, "<f8")
    shape = {"header": (), "curve": (MANY // 2, 2)}.get(name, (MANY,))
    bomb = claims(kind, shape) + bytes(8 * MANY)
    file = write(tmp_path / "bomb.npz", members_of(table) | {f"{name}.npy": bomb})
    del bomb
    assert file.stat().st_size < 50_000
    peak()
    assert "larger or smaller" not in refusal(file)
    with pytest.raises(ValueError, match="cannot be used"):
        kibitz.agent(f"q:{file}")
    assert peak() < 4e6


def test_tables_of_nothing_but_zeros(table: Path, tmp_path: Path, peak: Callable[[], int]) -> None:
    """All is right with them but for the size."""
    zeros = {"keys0": np.zeros(MANY, U8), "values0": np.zeros(MANY), "visits0": np.zeros(MANY, U8)}
    file = write(tmp_path / "bomb.npz", members_of(table) | {f"{name}.npy": npy(zeros[name]) for name in zeros})
    del zeros
    peak()
    assert "its tables would take 48," in refusal(file)
    assert peak() < 4e6


def test_keys_that_fall_on_each_other(table: Path, tmp_path: Path) -> None:
    """Their low bits are all alike: the core's table would need a thousand million steps for 50,000 of them."""
    members, bad = members_of(table), tmp_path / "bad.npz"
    some = {"values0.npy": npy(np.ones(50_000)), "visits0.npy": npy(np.ones(50_000, U8))}
    alike = npy(np.arange(50_000, dtype=U8) << U8(40))
    assert "its keys are no hashes" in refusal(write(bad, members | some | {"keys0.npy": alike}))
    hashes = np.sort(np.random.default_rng(1).integers(2**64, size=50_000, dtype=U8))
    assert q_table.load(write(bad, members | some | {"keys0.npy": npy(hashes)})).learner.size(0) == 50_000
    assert 0.4 < q_table._steps(hashes) < 3
    assert q_table._steps(hashes[:0]) == 0
    # In the table as it is in the end they are far apart, but on the way there they are not.
    half = npy(np.sort(np.arange(25_000, dtype=U8) + U8(1 << 16) * np.arange(2, dtype=U8)[:, None], axis=None))
    assert "its keys are no hashes" in refusal(write(bad, members | some | {"keys0.npy": half}))


def test_steps_are_those_of_linear_probing() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        keys = rng.permutation(rng.integers(40, 64, 20) + 64 * np.arange(20)).astype(U8)  # 64 slots, the last of them
        taken: set[int] = set()
        steps = 0
        for key in keys.tolist():
            at = key % 64
            while at in taken:
                at = (at + 1) % 64
                steps += 1
            taken.add(at)
        assert q_table._steps(keys) == steps / 20


def test_payoffs_of_version_1_are_never_in_memory(table: Path, tmp_path: Path, peak: Callable[[], int]) -> None:
    members = with_settings(members_of(table), learning=MANY, playing=0)
    file = write(tmp_path / "old.npz", as_version_1(members, np.zeros((MANY, 2))))
    assert file.stat().st_size < 70_000
    peak()
    assert q_table.load(file).curve.played == 150
    assert peak() < 12e6  # a block of 1 MB, and what the curve makes of it


def patched(file: Path, name: str, offset: int, value: int) -> Path:
    """Writes 4 bytes into the directory's entry of a member."""
    data = bytearray(file.read_bytes())
    at = data.rindex(name.encode()) - 46
    assert data[at : at + 4] == b"PK\x01\x02"
    struct.pack_into("<I", data, at + offset, value)
    file.write_bytes(bytes(data))
    return file


def test_a_directory_that_lies(table: Path, tmp_path: Path, peak: Callable[[], int]) -> None:
    members, bad = members_of(table), tmp_path / "bad.npz"
    size = len(members["values0.npy"])
    for wrong in (0, 5, size - 1, size + 1, 2**31):
        said = refusal(patched(write(bad, members), "values0.npy", 24, wrong))
        assert "'values0' in it is" in said
    # A bomb behind an innocent size: only what the directory says is unpacked, and its sum is wrong.
    bomb = write(bad, members | {"values0.npy": members["values0.npy"] + bytes(8 * MANY)})
    peak()
    assert "'values0' in it is damaged" in refusal(patched(bomb, "values0.npy", 24, size))
    # The directory and the array agree on more than there is.
    many = claims("<f8", (10_000,))
    for name in ("values0", "curve"):
        lie = write(bad, members | {f"{name}.npy": many + bytes(80)})
        refusal(patched(lie, f"{name}.npy", 24, len(many) + 80_000))
    assert peak() < 4e6


# --- fuzzing


JUNK: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    1e308,
    float("nan"),
    10**30,
    "",
    "x\ny",
    "\x1b[2J",
    "🂡" * 5,
    [],
    [[]],
    {},
    {"a": 1},
]


def torn(data: bytes, rng: np.random.Generator) -> bytes:
    """Some bytes changed, cut out, doubled or put in."""
    out = bytearray(data)
    for _ in range(int(rng.integers(1, 4))):
        at, length = int(rng.integers(len(out) + 1)), int(rng.integers(1, 40))
        change = int(rng.integers(5))
        if change == 0:
            out[at : at + 1] = bytes([int(rng.integers(256))])
        elif change == 1:
            del out[at : at + length]
        elif change == 2:
            out[at:at] = out[at : at + length]
        elif change == 3:
            out[at : at + length] = rng.bytes(length)
        else:
            del out[at:]
    return bytes(out)


def fuzzed(members: Members, rng: np.random.Generator) -> Members:
    """One thing changed in the archive, whose sums are right again."""
    out, names = dict(members), list(members)
    name, other = (names[int(i)] for i in rng.integers(len(names), size=2))
    change = int(rng.integers(7))
    if change == 0:
        out[name] = torn(out[name], rng)
    elif change == 1:
        out[name] = out[other]
    elif change == 2:
        out[f"{name[: rng.integers(len(name))]}{rng.integers(9)}.npy"] = out.pop(name)
    elif change == 3:
        shape = rng.integers(0, 4, int(rng.integers(3)))
        out[name] = npy(np.zeros(shape, str(rng.choice(["<u8", "<f8", "<i4", "<U3", "?"]))))
    elif change == 4:
        header = header_of(members)
        header[str(rng.choice(list(header)))] = JUNK[int(rng.integers(len(JUNK)))]
        out["header.npy"] = npy(json.dumps(header))
    elif change == 5:
        setting = str(rng.choice(list(header_of(members)["settings"])))
        out = with_settings(members, **{setting: JUNK[int(rng.integers(len(JUNK)))]})
    else:
        rules = header_of(members)["rules"]
        rules[str(rng.choice([*rules, "more"]))] = JUNK[int(rng.integers(len(JUNK)))]
        out = with_header(members, rules=rules)
    return out


def table_or_error(file: Path) -> q_table.Trained | str:
    try:
        return q_table.load(file)
    except ValueError as error:
        return str(error)


def test_fuzzed_files_are_tables_or_one_clear_error(table: Path, tmp_path: Path, peak: Callable[[], int]) -> None:
    rng, bad = np.random.default_rng(1), tmp_path / "bad.npz"
    whole, members, view = table.read_bytes(), members_of(table), kibitz.make("tictactoe").deal(seed=1).view(0)
    old = as_version_1(members, np.zeros((150, 2)))
    tables = 0
    for i in range(450):
        if i % 3 == 0:
            bad.write_bytes(torn(whole, rng))
        else:
            write(bad, fuzzed(members if i % 3 == 1 else old, rng))
        peak()
        found = table_or_error(bad)
        if isinstance(found, str):
            assert found.isprintable(), i
            assert len(found) < 600, i
        else:
            tables += 1
            assert found.curve.played == found.learner.played <= found.settings.matches, i
            assert kibitz.agent(f"q:{bad}").act(view) in range(9), i
        assert peak() < 4e6, i
    assert 5 < tables < 300  # some changes do no harm, and most do
