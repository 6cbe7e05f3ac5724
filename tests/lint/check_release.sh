#!/bin/bash
# The versions of the tree agree, and tools/release_check.sh notices each that does not; the bill of materials has every
# license of debian/copyright and every package of tools/packages.txt, and refers to nothing that it has not.
set -eu
cd "$(dirname "$0")/../.."
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
tools/release_check.sh versions
version=$(sed -nE 's/^version: //p' CITATION.cff)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
files=(CMakeLists.txt include/fringe.h python/pyproject.toml python/pyfringe/__init__.py debian/changelog CHANGELOG.md CITATION.cff)
for file in "${files[@]}"; do
    cp --parents "${files[@]}" tools/release_check.sh "$work"
    sed -i "s/${version//./\\.}/9.9.9/" "$work/$file"
    ! "$work/tools/release_check.sh" versions >"$work/said" && grep -q '9\.9\.9' "$work/said" ||
        { echo "another version in $file is not noticed"; exit 1; }
done

tools/bill_of_materials.py >"$work/bill.json"
python3 - "$work/bill.json" <<'END'
import json, re, sys
bill = json.load(open(sys.argv[1]))
ids = [part["SPDXID"] for part in bill["packages"]] + ["SPDXRef-DOCUMENT"]
assert len(set(ids)) == len(ids), "an id occurs twice"
for relation in bill["relationships"]:
    assert {relation["spdxElementId"], relation["relatedSpdxElement"]} <= set(ids), relation
terms = {part["licenseDeclared"] for part in bill["packages"]}
for name in re.findall(r"^License: (\S+)", open("debian/copyright").read(), re.M):
    assert name in terms, f"the bill lacks {name}"
for line in open("tools/packages.txt"):
    if line.strip() and not line.startswith(("#", "arm64")):
        assert "SPDXRef-debian-" + line.split()[1].replace("+", "-") in ids, line
END
