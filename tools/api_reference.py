#!/usr/bin/env python3
"""Prints the API reference in Markdown, made from the public headers: every declaration with the comment above it.

Usage: tools/api_reference.py [HEADER...]

A header is divided by comments like `/* ---- solving ---- */` into sections, and each section by blank lines
into items: an optional comment and the declarations that follow it. A function that the page would lack is an error.
"""

import glob
import os
import re
import sys
import textwrap

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
HEADERS = sorted(glob.glob(os.path.join(ROOT, "include", "*.h")))
SECTION = re.compile(r"/\* -{2,} *(.*?) *-{2,} \*/$")
PLUMBING = re.compile(r"#(if|ifdef|ifndef|endif|else|include|undef)\b|extern \"C\"|}$|#define \w+_H$|#define FR_API")
NAMES = (
    re.compile(r"^[^/\n#]*?\b(fr_\w+)\(", re.MULTILINE),  # functions
    re.compile(r"\(\*(fr_\w+)\)\("),  # callbacks
    re.compile(r"^typedef (?:struct|enum) .*?(fr_\w+);", re.MULTILINE),
    re.compile(r"^#define (\w+)", re.MULTILINE),
    re.compile(r"^enum \{ *(\w+)", re.MULTILINE),
)
INTRODUCTION = """# API reference

Written by `tools/api_reference.py` from the public headers, which are the authority. The [guide](guide.md) introduces
the library, and [examples/](../examples) has complete programs.
"""


def comment_text(comment):
    """The text of a block comment as lines, without its stars."""
    body = re.sub(r"^/\*+|\*+/$", "", comment.strip())
    lines = [re.sub(r"^ ?\* ?", "", line.rstrip()) for line in body.split("\n")]
    return "\n".join(lines).strip("\n")


def paragraphs(text):
    """Markdown of a comment: prose is left to flow, lists stay lists, aligned tables become code."""
    parts = []
    for line in text.split("\n"):
        kind = "code" if re.match(r"  +\S.*", line) else "list" if re.match(r" ?[*-] ", line) else "prose"
        if not line.strip():
            parts.append(("blank", []))
        elif parts and parts[-1][0] == kind:
            parts[-1][1].append(line)
        elif kind == "code" and parts and parts[-1][0] == "list":
            parts[-1][1].append(line)
        else:
            parts.append((kind, [line]))
    out = []
    for kind, lines in parts:
        if kind == "code":
            out.append("\n".join(["```text", textwrap.dedent("\n".join(lines)), "```"]))
        elif kind == "list":
            out.append("\n".join(line.strip() if line.lstrip()[0] in "*-" else line for line in lines))
        elif kind == "prose":
            out.append("\n".join(escape(line.strip()) for line in lines))
    return "\n\n".join(out)


def escape(line):
    """Characters that Markdown would take for markup. Names in code keep their underscores."""
    line = re.sub(r"(?<![`\w])(FR_[A-Z0-9_]+|fr_\w+(?:\.\w+)*|[a-z]+(?:_[a-z0-9]+)+(?:\.h)?)\b(?!`)", r"`\1`", line)
    pieces = line.split("`")
    for i in range(0, len(pieces), 2):
        pieces[i] = re.sub(r"([*_<>])", r"\\\1", pieces[i])
    return "`".join(pieces)


def blocks(lines):
    """Runs of lines between blank lines; a blank line within a comment or braces does not divide."""
    block, depth, commented = [], 0, False
    for line in lines:
        code = re.sub(r"/\*.*?\*/", "", line)
        if "/*" in code:
            commented = True
        if "*/" in code:
            commented = False
        if not line.strip() and depth == 0 and not commented:
            if block:
                yield block
            block = []
            continue
        block.append(line)
        if not commented:
            depth += code.count("{") - code.count("}")
        depth = max(depth, 0)
    if block:
        yield block


