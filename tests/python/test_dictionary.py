"""Compares the counter dictionary that `darrow modules` prints with the specification of Darshan's log format."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SPEC = Path(__file__).resolve().parents[2].parent / "shared" / "spec"
MODULES = [
    "NULL", "POSIX", "MPI-IO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR", "BG/Q", "LUSTRE", "STDIO",
    "DXT_POSIX", "DXT_MPIIO", "MDHIM", "APXC", "APMPI", "HEATMAP", "DFS", "DAOS",
]  # fmt: skip
TYPES = {"char": "text", "ignore": "pad"}  # the specification's names for our types
EVERY_RECORD = ("id", "rank")  # not listed by module


def load(name):
    path = SPEC / name
    if not path.is_file():
        pytest.skip(f"the specification is not here: no file {path.name} in ../shared/spec")
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def layouts():
    return {m["name"]: m for m in load("modules.json")["modules"]}


@pytest.fixture(scope="module")
def counters():
    return load("counters.json")


def darrow_command():
    if command := os.environ.get("DARROW_COMMAND"):
        return shlex.split(command)
    beside_python = Path(sys.executable).with_name("darrow")
    if beside_python.is_file():
        return [str(beside_python)]
    found = shutil.which("darrow")
    assert found, "no darrow command found: install the package or set DARROW_COMMAND"
    return [found]


@pytest.fixture(scope="module")
def dictionary():
    run = subprocess.run([*darrow_command(), "modules", "--format", "json"], capture_output=True, check=True)
    return {m["name"]: m for m in json.loads(run.stdout)["modules"]}


def stored(module, part, version):
    """Name and type of the fields that a version stores in a part, in our dictionary."""
    seen = {}
    for field in module["fields"]:
        last = field["last_version"] or version
        if field["part"] == part and field["name"] not in EVERY_RECORD and field["first_version"] <= version <= last:
            seen[field["name"]] = field["type"]
    return list(seen.items())


def expected(layout, fields):
    """The same for a list of fields in the specification."""
    unsigned = layout.get("unsigned_print", [])
    return [
        (f["name"], "u64" if f["name"] in unsigned else TYPES.get(f["type"], f["type"]))
        for f in fields
        if f["name"] not in EVERY_RECORD and "[0]" not in f["name"]  # MDHIM: the first entry of the list
    ]


def fixed_part(layout, version):
    """Fields and size of the fixed part of a record, in the specification."""
    v = layout["versions"][str(version)]
    for fields, size in [("fields", "record_size"), ("fixed_fields", "fixed_size")]:
        if fields in v:
            return v[fields], v[size]
    for fields, size in [("header_fields", "header_size"), ("fixed_fields", "fixed_size")]:
        if fields in layout and "perf_fields" not in layout:
            return layout[fields], layout[size]
    return layout["perf_fields"], layout["perf_size"]


def parts_behind(layout, version):
    """Our name for, and the specification's fields of, everything that a record has behind its fixed part."""
    kind = layout["kind"]
    if kind == "dxt":
        return {"segments": layout["versions"][str(version)]["segment_fields"]}
    if kind == "lustre":
        targets = {"osts": [{"name": "ost_ids", "type": "i64"}]}
        return targets if version == 1 else {"components": layout["component_fields"], **targets}
    if kind == "mdhim":
        return {"servers": [{"name": "server_histogram", "type": "i64"}]}
    if kind == "heatmap":
        return {op: [{"name": f"{op}_bins", "type": "i64"}] for op in ("write", "read")}
    return {}


