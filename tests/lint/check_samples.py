#!/usr/bin/env python3
"""The commands and the programs in C of README and the guide run as they are printed.

usage: check_samples.py SOURCE_DIR BUILD_DIR

A command is an indented line that begins with `fringe`, or with `$ fringe`, whose output follows. All run in one folder, in
the order of the page, beside the files that it speaks of (FILES) and a link to data/. The blocks in C become one program,
each in the scope of those before it. The rest of README is run by
check_install.sh (C), python/tests/test_documents.py (Python) and bare_root.sh (make, pip).
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
# before the commands with this text: a file, unless it is there, and its content
FILES = (
    ("roads.csv --weight", "roads.csv", "id,from,to,minutes\n9,1,2,30\n8,2,3,40\n"),
    ("roads.csv --ids", "roads.csv", 'from,to,km\nAmsterdam,Utrecht,45\nUtrecht,"Den Haag, HS",60\n'),
    ("europe.csv", "europe.csv", "1;2;1,5\n2;3;0,5\n"),
    ("cal.cedge", "cal.cedge", "0 0 1 0.5\n1 1 2 0.25\n"),
    ("trips.txt", "trips.txt", "1 62665\n7 9\n"),
    ("works.txt", "works.txt", "12297\n"),
    ("bridges.txt", "bridges.txt", "12297 12319\n"),
)
NOT_RUN = ("cudaMalloc", "fr_device_csr")  # blocks in C that need CUDA
BEFORE = (  # what a block with this text uses and does not show
    ("FR_PROBLEM_BFS, NULL", """graph = NULL;
        must(fr_graph_load(ctx, "data/amsterdam-roads.gr.zst", NULL, &graph), 0);
        int32_t n = fr_graph_vertex_count(graph), *level = room(n), *parent = room(n);"""),
    ("fr_output", """int32_t source = 0;
        fr_query query = {.sources = &source, .source_count = 1};
        fr_result result = {.level = level};
        must(fr_solver_new(ctx, graph, FR_PROBLEM_BFS, NULL, &solver), 0);
        must(fr_solve(solver, &query, &result), 0);"""),
    ("fr_column", "double *score = room(n);"),
    ("fr_solve_each", "int32_t sources[64] = {0}, *levels = room(n);"),
    ("fr_router_new", """int32_t target = 62664, *path = room(n), length, targets[64] = {7};
        int64_t count = 64, rows = 3, columns = 5;
        void *dists = room(64), *matrix = room(64);"""),
    ("closed[e", """uint64_t *closed = room(n);
        int32_t u = 0, v = fr_graph_csr(graph)->targets[0];
        int64_t e = fr_graph_edge(graph, u, v, NULL);
        fr_solver *solver = NULL;
        void *dist = room(n);
        fr_result result = {.dist = dist};
        must(fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, NULL, &solver), 0);"""),
    ("minutes[", """int64_t edges = 1;
        int32_t from[] = {0}, to[] = {fr_graph_csr(graph)->targets[0]}, minutes[] = {7};"""),
    ("fr_path_counts", "double *count = room(n);"),
)  # fmt: skip
HEAD = """#include <fringe.h>
#include <fringe_measures.h>
#include <stdio.h>
#include <stdlib.h>

static void must(fr_status status, int line) {
    if (status) {
        printf("guide.md:%d: %s\\n", line, fr_status_message(status));
        exit(1);
    }
}
static void *room(int64_t n) { return calloc(64 * (size_t)n, 8); }
static int print_path(void *user, int64_t index, const void *dist, const int32_t *path, int32_t length) {
    return !(user == NULL && index >= 0 && dist && path && length > 0);
}
int main(void) {
"""


def run_command(page, number, command, expected):
    for part, name, content in FILES:
        if part in command:
            pathlib.Path(name).write_text(content, encoding="utf-8")
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    said = ran.stdout + ran.stderr
    if expected is None and ran.returncode:
        sys.exit(f"{page}:{number}: exit {ran.returncode} of `{command}`: {said}")
    if expected is not None and said.rstrip() != expected:
        sys.exit(f"{page}:{number}: `{command}` says {said}")


def run_commands(page):
    """Returns how many there are."""
    lines, fenced, count = (SOURCE / page).read_text(encoding="utf-8").split("\n"), False, 0
    graph = [line[4:] for line in lines if re.match(r"    (p sp|a) ", line)]
    pathlib.Path("trips.gr").write_text("\n".join(graph) + "\n", encoding="utf-8")
    for number, line in enumerate(lines, 1):
        fenced ^= line.startswith("```")
        found = None if fenced else re.match(r"    (\$ )?(fringe .*)", line)
        if found:
            run_command(page, number, found[2], lines[number].strip() if found[1] else None)
            count += 1
    return count


def write_program(page):
    """Returns the program of a page's blocks in C, and how many they are."""
    text, body, depth = (SOURCE / page).read_text(encoding="utf-8"), "", 0
    blocks = list(re.finditer(r"^```c\n(.*?)^```$", text, re.S | re.M))
    for block in blocks:
        if any(word in block[1] for word in NOT_RUN):
            continue
        before = "".join(code for word, code in BEFORE if word in block[1])
        line = text.count("\n", 0, block.start()) + 2
        status = re.search(r"\b(status|s) = ", block[1])
        body += f'{{ {before}\n#line {line} "{page}"\n{block[1]}' + (f"must({status[1]}, {line});\n" if status else "")
        depth += 1
    return HEAD + body + "}" * depth + "}\n", len(blocks)


def main():
    if not (BUILD / "fringe").exists() or not (BUILD / "libfringe.so").exists():
        print(f"skip: no command and library are built in {BUILD}")
        sys.exit(77)
    os.environ.update(PATH=f"{BUILD}:{os.environ['PATH']}", LD_LIBRARY_PATH=str(BUILD), LC_ALL="C")
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        os.symlink(SOURCE / "data", "data")
        counts = [run_commands(page) for page in ("README.md", "docs/guide.md")]
        subprocess.run("fringe gen path:n=5 -q -o web.mtx && gzip web.mtx", shell=True, check=True)
        code, blocks = write_program("docs/guide.md")
        pathlib.Path("guide.c").write_text(code, encoding="utf-8")
        flags = "-std=c17 -Wall -Wextra -Werror -Wno-unused-variable -Wno-unused-but-set-variable".split()
        subprocess.run([shutil.which("cc"), *flags, f"-I{SOURCE}/include", "guide.c", f"-L{BUILD}", "-lfringe"], check=True)
        ran = subprocess.run("./a.out", capture_output=True, text=True, check=False)
        if ran.returncode:
            sys.exit(f"docs/guide.md: exit {ran.returncode}: {ran.stdout}{ran.stderr}")
        os.chdir(SOURCE)
    print(f"README has {counts[0]} commands, the guide {counts[1]} and {blocks} blocks in C, {blocks - len(NOT_RUN)} run")


main()
