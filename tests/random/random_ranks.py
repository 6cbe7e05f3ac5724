#!/usr/bin/env python3
"""Ranks and damaged files: every command on random graph files, whole and damaged, on one process and on 1 to 5 ranks.

Whatever the file, a command ends in time, without a signal or a report of a sanitizer, with a documented exit code, one
sentence if it fails, and then no file. If it succeeds, one process and ranks have the same answer, which is that of a
plain reference on what the bytes of the file say. Each file has a seed of its own: --seed N --count 1 repeats it.
"""

import argparse
import gzip
import json
import os
import random
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import random_contents as contents
import random_damage as damage
import random_files as files
import random_reference as reference
from random_contents import Refused, Said, Unsure

INF = None
OWN_IDS = ("snap", "ldbc", "fringe")  # formats that keep them
FROM_ONE = ("mtx", "gr", "metis", "pajek")
LIMIT_S = 20  # of a command, where it has a core
HERE = os.path.dirname(os.path.abspath(__file__))
CODES = {0: ["OK"], 1: ["VERIFY_FAILED", "NEGATIVE_CYCLE"], 2: ["INVALID"],
         3: ["NOT_FOUND", "IO", "FORMAT", "UNSUPPORTED", "RANGE", "CHECKSUM", "NEGATIVE_WEIGHT"],
         4: ["OVERFLOW", "NOMEM", "NO_DEVICE", "DEVICE", "DISK", "RANK"]}  # fmt: skip
CODE_OF = {"FR_" + name: code for code, names in CODES.items() for name in names}
NO_GRAPH = {"gen", "list", "doctor", "help"}  # commands that read no file
SANITIZER = re.compile(r"ERROR: \w+Sanitizer|runtime error:|LeakSanitizer")


class Mismatch(Exception):
    pass


def environment():
    own = {"OMP_WAIT_POLICY": "passive", "LC_ALL": "C", "NO_COLOR": "1", "XDG_CACHE_HOME": os.devnull,
           "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
           "OMPI_MCA_rmaps_base_oversubscribe": "1"}  # fmt: skip
    out = {**os.environ, **own}
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
        out[name] = f"{os.environ.get(name, '')}:exitcode=99:allocator_may_return_null=1:print_stacktrace=1"
    return out


ENVIRONMENT = environment()


def limit_s():
    """On a busy machine a command gets a part of a core."""
    return LIMIT_S * max(1, os.getloadavg()[0] / (os.cpu_count() or 1))


class Tools:
    """The programs, and the large graph of this run, which is made anew at times."""

    def __init__(self, options):
        self.fringe = os.path.abspath(options.fringe)
        self.threads = os.path.abspath(options.ranks) if options.ranks else None
        self.mpirun, self.plugin = options.mpirun, options.plugin
        listed = json.loads(subprocess.run([self.fringe, "list", "--json"], capture_output=True, check=True).stdout)
        self.formats = [f["name"] for f in listed["formats"] if f["name"] in files.FORMATS]
        self.strategies = {problem: [row["name"] for row in listed["strategies"]
                                     if row["problem"] == problem and row["backend"] == "cpu"]
                           for problem in ("bfs", "sssp", "apsp")}  # fmt: skip
        self.folder = tempfile.mkdtemp(prefix="fringe-large-")
        self.large, self.uses = None, 0

    def convert(self, source, name, *words):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            subprocess.run([self.fringe, "convert", source, path, "-q", *words], check=True, env=ENVIRONMENT)
        return path

    def large_file(self, rng):
        """(path, format, Said) of the large graph in a random format."""
        if not self.large or self.uses >= 25:
            shutil.rmtree(self.folder)
            os.mkdir(self.folder)
            self.large, self.uses = contents.Large(rng.randrange(2**32)), 0
            with open(os.path.join(self.folder, "large.txt"), "w", encoding="ascii") as file:
                file.write(self.large.text)
            self.large.text = None
        self.uses += 1
        large, text = self.large, os.path.join(self.folder, "large.txt")
        direction = ["--undirected"] if large.undirected else []
        path = self.convert(text, "large.fringe", *direction)
        if os.path.getsize(path) <= 1 << 24:
            sys.exit("the large graph is not large")
        if large.listed or rng.random() < 0.6:
            return (self.packed(path), "fringe") if rng.random() < 0.1 else (path, "fringe")
        name = {"none": "el", "small": "wel", "wide": "wel", "eighths": "wel"}[large.kind]
        name = rng.choice([name, name, "mtx"] + (["sg"] if large.kind == "none" else []) +
                          (["wsg"] if large.kind == "small" else []))  # fmt: skip
        return self.convert(path, "large." + name), name

    def packed(self, path):
        if not os.path.exists(path + ".gz"):
            with open(path, "rb") as plain, gzip.open(path + ".gz", "wb", compresslevel=1) as file:
                file.write(plain.read())
        return path + ".gz"


# ---- damage --------------------------------------------------------------------------------------

