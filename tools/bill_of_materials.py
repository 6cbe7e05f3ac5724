#!/usr/bin/env python3
"""Prints the bill of materials of HEAD as SPDX 2.3 in JSON: what the sources contain, with its terms (debian/copyright),
the Debian packages that build and test them (tools/packages.txt), what the Python package needs (python/pyproject.toml),
and each file of the folder given, with its checksum. Versions are those installed here.

usage: tools/bill_of_materials.py [FOLDER]
"""

import hashlib
import json
import pathlib
import re
import subprocess
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROLES = {"build": "BUILD_DEPENDENCY_OF", "wheel": "BUILD_DEPENDENCY_OF", "deb": "BUILD_DEPENDENCY_OF",
         "test": "TEST_DEPENDENCY_OF", "test-all": "TEST_DEPENDENCY_OF", "bench": "DEV_DEPENDENCY_OF"}  # fmt: skip
FRINGE = "SPDXRef-fringe"


def output(*words):
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def package(name, license_name="NOASSERTION", **members):
    """An entry of `packages`; its id is made of the name."""
    return {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name, "licenseDeclared": license_name,
            "licenseConcluded": license_name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "copyrightText": "NOASSERTION", **members}  # fmt: skip


def contents():
    """(package, relation) of the files whose terms differ from those of fringe itself."""
    for stanza in (ROOT / "debian/copyright").read_text(encoding="utf-8").split("\n\n"):
        fields = dict(re.findall(r"^([\w-]+): *(.*(?:\n .*)*)", stanza, re.M))
        files = fields.get("Files", "*").split()
        if files != ["*"]:
            yield package("files-" + files[0], fields["License"].split()[0], copyrightText=fields["Copyright"],
                          comment=" ".join(files)), "CONTAINED_BY"  # fmt: skip


def debian_packages():
    """(package, relation) of the lines of tools/packages.txt, but those of Arm, which are the same."""
    lines = (ROOT / "tools/packages.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split(None, 2) for line in lines if line.strip() and not line.startswith("#")]
    installed = dict(line.split("\t") for line in
                     output("dpkg-query", "-W", "-f", "${Package}\\t${Version}\\n").splitlines())  # fmt: skip
    for group, name, what in rows:
        if not group.startswith("arm64"):
            version = {"versionInfo": installed[name]} if name in installed else {}
            yield package("debian-" + name, comment=what, **version), ROLES.get(group, "TEST_DEPENDENCY_OF")


def python_packages():
    text = (ROOT / "python/pyproject.toml").read_text(encoding="utf-8")
    for need in re.findall(r'"([^"]+)"', re.search(r"^dependencies = \[(.*)\]", text, re.M)[1]):
        name, least = need.split(">=")
        yield package("python-" + name, comment="at least " + least), "RUNTIME_DEPENDENCY_OF"


def made(folder):
    for path in sorted(pathlib.Path(folder).iterdir()):
        if not path.name.endswith((".spdx.json", "SHA256SUMS")):
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            yield package(path.name, "Apache-2.0", packageFileName=path.name,
                          checksums=[{"algorithm": "SHA256", "checksumValue": digest}]), "GENERATED_FROM"  # fmt: skip


def document(folder):
    commit, date = output("git", "log", "-1", "--format=%H %cd", "--date=format-local:%Y-%m-%dT%H:%M:%SZ").split()
    version = re.search(r"^project\(fringe VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]
    name = f"fringe-{version}"
    parts = [*contents(), *debian_packages(), *python_packages(), *(made(folder) if folder else ())]
    whole = package("fringe", "Apache-2.0", versionInfo=version, comment="commit " + commit,
                    copyrightText="2026 the fringe developers")  # fmt: skip
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": FRINGE}]
    relations += [{"spdxElementId": part["SPDXID"], "relationshipType": relation, "relatedSpdxElement": FRINGE}
                  for part, relation in parts]  # fmt: skip
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
            "documentNamespace": uuid.uuid5(uuid.NAMESPACE_OID, name + commit).urn,
            "creationInfo": {"created": date, "creators": ["Tool: tools/bill_of_materials.py"]},
            "packages": [whole, *(part for part, _ in parts)], "relationships": relations}  # fmt: skip


if __name__ == "__main__":
    print(json.dumps(document(sys.argv[1] if len(sys.argv) > 1 else None), indent=1))
