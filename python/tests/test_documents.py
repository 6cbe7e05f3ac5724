"""The programs in Python of README, the guide, the migration pages, docs/not-for.md and the notebooks give what is said."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not (ROOT / "docs/migrate").exists(), reason="not in a checkout")


def run(script, *arguments):
    words = [sys.executable, ROOT / script, *arguments]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)


def test_migration_pages():
    pytest.importorskip("igraph")
    ran = run("bench/python/snippets.py")
    assert ran.returncode == 0 and ran.stdout.count("as they should be") == 4, ran.stdout + ran.stderr


def test_recipes(capsys):
    page = (ROOT / "docs/not-for.md").read_text(encoding="utf-8")
    programs = re.findall(r"^```python\n(.*?)^```$", page, re.S | re.M)
    assert len(programs) == 2
    for program in programs:
        exec(program, {})
    assert f"prints `{capsys.readouterr().out.strip()}`" in page


def test_readme(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    (program,) = re.findall(r"^```python\n(.*?)^```$", pathlib.Path("README.md").read_text(encoding="utf-8"), re.S | re.M)
    exec(program, {})
    assert re.match(r"\[ +0 +5372 ", capsys.readouterr().out)


def test_guide_of_networkx():
    nx = pytest.importorskip("networkx")
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    programs = re.findall(r"^```python\n((?!>>>).*?)^```$", page, re.S | re.M)  # those with >>> are doctests
    here = [p for p in programs if "cupy" not in p]
    assert len(programs) == 3 and len(here) == 1
    with nx.config(backend_priority=[]):
        exec(here[0], {"G": nx.path_graph(4)})


def test_a_wrong_snippet_is_found(tmp_path):
    text = "# Page\n\n```python\nx = 1\n```\n\n| to get | A | B |\n|---|---|---|\n| one | `x` | `x + {}` |\n\n"
    wrong = {"`x.bit_length()`": (0, "1 samples of the text"), "`x.no()`": (1, "no attribute"), "    x = y\n": (1, "NameError"),
             "```python\nassert x == 2\n```\n": (1, "AssertionError")}  # fmt: skip
    cases = [(text.format(1), 1, "differ"), *((text.format(0) + end, *expected) for end, expected in wrong.items())]
    for page, code, said in cases:
        (tmp_path / "page.md").write_text(page)
        ran = run("bench/python/snippets.py", tmp_path / "page.md")
        assert ran.returncode == code and said in ran.stdout + ran.stderr, ran.stdout + ran.stderr


def test_notebooks():
    pytest.importorskip("nbclient")
    ran = run("tools/notebooks.py")
    assert ran.returncode == 0 and ran.stdout.count("cells give what is stored") == 2, ran.stdout + ran.stderr


def test_a_stale_notebook_is_found(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    cell = nbformat.v4.new_code_cell("1 + 1", id="one")
    cell.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": "3"}, execution_count=1)]
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "stale.ipynb")
    ran = run("tools/notebooks.py", tmp_path / "stale.ipynb")
    assert ran.returncode == 1 and "stored is ['3']" in ran.stdout, ran.stdout + ran.stderr