def nasty(rng, n, m):
    return rng.choice([0, -1, 1, n - 1, n, n + 1, m - 1, m, m + 1, 2**31 - 1, 2**31, 2**32, -(2**31), 2**40, 2**62,
                       2**63 - 1, -(2**63), rng.randrange(-m - 5, m + 5), 2**59, 2**60 + 1])  # fmt: skip


def cut(rng, data):
    return min(rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)) if data else 0


def spoil_bytes(rng, data):
    """Flips, cuts off, removes, adds, repeats or clears bytes."""
    how = rng.choice(["flip", "flip", "cut", "remove", "add", "repeat", "clear", "random"])
    at, length = cut(rng, data), rng.choice([1, 1, 2, 8, 64, 5000])
    if how == "flip":
        for _ in range(rng.choice([1, 1, 3])):
            if data:
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif how == "cut":
        del data[at:]
    elif how == "remove":
        del data[at : at + length]
    elif how == "add":
        data[at:at] = rng.randbytes(min(length, 64))
    elif how == "repeat":
        data[at:at] = data[at : at + length]
    elif how == "clear":
        data[at : at + length] = bytes(len(data[at : at + length]))
    else:
        data[at : at + length] = rng.randbytes(len(data[at : at + length]))
    return how


def spoil_text(rng, data):
    """Changes a number or a line."""
    lines = data.split(b"\n")
    at = rng.choice([0, 0, 1, len(lines) - 2, rng.randrange(len(lines))]) % len(lines)
    how = rng.choice(["number", "number", "number", "no line", "two lines", "swap", "join", "junk", "blank"])
    if how == "number":
        numbers = list(re.finditer(rb"-?\d+", lines[at]))
        if numbers:
            place = rng.choice(numbers)
            new = rng.choice([str(nasty(rng, 20, 60)), "x", "", "nan", "inf", "1e400", "1.5", "99999999999999999999",
                              "007", "+3", "0x10", "3" * 300, place[0].decode() + "0", "1e-400"])  # fmt: skip
            lines[at] = lines[at][: place.start()] + new.encode() + lines[at][place.end() :]
    elif how == "no line":
        del lines[at]
    elif how == "two lines":
        lines.insert(at, lines[at])
    elif how == "swap":
        lines[at], lines[-1] = lines[-1], lines[at]
    elif how == "join":
        lines[at : at + 2] = [b" ".join(lines[at : at + 2])]
    elif how == "junk":
        lines.insert(at, rng.choice([b"#", b"%", b"* 3", b"a b", b"1", b"\x00", b"1 2 3 4 5", b"\xff\xfe", b"-"]))
    else:
        lines[at] = lines[at].replace(b" ", rng.choice([b"\t", b"  ", b",", b";", b"", b"\r"]), 1)
    data[:] = b"\n".join(lines)
    return how


def put_word(data, at, kind, value):
    bits = 8 * struct.calcsize(kind)
    if 0 <= at <= len(data) - bits // 8:
        struct.pack_into("=" + kind.upper(), data, at, value % 2**bits)


def spoil_rows(rng, data, places, n, m):
    """Sets a word of an array. places: (first byte, words, type)."""
    at, words, kind = rng.choice(places)
    middle = (words - 1) * rng.choice([1, 2, 2, 2, 3]) // 4  # where a search for the share of a rank looks first
    index = rng.choice([0, 1, words - 2, words - 1, rng.randrange(max(words, 1)), *[middle] * 4])
    place = at + index * struct.calcsize(kind)
    value = rng.choice([nasty(rng, n, m), nasty(rng, n, m), 2**31 - 1, None])
    if value is None and 0 <= place <= len(data) - 8:  # the next number is hard to notice
        value = struct.unpack_from("=" + kind, data, place)[0] ^ 1
    put_word(data, place, kind, value or 0)
    return f"word {index} of {at} set to {value}"


