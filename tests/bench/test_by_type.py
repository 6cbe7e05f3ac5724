"""bench/by_type.py: a row per distribution, equal weights run as BFS, and a graph that cannot be read fails."""

import json
import os
import subprocess
import sys
import tempfile

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../bench/by_type.py")


def run(*words):
    return subprocess.run([sys.executable, "-B", SCRIPT, "--sources", "2", *words], capture_output=True, text=True,
                          check=False)  # fmt: skip


with tempfile.TemporaryDirectory() as folder:
    lines = os.path.join(folder, "lines")
    done = run("--output", lines, os.environ["FRINGE"], "kronecker:scale=11,seed=1")
    assert done.returncode == 0, done.stdout + done.stderr
    with open(lines, encoding="utf-8") as file:
        found = {line["distribution"]: line for line in map(json.loads, file)}
    assert len(found) == 11 and len(done.stdout.splitlines()) == 13, done.stdout
    for name in ("all 1", "all 0.1"):
        assert found[name]["strategy"] == found["BFS"]["strategy"] != found["float32"]["strategy"], found[name]
        assert 0 < found[name]["edges_m"] < found["float32"]["edges_m"], found[name]
    assert found["all 0.1"]["dist_type"] == "float64"
    for line in found.values():
        assert line["call_ms"][1] >= line["traverse_ms"][1] > 0 and line["sources"] == 2, line
    wrong = run("--weights", "float64", os.environ["FRINGE"], os.path.join(folder, "no-such-file"))
    assert wrong.returncode == 1 and "no-such-file" in wrong.stdout, wrong.stdout