def split_item(block):
    """(comment, code) of a block that may begin with a comment."""
    text = "\n".join(block)
    match = re.match(r"\s*(/\*.*?\*/)[ \t]*(\n|$)", text, re.DOTALL)
    return (match[1], text[match.end() :]) if match else ("", text)


def subdivide(block):
    """A block whose declarations each have a comment above them becomes several items."""
    items, start, depth, commented = [], 0, 0, False
    for i, line in enumerate(block):
        if i > start and depth == 0 and not commented and line.startswith("/*"):
            if not block[i - 1].rstrip().endswith(("*/", "\\")) or ";" in block[i - 1]:
                items.append(block[start:i])
                start = i
        code = re.sub(r"/\*.*?\*/", "", line)
        commented = commented and "*/" not in code or "/*" in code
        depth = max(depth + code.count("{") - code.count("}"), 0) if not commented else depth
    return items + [block[start:]]


def without_bodies(code):
    """The code with what stands in braces left out, except for enumerations without a name."""
    while re.search(r"(?<!^enum )\{[^{}]+\}", code, re.MULTILINE):
        code = re.sub(r"(?<!^enum )\{[^{}]+\}", "", code, flags=re.MULTILINE)
    return code


def names_of(code):
    code, found = without_bodies(code), []
    for pattern in NAMES:
        found += [(match.start(), match[1]) for match in pattern.finditer(code)]
    kept = []
    for _, name in sorted(found):
        if name not in kept and name != "FR_API":
            kept.append(name)
    return kept


def without_export(match):
    """A declaration without FR_API, its further lines moved left by as much."""
    return re.sub(r"\n {7}", "\n", re.sub(r"FR_API\s+", "", match[0]))


def item(block):
    """Markdown of an item; None for what only the compiler needs."""
    comment, code = split_item(block)
    code = re.sub(r"\bFR_API\s+.*?;", without_export, code, flags=re.DOTALL).strip("\n")
    names = names_of(code)
    text = paragraphs(comment_text(comment)) if comment else ""
    if not code.strip():
        return text or None
    title = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
    heading = f"### {title}\n\n" if title else ""
    return f"{heading}{text}{chr(10) * 2 if text else ''}```c\n{code}\n```"


def sections(header):
    """[(title, markdown)]; the first one, without title, is the comment that opens the header."""
    with open(header, encoding="utf-8") as file:
        text = file.read()
    opening = re.match(r"\s*(/\*.*?\*/)\n", text, re.DOTALL)
    found = [("", [paragraphs(comment_text(opening[1]))] if opening else [])]
    lines, section = text[opening.end() if opening else 0 :].split("\n"), []
    for line in [*lines, "/* ---- end ---- */"]:
        match = SECTION.match(line)
        if not match:
            section.append(line)
            continue
        for block in blocks(section):
            if not all(PLUMBING.match(part) or not part.strip() for part in block if not part.startswith("#endif")):
                if not PLUMBING.match(block[0]):
                    found[-1][1].extend(part for part in map(item, subdivide(block)) if part)
        found.append((match[1], []))
        section = []
    return [(title, parts) for title, parts in found[:-1] if parts]


def page(headers=None):
    """The whole page, of all public headers by default."""
    out = [INTRODUCTION]
    for header in headers or HEADERS:
        out.append(f"## {os.path.basename(header)}\n")
        for title, parts in sections(header):
            if title:
                out.append(f"## {title[0].upper()}{title[1:]}\n")
            out += [part + "\n" for part in parts]
        check_complete(header, "\n".join(out))
    return "\n".join(out)


def check_complete(header, text):
    with open(header, encoding="utf-8") as file:
        declared = re.findall(r"FR_API\s[^;(]*?\b(fr_\w+)\(", file.read())
    lost = [name for name in declared if f"{name}(" not in text]
    if lost:
        raise SystemExit(f"{header}: the page would lack {', '.join(lost)}")


if __name__ == "__main__":
    print(page(sys.argv[1:]), end="")