def spoil_fringe(rng, data):
    if len(data) < 256:
        return spoil_bytes(rng, data)
    before = bytes(data)
    kind, _, n, m, _ = struct.unpack_from("=IIqqq", data, 16)
    if rng.random() < 0.2:
        name = rng.choice(list(contents.FIELDS))
        word = "i" if 8 <= contents.FIELDS[name] < 24 else "q"
        put_word(data, contents.FIELDS[name], word, rng.choice([nasty(rng, n, m), n + 1, m - 1, rng.randrange(6)]))
        how = name
    elif rng.random() < 0.1:
        how = f"section {rng.randrange(18)}"
        put_word(data, 72 + 8 * int(how.split()[1]), "q", nasty(rng, n, m))
    else:
        sizes = [struct.unpack_from("=QQ", data, 72 + 24 * s) for s in range(4)]
        words = ["q", "i", contents.TYPES[kind] or "i", "q"]
        words = ["q" if w == "d" else "i" if w == "f" else w for w in words]
        places = [(at, size // struct.calcsize(w), w) for (at, size), w in zip(sizes, words) if size]
        how = spoil_rows(rng, data, places + places[:2] * 2, n, m)
    if rng.random() < 0.5:
        contents.mend_sums(before, data)
        how += ", sums mended"
    return how


def spoil_gap(rng, data, entry):
    if len(data) < 17:
        return spoil_bytes(rng, data)
    m, n = struct.unpack_from("=qq", data, 1)
    if rng.random() < 0.25:
        put_word(data, rng.choice([1, 9]), "q", nasty(rng, n, m))
        return "head"
    rows = 17 + 8 * (n + 1)
    return spoil_rows(rng, data, [(17, n + 1, "q"), (rows, m * entry // 4, "i"), (17, n + 1, "q")], n, m)


# ---- a file and what is run on it ------------------------------------------------------------------

class Case:
    def __init__(self, rng, tools, folder):
        self.rng, self.tools, self.folder = rng, tools, folder
        self.commands, self.how, self.options = [], "whole", []
        self.is_large = rng.random() < 0.35
        if self.is_large:
            self.make_large()
        else:
            self.make_small()
        self.certain = True  # whether self.said is sure, or if that is None, the refusal
        if rng.random() < (0.75 if self.is_large else 0.65):
            self.damage()
        elif not self.is_large and rng.random() < 0.5:
            self.choose_options()

    # ---- files ---------------------------------------------------------------------------------

    def make_large(self):
        path, self.name = self.tools.large_file(self.rng)
        self.said = self.tools.large.said()
        self.source = self.tools.large.root
        self.path = os.path.join(self.folder, os.path.basename(path))
        if self.name not in ("fringe", "el", "wel"):  # vertices by number there
            shift = 1 if self.name == "mtx" else 0
            self.said.ids = range(shift, len(self.said.ids) + shift)
            self.source += shift
        elif self.name != "fringe" and self.tools.large.undirected:
            self.options = []  # written in both directions
        os.symlink(path, self.path)

    def make_small(self):
        rng = self.rng
        self.name = rng.choice(self.tools.formats + ["el", "wel", "sg", "wsg", "mtx"])
        self.graph = files.graph_for(rng, self.name)
        self.path = files.put(rng, self.folder, self.name, self.graph)
        g = self.graph
        own = self.name in ("snap", "ldbc")
        first = 1 if self.name in ("mtx", "gr", "metis", "pajek") else 0
        ids = g.ids if own else list(range(first, first + g.n))
        self.said = Said(ids, g.edges(), g.real)
        self.source = rng.choice(ids)
        if rng.random() < 0.3:
            copy = os.path.join(self.folder, "copy.fringe")
            subprocess.run([self.tools.fringe, "convert", self.path, copy, "-q"], check=True, env=ENVIRONMENT)
            self.path, self.name = copy, "fringe"
            self.said.single = False

    def choose_options(self):
        rng, g = self.rng, self.graph
        direction, loops, unit = None, False, False
        if not g.skew and not g.undirected and rng.random() < 0.4:
            direction, self.options = "undirected", ["--undirected"]
        if not g.skew and rng.random() < 0.3:
            loops, self.options = True, self.options + ["--drop-loops"]
        if not g.skew and rng.random() < 0.2:
            self.options += ["--drop-parallel"]
        if g.weighted and rng.random() < 0.3:
            unit, self.options = True, self.options + ["--weights", "none"]
        single = not unit and g.kind in ("fraction", "spread", "eighths") and rng.random() < 0.3
        if single:
            self.options += ["--weight-type", "float32"]
        edges = g.edges(direction, loops, unit, single)
        self.said = Said(self.said.ids, edges, g.real and not unit, single)

    def damage(self):
        rng = self.rng
        path = self.path
        if self.name == "ldbc":
            path = os.path.join(self.folder, "graph" + rng.choice([".e", ".v", ".properties"]))
        with open(path, "rb") as file:
            before = file.read()
        data = bytearray(before)
        packed = os.path.splitext(path)[1] in (".gz", ".xz", ".bz2", ".zst")
        binary = self.name in ("sg", "wsg", "fringe")
        if packed or rng.random() < (0.1 if self.name == "fringe" else 0.25):
            self.how = spoil_bytes(rng, data)
        elif self.name == "fringe":
            self.how = spoil_fringe(rng, data)
        elif binary:
            self.how = spoil_gap(rng, data, 4 if self.name == "sg" else 8)
        else:
            self.how = spoil_text(rng, data)
        os.remove(path)
        with open(path, "wb") as file:
            file.write(data)
        if data != before:
            self.reconsider(path, before, data, packed)

    def reconsider(self, path, before, data, packed):
        """What the damaged bytes say: self.said, and whether it is certain."""
        self.certain = False
        if packed:  # its checksum lets nothing else pass, but the test's own frames have none
            self.said = None if path.endswith(".zst") else self.said
            return
        try:
            if self.name == "fringe":
                self.read_fringe(before, data)
            elif self.name in contents.READERS and (not self.is_large or self.name in ("sg", "wsg")):
                text = bytes(data).replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf")
                self.said = contents.READERS[self.name](data if self.name in ("sg", "wsg") else text)
                self.certain = True
            else:
                raise Unsure
        except Refused:
            self.said, self.certain = None, True
        except Unsure:
            self.said = None

    def read_fringe(self, before, data):
        h = 256
        ends = [(at, at + size) for at, size in (struct.unpack_from("=QQ", before, 72 + 24 * s) for s in range(4))]
        mended = "mended" in self.how
        same = data[:h] == before[:h] and len(data) == len(before)
        if same and all(data[a:b] == before[a:b] for a, b in ends):
            self.certain = True  # between the sections
            return
        if not mended:
            raise Refused
        self.said = contents.read_fringe(data)
        self.certain = True

    # ---- running -------------------------------------------------------------------------------

    def ended(self, command, out):
        """Runs a command; what holds for all of them."""
        self.commands.append(command)
        before = set(os.listdir(self.folder))
        begin = time.monotonic()
        try:
            done = subprocess.run(command, capture_output=True, env=ENVIRONMENT, timeout=limit_s(), check=False,
                                  cwd=self.folder)  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise Mismatch(f"no end after {time.monotonic() - begin:.0f} s") from error
        self.out, said = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        if SANITIZER.search(said) or done.returncode == 99:
            raise Mismatch(f"a sanitizer reports:\n{said[:3000]}")
        if done.returncode < 0 or done.returncode > 128:
            raise Mismatch(f"ended by a signal, {done.returncode}: {said[:500]}")
        left = set(os.listdir(self.folder)) - before
        kept = {"tuned"}  # a result of BFS stays when SSSP finds a negative cycle
        if done.returncode and "--cache" not in command and left - kept:
            raise Mismatch(f"exit {done.returncode}, but there is {left}: {said[:500]}")
        if out and not done.returncode and not os.path.exists(out):
            raise Mismatch(f"exit 0 without {out}")
        return done.returncode, said

    def sentence(self, code, said):
        lines = [line for line in said.splitlines() if line.startswith("fringe: ")]
        others = [line for line in said.splitlines() if line and not line.startswith("fringe: ")]
        if code not in CODES:
            raise Mismatch(f"exit {code} is not documented: {said[:500]}")
        if code > 1 and (len(lines) != 1 or others):
            raise Mismatch(f"exit {code} with other than one sentence: {said[:800]!r}")
        if code == 2:
            raise Mismatch(f"a file is called a wrong usage: {said[:500]}")
        return code, lines[0] if lines else ""

    def run(self, *words, out=None, usage=False):
        code, said = self.ended([self.tools.fringe, *map(str, words)], out)
        if usage and code == 2:
            return code, said
        return self.sentence(code, said)

    def run_ranks(self, ranks, problem, out):
        """Ranks as threads or, at times, as processes."""
        words = [problem, self.path]
        if self.tools.mpirun and self.rng.random() < (0.1 if self.tools.threads else 1):
            command = [self.tools.mpirun, "-x", "FRINGE_MPI=" + self.tools.plugin, "-n", ranks, self.tools.fringe,
                       *words, "-s", self.source, "--ranks", "--verify", "-q", "-o", out, *self.options]  # fmt: skip
            code, said = self.ended([str(w) for w in command], out)
            said = "\n".join(line for line in said.splitlines() if line.startswith("fringe: "))
            return self.sentence(code, said)
        command = [self.tools.threads, str(ranks), *words, str(self.source), out, *self.options]
        code, said = self.ended(command, out)
        if code > 1:
            raise Mismatch(f"{ranks} ranks end with {code}: {said}")
        name = self.out.strip()
        if (code == 0) != (name == "FR_OK") or name not in CODE_OF:
            raise Mismatch(f"{ranks} ranks end with {code}, {name!r}: {said}")
        return self.sentence(CODE_OF[name], "fringe: " + said if code else "")

    # ---- comparing -----------------------------------------------------------------------------

    @staticmethod
    def lines_of(path):
        """The lines of an answer without the parents."""
        with open(path, encoding="ascii") as file:
            return [line.rpartition("\t")[0] for line in file.read().splitlines()[1:]]

    @staticmethod
    def table(path):
        with open(path, encoding="ascii") as file:
            return file.read().splitlines()[1:]

    @staticmethod
    def values(path):
        with open(path, encoding="ascii") as file:
            return [line.split("\t")[:2] for line in file.read().splitlines()[1:]]

    @staticmethod
    def number(text):
        if text in ("inf", "-inf"):
            return INF if text == "inf" else text
        return float(text) if any(c in text for c in ".en") else int(text)

    def equal(self, what, lines, said, wanted):
        if said.known and lines == self.tools.large.rows(what, said.ids):
            return
        rows = [line.split("\t") for line in lines]
        if len(rows) != len(wanted):
            raise Mismatch(f"{what}: {len(rows)} vertices, not {len(wanted)}")
        for (v, text), i, value in zip(rows, said.ids, wanted):
            got = INF if text == "-1" and what.startswith("bfs") else self.number(text)
            if v != str(i) or not said.near(got, value):
                raise Mismatch(f"{what}: vertex {v} has {text}; vertex {i} has {value}")

    def alike(self, what, lines, others):
        """Two answers of fringe; floats may have another type."""
        if lines == others:
            return
        rows, first = [line.split("\t") for line in lines], [line.split("\t") for line in others]
        if len(rows) != len(first):
            raise Mismatch(f"{what}: {len(rows)} vertices, not {len(first)}")
        for (v, a), (u, b) in zip(rows, first):
            x, y = self.number(a), self.number(b)
            close = isinstance(x, float) or isinstance(y, float)
            if v != u or (x != y and not (close and x and y and abs(x - y) <= 1e-4 * max(abs(x), abs(y), 1e-30))):
                raise Mismatch(f"{what}: vertex {v} has {a}, one process has {b} for {u}")

    def expected(self, what, code, said):
        """Checks a code against what the file says; whether there is an answer to compare."""
        if self.certain and self.said is None and code == 0:
            raise Mismatch(f"{what}: exit 0, but the file is damaged ({self.how})")
        if self.certain and self.said is None and code != 3 and code != 4:
            raise Mismatch(f"{what}: exit {code} on a damaged file ({self.how}): {said}")
        return code == 0

    def wild(self):
        """Damage with matching sums may leave a file that says it is undirected and is not: any answer is right."""
        if self.said is None:
            return self.name == "fringe" and "mended" in self.how
        return not self.said.mirrored

    def search(self, problem):
        rng = self.rng
        out = os.path.join(self.folder, "one.tsv")
        code, said = self.run(problem, self.path, "-s", self.source, *self.options, "-j", rng.choice([1, 2, 3]),
                              *self.strategy(problem), "--parents", rng.choice(["any", "min-id", "nearest"]),
                              "--verify", "-q", "-o", out, out=out)  # fmt: skip
        there = self.expected(problem, code, said)
        rows = self.lines_of(out) if there else None
        wild = self.wild()
        known = self.said is not None and self.source in self.said.ids and not wild
        place = self.said.ids.index(self.source) if known else 0
        if known and (self.certain or there):
            wanted = self.said.answer(problem, place)
            self.one_process(problem, code, said, rows, wanted)
        elif self.certain and self.said is not None and not wild and code != 3:
            raise Mismatch(f"{problem}: exit {code} without the source: {said}")
        for ranks in sorted(rng.sample(range(1, 6), 3 if self.is_large else 2)):
            self.by_ranks(problem, ranks, code, said, rows, wild)

    def strategy(self, problem):
        """Some refuse weights below 0, and multi-bfs all."""
        if self.how != "whole" or self.said.negative:
            return []
        names = [name for name in self.tools.strategies[problem] if name != "multi-bfs"]
        return ["--strategy", self.rng.choice(names)]

    def one_process(self, problem, code, said, rows, wanted):
        if wanted is None:
            if code not in (1, 4):
                raise Mismatch(f"{problem}: exit {code}, but there is a negative cycle: {said}")
        elif code == 4 and "fit" in said:
            if self.certain and not self.said.real and all(d is INF or reference.fits(d) for d in wanted):
                raise Mismatch(f"{problem}: {said}")
        elif code:
            raise Mismatch(f"{problem}: exit {code}, but the file is a graph ({self.how}): {said}")
        else:
            self.equal(problem, rows, self.said, wanted)

    def by_ranks(self, problem, ranks, code, said, rows, wild):
        out = os.path.join(self.folder, f"ranks{ranks}.tsv")
        what = f"{problem} on {ranks} ranks"
        mine, why = self.run_ranks(ranks, problem, out)
        self.expected(what, mine, why)
        refused = problem == "sssp" and mine == 3 and "weights of at least 0" in why
        if refused and self.certain and self.said is not None and not self.said.negative:
            raise Mismatch(f"{what}: {why}")
        names = mine == 3 and "ids that are integers" in why or "have names" in why
        if not refused and not names and not wild and mine != code:
            raise Mismatch(f"{what}: exit {mine}, one process {code} ({self.how}): {why or said}")
        if mine == 0 and rows is not None and not wild:
            self.alike(what, self.lines_of(out), rows)

    # ---- the other commands ----------------------------------------------------------------------

    def graph_command(self, name, *words, out=None, usage=False):
        code, said = self.run(name, self.path, *words, *self.options, out=out, usage=usage)
        self.expected(name, code, said)
        return code, said

    def do_bfs(self):
        self.search("bfs")

    def do_sssp(self):
        self.search("sssp")

    def do_apsp(self):
        out = os.path.join(self.folder, "rows." + self.rng.choice(["tsv", "npy"]))
        code, _ = self.graph_command("apsp", "-s", self.source, *self.strategy("apsp"), "-q", "-o", out, out=out)
        known = self.said and self.source in self.said.ids and not self.wild()
        if code == 0 and known and not self.said.known and out.endswith("tsv"):
            wanted = self.said.answer("sssp", self.said.ids.index(self.source))
            self.equal("apsp", [line.partition("\t")[2] for line in self.table(out)], self.said, wanted)

    def do_path(self):
        target = self.rng.choice(self.said.ids) if self.said and self.said.ids else self.source
        code, _ = self.graph_command("path", "-s", self.source, "-t", target, "--json")
        if code == 0 and self.said and self.said.mirrored and not self.said.negative and self.source in self.said.ids:
            got = json.loads(self.out)
            want = self.said.answer(got["problem"], self.said.ids.index(self.source))[self.said.ids.index(target)]
            if not self.said.near(got["distance"], want):
                raise Mismatch(f"path to {target}: {got['distance']}, not {want}")

    def do_info(self):
        code, _ = self.graph_command("info", "--json")
        if code == 0 and self.said and "--drop-parallel" not in self.options:
            got = json.loads(self.out)
            want = (len(self.said.ids), None if self.said.known else len(self.said.edges))
            if got["n"] != want[0] or want[1] not in (None, got["m"]):
                raise Mismatch(f"info has {got['n']} vertices, {got['m']} edges, not {want}")

    def do_components(self):
        out = os.path.join(self.folder, "parts.tsv")
        code, _ = self.graph_command("components", "-q", "-o", out, out=out)
        if code == 0 and self.said and self.said.mirrored:
            n = len(self.said.ids)
            want = [0] * n if self.said.known else reference.components(n, self.said.edges, False)
            if [row[1] for row in self.values(out)] != [str(label) for label in want]:
                raise Mismatch("components differ from the reference")

    def do_centrality(self):
        measure = "betweenness" if self.is_large else self.rng.choice(
            ["betweenness", "closeness", "harmonic", "eccentricity", "diameter"])  # fmt: skip
        words = ["--samples", 1] if measure == "betweenness" else []
        self.graph_command("centrality", "--measure", measure, *words, "-q")

    def do_cycle(self):
        code, said = self.graph_command("cycle", "-q")
        if code < 2 and self.certain and self.said and not self.said.known and self.said.mirrored:
            there = reference.has_negative_cycle(len(self.said.ids), self.said.edges)
            if code != there:
                raise Mismatch(f"exit {code}, with {'a' if there else 'no'} negative cycle: {said}")

    def do_convert(self):
        """The copy says the same, whatever its format."""
        name = self.rng.choice(["fringe"] * 3 + self.tools.formats)
        suffix = ".fringe" if name == "fringe" else self.rng.choice(files.FORMATS[name][0])
        out = os.path.join(self.folder, "other" + suffix)
        code, _ = self.graph_command("convert", out, "-q", out=out)
        if code or not self.said or self.wild() or self.said.known:
            return
        if name == "fringe" and self.said.edges:
            one, two = (self.info(path) for path in (self.path, out))
            if "mended" not in self.how and one != two:  # a hash is taken as it is written
                raise Mismatch(f"the copy has {two}, not {one}")
        self.search_copy(out, name)

    def search_copy(self, path, name):
        """Vertices of the copy have their numbers, or their ids where the format keeps them."""
        n = len(self.said.ids)
        ids = self.said.ids if name in OWN_IDS else range(name in FROM_ONE, n + (name in FROM_ONE))
        place, out = self.rng.randrange(n), os.path.join(self.folder, "copied.tsv")
        self.run("bfs", path, "-s", ids[place], "-q", "-o", out, out=out)
        self.equal("bfs of a copy", self.lines_of(out), Said(ids, self.said.edges), self.said.answer("bfs", place))

    def info(self, path):
        self.run("info", path, "--json", *(self.options if path == self.path else []))
        got = json.loads(self.out)
        return got["n"], got["m"], got["graph"]["hash"]

    def do_verify(self):
        """A right answer, and the same damaged."""
        out = os.path.join(self.folder, "answer." + self.rng.choice(["tsv", "npy"]))
        problem = self.rng.choice(["bfs", "sssp"])
        code, _ = self.graph_command(problem, "-s", self.source, "-q", "-o", out, out=out)
        if code:
            return
        words = ["verify", self.path, out, "-s", self.source, "--problem", problem, *self.options]
        code, said = self.run(*words, "-q")
        if code and not self.wild():
            raise Mismatch(f"verify refuses fringe's own answer: {said}")
        with open(out, "rb") as file:
            data = bytearray(file.read())
        before = self.answer_of(out)
        how = spoil_bytes(self.rng, data) if out.endswith("npy") or self.rng.random() < 0.3 else spoil_text(self.rng, data)
        with open(out, "wb") as file:
            file.write(data)
        code, said = self.run(*words, "-q", usage=True)
        after = self.answer_of(out)
        if code == 0 and None not in (before, after) and before != after and self.said and not self.said.real:
            raise Mismatch(f"verify accepts a damaged answer ({how})")

    def answer_of(self, path):
        if path.endswith("npy"):
            return None
        try:
            with open(path, encoding="ascii") as file:
                rows = [line.split("\t")[:2] for line in file.read().splitlines() if not line.startswith("vertex")]
            return {int(v): self.number(text) for v, text in rows}
        except ValueError:
            return None

    def do_bench(self):
        self.graph_command("bench", "--sources", 1, "--repeat", 1, "--strategies", "auto", "--json")

    def do_compare(self):
        self.lines("compare", "lines.jsonl", "lines.jsonl")

    def do_roofline(self):
        self.lines("roofline", "lines.jsonl", "lines.jsonl")

    def lines(self, *words):
        path = os.path.join(self.folder, "lines.jsonl")
        code, _ = self.graph_command("bench", "--sources", 1, "--repeat", 3, "--strategies", "auto", "--json")
        if code:
            return
        data = bytearray(self.out.encode())
        self.rng.choice([spoil_text, spoil_bytes])(self.rng, data)
        with open(path, "wb") as file:
            file.write(data)
        self.run("bench", *words, usage=True)

    def do_tune(self):
        if self.is_large:
            return
        cache = os.path.join(self.folder, "tuned")
        code, _ = self.graph_command("tune", "--seconds", 0.02, "--tuning-cache", cache, "-q")
        if code:
            return
        with open(cache, "rb") as file:
            data = bytearray(file.read())
        self.rng.choice([spoil_text, spoil_bytes])(self.rng, data)
        with open(cache, "wb") as file:
            file.write(data)
        self.run("bfs", self.path, "-s", self.source, *self.options, "--tuning-cache", cache, "-q", usage=True)

    def do_graph500(self):
        """Ranks alone; no file."""
        if self.tools.mpirun:
            ranks, scale = str(self.rng.randint(1, 5)), str(self.rng.randint(1, 7))
            code, said = self.ended([self.tools.mpirun, "-x", "FRINGE_MPI=" + self.tools.plugin, "-n", ranks,
                                     self.tools.fringe, "graph500", "--scale", scale, "--sources", "2",
                                     "--seed", str(self.rng.randrange(1000)), "--ranks"], None)  # fmt: skip
            if code:
                raise Mismatch(f"graph500 on {ranks} ranks: exit {code}: {said}")

    def cached(self):
        """A damaged cache is replaced: the answer is the file's."""
        if self.name == "ldbc" or self.how != "whole":
            return
        cache = self.path + ".fringe-cache"
        words = ["bfs", self.path, "-s", self.source, *self.options, "--cache", "-q", "-o"]
        one, two = (os.path.join(self.folder, name) for name in ("cached1.tsv", "cached2.tsv"))
        self.run(*words, one, out=one)
        if os.path.exists(cache):
            with open(cache, "rb") as file:
                data = bytearray(file.read())
            how = self.rng.choice([spoil_bytes, spoil_fringe])(self.rng, data)
            if "mended" in how:
                return
            with open(cache, "wb") as file:
                file.write(data)
        self.run(*words, two, out=two)
        if self.values(one) != self.values(two):
            raise Mismatch("the answer changes with a damaged cache")

    def pairs(self):
        """Lists of vertices and edges beside a graph."""
        path = os.path.join(self.folder, "list.txt")
        ids = [self.source, *self.said.ids[:9]] if self.said else [self.source]
        kind = self.rng.choice(["--pairs", "--closed-vertices", "--closed-edges", "--coordinates"])
        line = {"--closed-vertices": "{}\n", "--coordinates": "v {} {} {}\n"}.get(kind, "{} {}\n")
        data = bytearray("".join(line.format(v, self.rng.choice(ids), 3) for v in ids).encode())
        self.rng.choice([spoil_text, spoil_bytes])(self.rng, data)
        with open(path, "wb") as file:
            file.write(data)
        words = {"--pairs": ["path", self.path, "--pairs", path],
                 "--coordinates": ["path", self.path, "-s", self.source, "-t", self.source, "--algorithm", "astar",
                                   "--coordinates", path]}  # fmt: skip
        self.run(*words.get(kind, ["bfs", self.path, "-s", self.source, kind, path, "-q"]), *self.options, usage=True)

    def refused(self):
        """A file that no reader may take for a graph."""
        path, why = damage.put(self.rng, self.folder, self.tools.formats)
        code, said = self.run("info", path)
        if code != 3:
            raise Mismatch(f"exit {code} for a file that has {why}: {said}")

    WAYS = {"bench compare": do_compare, "bench roofline": do_roofline}

    def way(self, command):
        return self.WAYS[command].__get__(self) if command in self.WAYS else getattr(self, "do_" + command)

    def all(self, commands):
        for problem in ("bfs", "sssp") if self.rng.random() < 0.7 else ("bfs",):
            self.search(problem)
        others = [c for c in commands if c not in ("bfs", "sssp")]
        for command in self.rng.sample(others, 1 if self.is_large else 3):
            self.way(command)()
        if not self.is_large and self.rng.random() < 0.3:
            self.rng.choice([self.cached, self.pairs, self.refused])()


# ---- the program ---------------------------------------------------------------------------------

def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fringe", default="build/fringe", help="the command (default %(default)s)")
    parser.add_argument("--ranks", default="build/tests/ranks/ranks_of_file",
                        help="ranks as threads (default %(default)s; empty: none)")  # fmt: skip
    parser.add_argument("--mpirun", default="", help="mpirun, with --plugin: also ranks as processes")
    parser.add_argument("--plugin", default="", help="fringe-mpi.so")
    parser.add_argument("--seconds", type=float, help="stop after so long (default: RANDOM_SECONDS of the environment, "
                                                      "else 25)")  # fmt: skip
    parser.add_argument("--count", type=int, default=0, help="number of files after which to stop (default 0: never)")
    parser.add_argument("--seed", type=int, help="of the first file (default: by the commit)")
    parser.add_argument("--keep", default="random-found", help="folder for what fails (default %(default)s)")
    parser.add_argument("--go-on", action="store_true", help="list every mismatch instead of stopping at the first")
    options = parser.parse_args()
    if options.seconds is None:
        options.seconds = float("inf") if options.count else float(os.environ.get("RANDOM_SECONDS", 25))
    if options.seed is None:
        options.seed = seed_of_commit()
    return options


def seed_of_commit():
    said = subprocess.run(["git", "-C", HERE, "rev-parse", "--short=8", "HEAD"], capture_output=True, check=False)
    return int(said.stdout, 16) if said.returncode == 0 and said.stdout.strip() else int(time.time())


def commands_of(tools):
    """The commands of the command's own help: each has a way here or reads no file."""
    text = subprocess.run([tools.fringe, "--help"], capture_output=True, text=True, check=True).stdout
    part = text.split("Commands:\n")[1].split("\n\n")[0]
    names = [m[1] for m in re.finditer(r"^  (\S+(?: \S+)*?) {1,}(?:\S.*)?$", part, re.M)]
    names = [re.split(r"  +", line.strip())[0] for line in part.splitlines() if re.match(r"  \S", line)]
    names = [" ".join(n.split()[:2]) if n.startswith("bench ") else n.split()[0] for n in names]
    missing = [n for n in names if n not in NO_GRAPH and n not in Case.WAYS and not hasattr(Case, "do_" + n)]
    if missing or len(names) < 10:
        sys.exit(f"commands without a way in this test: {missing} of {names}")
    return [n for n in names if n not in NO_GRAPH]


def keep(folder, where, seed, case, why):
    place = os.path.join(where, str(seed))
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(folder, place)
    with open(os.path.join(place, "commands.sh"), "w", encoding="utf-8") as file:
        file.write("".join(shlex.join(command).replace(folder, ".") + "\n" for command in case.commands))
        file.write("".join(f"# {line}\n" for line in str(why).splitlines()))
    return place


def one(seed, options, tools, commands):
    with tempfile.TemporaryDirectory(prefix="fringe-ranks-") as folder:
        case = Case.__new__(Case)
        case.commands, case.name, case.how = [], "?", "?"
        try:
            case.__init__(random.Random(seed), tools, folder)
            case.all(commands)
            return None
        except (Mismatch, ValueError, KeyError, IndexError, TypeError, subprocess.CalledProcessError) as error:
            place = keep(folder, options.keep, seed, case, error)
            last = shlex.join(case.commands[-1]).replace(folder, place) if case.commands else "no command yet"
            return f"seed {seed}: {case.name}, {case.how}: {type(error).__name__}: {error}\n  {last}"


def main():
    options = parse()
    tools = Tools(options)
    try:
        commands, begin, done, failed, seed = commands_of(tools), time.monotonic(), 0, 0, options.seed
        print(f"files from seed {seed}, at most {options.seconds:g} s", flush=True)
        while time.monotonic() - begin < options.seconds and (options.go_on or not failed):
            if options.count and done == options.count:
                break
            found = one(seed, options, tools, commands)
            done, failed, seed = done + 1, failed + bool(found), seed + 1
            if found:
                print(f"after {time.monotonic() - begin:.0f} s: {found}", flush=True)
        print(f"{done} files in {time.monotonic() - begin:.1f} s, {failed} with a mismatch")
        if failed:
            print(f"again: {sys.argv[0]} --seed SEED --count 1; files and commands: {options.keep}/SEED/")
        return 1 if failed or not done else 0
    finally:
        shutil.rmtree(tools.folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