def test_all_modules_are_known(dictionary, layouts):
    assert list(dictionary) == MODULES
    assert {n: m["id"] for n, m in dictionary.items()} == {n: m["id"] for n, m in layouts.items()}
    assert len({m["sql_name"] for m in dictionary.values()}) == len(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_every_version_has_its_fields_in_order(name, dictionary, layouts):
    module, layout = dictionary[name], layouts[name]
    for version in range(1, layout["current_version"] + 1):
        assert stored(module, "record", version) == expected(layout, fixed_part(layout, version)[0]), version


@pytest.mark.parametrize("name", MODULES)
def test_every_version_has_its_size(name, dictionary, layouts):
    module, layout = dictionary[name], layouts[name]
    assert module["current_version"] == layout["current_version"]
    first_entry = 8 if layout["kind"] == "mdhim" else 0  # in our dictionary it belongs to the list
    sizes = {v: fixed_part(layout, v)[1] - first_entry for v in range(1, layout["current_version"] + 1)}
    assert {v["version"]: v["fixed_bytes"] for v in module["versions"]} == sizes


@pytest.mark.parametrize("name", MODULES)
def test_what_follows_the_fixed_part(name, dictionary, layouts):
    module, layout = dictionary[name], layouts[name]
    for version in range(1, layout["current_version"] + 1):
        wanted = {part: expected(layout, fields) for part, fields in parts_behind(layout, version).items()}
        there = [
            r["name"] for r in module["repeats"] if r["first_version"] <= version <= (r["last_version"] or version)
        ]
        assert there == list(wanted)
        assert {part: stored(module, part, version) for part in there} == wanted
    fixed = {f["name"] for f in module["fields"] if f["part"] == "record"}
    assert all(set(filter(None, r["counts"])) <= fixed for r in module["repeats"])


@pytest.mark.parametrize("name", ["APXC", "APMPI"])
def test_the_record_that_opens_the_region(name, dictionary, layouts):
    assert stored(dictionary[name], "header", 1) == expected(layouts[name], layouts[name]["header_fields"])


@pytest.mark.parametrize("name", MODULES)
def test_units_versions_and_what_minus_one_means(name, dictionary, counters):
    of_module = [c for c in counters if c["module"] == name]
    by_name = {c["name"]: c for c in of_module if "pattern" not in c}
    families = [(re.compile(c["regex"]), c) for c in of_module if "pattern" in c]

    def facts(field):
        if field["name"] in by_name:
            return by_name[field["name"]]
        return next(c for regex, c in families if regex.match(field["name"]))

    for field in dictionary[name]["fields"]:
        if field["name"] in EVERY_RECORD or field["type"] == "pad":
            continue
        fact = facts(field)
        assert field["minus_one_is_null"] == fact["minus_one_means_missing"], field["name"]
        assert field["unit"] == fact["unit"] or field["type"] in ("text", "uuid"), field["name"]
        assert field["last_version"] == fact.get("until"), field["name"]
        assert len(field["meaning"].splitlines()) == 1, field["name"]
        computed = field["name"] == "PNETCDF_FILE_OPENS"  # from other fields before version 3
        if field["part"] == "record" and not computed:
            assert field["first_version"] == fact["since"], field["name"]
    known = {f["name"] for f in dictionary[name]["fields"]}
    assert set(by_name) - known == set()


@pytest.mark.parametrize("name", MODULES)
def test_what_versions_without_a_field_give(name, dictionary, layouts):
    layout = layouts[name]
    real = {"file_rec_id": 0, "PNETCDF_FILE_OPENS": 0}  # a value; the latter is then computed
    for version in layout["versions"].values():
        defaults = {**version.get("default_int", {}), **version.get("default_float", {})}
        real.update({k: v for k, v in defaults.items() if v != -1})
    for field in dictionary[name]["fields"]:
        later = field["first_version"] > 1
        assert field["absent"] == (real.get(field["name"]) if later else None), field["name"]


@pytest.mark.parametrize("name", ["APXC", "APMPI"])
def test_families(name, dictionary, counters):
    names = [f["name"] for f in dictionary[name]["fields"]]
    wanted = {
        c["name"]: (c["unit"], sum(bool(re.match(c["regex"], n)) for n in names))
        for c in counters
        if c["module"] == name and "pattern" in c
    }
    assert {f["pattern"]: (f["unit"], f["members"]) for f in dictionary[name]["families"]} == wanted


@pytest.mark.parametrize("name", MODULES)
def test_sums_are_what_the_specification_calls_additive(name, dictionary, counters):
    additive = {c["name"]: c["additive"] for c in counters if c["module"] == name}
    for field in dictionary[name]["fields"]:
        current_counter = field["part"] == "record" and field["last_version"] is None and field["name"] in additive
        if current_counter and field["rule"] != "none":
            assert (field["rule"] == "sum") == additive[field["name"]], field["name"]
