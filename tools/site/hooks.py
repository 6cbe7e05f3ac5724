"""What mkdocs.yml adds to the files of docs/: the README as the first page, files of the repository that the pages
link to, the notebooks, the references of the C library and of the Python package, and the plots of the papers.

Every Markdown file is written for a checkout, so that its relative links lead to files of the repository. A link to a
Markdown file or a source outside docs/ leads to a copy below `repository/` of the site, a link to a public header to
the API reference; a link to a folder that has no README.md becomes its text.
"""

import json
import os
import posixpath
import re
import sys

from mkdocs.structure.files import File

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import api_reference  # noqa: E402  # from tools/

PLOTS = os.path.join(ROOT, "build", "site", "plots")  # of papers/lab/draw.py
FIGURE = re.compile(r"\*Figure: ([^*]*)\.\* <!-- ([\w-]+\.svg) -->")
API = "api.md"  # tools/api_reference.py's page; links to include/ lead there
OUTSIDE = "repository/"
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^()\s]+)\)")
FENCE = re.compile(r"^ {0,3}(```|~~~)")
NOTEBOOKS = {"notebooks/roads.md": "examples/roads.ipynb", "notebooks/web.md": "examples/web.ipynb"}
FUNCTIONS = """bfs sssp bfs_each sssp_each apsp distances path load_coordinates centrality eccentricity
diameter radius estimate_memory formats generators strategies devices version"""
CLASSES = "Graph Result Solver Router Path Level Components Cycle Device"
REFERENCE = {
    "python-api/pyfringe.md": ("pyfringe", [f"pyfringe.{name}" for name in f"{CLASSES} {FUNCTIONS}".split()]),
    "python-api/csgraph.md": ("pyfringe.csgraph", ["pyfringe.csgraph"]),
    "python-api/draw.md": ("pyfringe.draw", ["pyfringe.draw"]),
    "python-api/errors.md": ("Exceptions", ["pyfringe.errors"]),
}  # fmt: skip


def page_of(path):
    """The site's address of a file of the repository; None for a folder without README.md."""
    if os.path.isdir(os.path.join(ROOT, path)):
        path = posixpath.join(path, "README.md")
    if not os.path.isfile(os.path.join(ROOT, path)):
        return None
    if path == "README.md":
        return "index.md"
    if path.startswith("docs/"):
        return path[len("docs/") :]
    if path.startswith("include/"):
        return API
    shown = path.endswith((".md", ".svg", ".png"))
    return OUTSIDE + path + ("" if shown else ".txt")


def source_of(page):
    """The file of the repository whose text a page has."""
    if page == "index.md":
        return "README.md"
    if page in NOTEBOOKS:
        return NOTEBOOKS[page]
    return page[len(OUTSIDE) :] if page.startswith(OUTSIDE) else "docs/" + page


def outside_code(markdown):
    """(begin, end) of each part that is not fenced code."""
    fence, begin, position = None, 0, 0
    for line in markdown.splitlines(keepends=True):
        mark = FENCE.match(line)
        if mark and fence is None:
            yield begin, position
            fence = mark[1]
        elif mark and fence == mark[1]:
            fence, begin = None, position + len(line)
        position += len(line)
    if fence is None:
        yield begin, position


def links(markdown, source):
    """(match, repository path, anchor) of each relative link outside code."""
    for begin, end in outside_code(markdown):
        for match in LINK.finditer(markdown, begin, end):
            file, _, anchor = match[3].partition("#")
            if file and not re.match(r"[a-z][a-z+.-]*:", match[3]):
                yield match, posixpath.normpath(posixpath.join(posixpath.dirname(source), file)), anchor


def with_site_links(markdown, page):
    made, end = [], 0
    for match, path, anchor in links(markdown, source_of(page)):
        target = page_of(path)
        text = match[2] if os.path.exists(os.path.join(ROOT, path)) else match[0]  # mkdocs names a dead link
        if target:
            address = posixpath.relpath(target, posixpath.dirname(page) or ".")
            text = f"{match[1]}[{text}]({address}{'#' if anchor else ''}{anchor})"
        made += [markdown[end : match.start()], text]
        end = match.end()
    return "".join(made) + markdown[end:]


def as_python_markdown(markdown):
    """What GitHub reads otherwise: a list right after a paragraph, and `[n][n]` in prose, which is no reference."""
    item = r"(?:[*-]|\d+\.) "
    begins = re.compile(rf"^(?!{item}|  |\s*$)(.*\S.*\n)(?={item})", re.M)
    brackets = re.compile(r"`[^`]*`|\]\[")
    made, end = [], 0
    for begin, stop in outside_code(markdown):
        prose = brackets.sub(lambda found: "]\\[" if found[0] == "][" else found[0], markdown[begin:stop])
        made += [markdown[end:begin], begins.sub(r"\1\n", prose)]
        end = stop
    return "".join(made) + markdown[end:]


def notebook_page(path):
    """A notebook with its stored outputs as Markdown."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    made = []
    for cell in cells:
        text = "".join(cell["source"])
        made.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        made += [output_text(output) for output in cell.get("outputs", [])]
    return "\n\n".join(made) + "\n"


def output_text(output):
    data = output.get("data", {})
    if "image/png" in data:
        return f"![output](data:image/png;base64,{''.join(data['image/png']).strip()})"
    text = "".join(output.get("text", data.get("text/plain", "")))
    return f"```text\n{text.rstrip()}\n```"


def reference_page(title, names):
    return f"# {title}\n\n" + "\n\n".join(f"::: {name}" for name in names) + "\n"


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def linked(pages):
    """Files outside docs/ that the pages link to, and what those link to in turn."""
    found, waiting = {}, list(pages)
    while waiting:
        page = waiting.pop()
        for _, path, _ in links(read(source_of(page)), source_of(page)):
            target = page_of(path)
            if target and target.startswith(OUTSIDE) and target not in found:
                found[target] = source_of(target).removesuffix(".txt") if not path.endswith(".txt") else path
                if target.endswith(".md"):
                    waiting.append(target)
    return found


def on_files(files, config):
    own = [file.src_uri for file in files if file.src_uri.endswith(".md")]
    generated = {"index.md": read("README.md"), API: api_reference.page()}
    generated.update({page: notebook_page(path) for page, path in NOTEBOOKS.items()})
    generated.update({page: reference_page(*what) for page, what in REFERENCE.items()})
    for page, content in generated.items():
        files.append(File.generated(config, page, content=content))
    for page, path in linked([*own, "index.md"]).items():
        files.append(File.generated(config, page, abs_src_path=os.path.join(ROOT, path)))
    for plot in sorted(os.listdir(PLOTS)):
        files.append(File.generated(config, OUTSIDE + "papers/pages/plots/" + plot, abs_src_path=os.path.join(PLOTS, plot)))
    return files


def on_page_markdown(markdown, page, **_):
    if page.file.src_uri in REFERENCE:
        return markdown
    if page.file.src_uri.startswith("migrate/"):
        page.meta["hide"] = ["toc"]  # room for the wide tables
    markdown = FIGURE.sub(r"![\1](plots/\2)", with_site_links(markdown, page.file.src_uri))
    return as_python_markdown(markdown)
