"""What the tests of bench/ share."""

import contextlib
import io
import os
import stat
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, os.pardir, os.pardir))
BENCH = os.path.join(ROOT, "bench")
FRINGE = os.environ.get("FRINGE", os.path.join(ROOT, "build", "fringe"))
sys.path.insert(0, BENCH)


class BenchCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name, text=None):
        """A path in the test's own folder, written when text is given."""
        path = os.path.join(self.folder, name)
        if text is not None:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def program(self, name, lines):
        """A shell script in place of a peer."""
        path = self.path(name, "#!/bin/sh\n" + lines + "\n")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def script(self, *words, **env):
        """A script of bench/ as a user runs it: the finished process."""
        words = [sys.executable, "-B", os.path.join(BENCH, words[0]), *words[1:]]
        clean = {k: v for k, v in os.environ.items() if k not in ("GAPBS", "LAGRAPH", "GUNROCK")}
        return subprocess.run(words, capture_output=True, text=True, env={**clean, **env}, check=False)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def quietly(function, *arguments):
    """(what it returned, what it printed)."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        result = function(*arguments)
    return result, out.getvalue()
