"""Checks configs/schema/suite.schema.json with the values of values.json. option_test.cpp reads the same values.

Usage: schema_test.py ROOT
"""

import json
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import wanted

wanted.packages("jsonschema")
from jsonschema import Draft202012Validator  # noqa: E402

OWN_KEYS = {"$schema", "name", "description", "matrices"}


def main(root: pathlib.Path) -> int:
    schema = json.loads((root / "configs/schema/suite.schema.json").read_text(encoding="utf-8"))
    table = json.loads((root / "tests/suite/values.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    wrong = []

    def expect(what: str, suite: object, valid: bool) -> None:
        errors = [f"{error.json_path}: {error.message[:80]}" for error in validator.iter_errors(suite)]
        if (not errors) != valid:
            wrong.append(f"{what}: the schema says {errors or 'ok'}")

    in_matrix = set(schema["$defs"]["settings"]["properties"])
    in_suite = in_matrix | set(schema["properties"]) - OWN_KEYS
    if in_suite != set(table["values"]):
        wrong.append(f"options without values, or the other way round: {in_suite ^ set(table['values'])}")
    table["values"]["filter"]["refused"].append("x" * 1001)
    for key, values in table["values"].items():
        # No pattern can express what only the reader refuses.
        accepted = values["accepted"] + values.get("refused_by_reader", [])
        for value, valid in [*((one, True) for one in accepted), *((one, False) for one in values["refused"])]:
            what = f"{key} = {json.dumps(value)[:60]}"
            expect(f"suite: {what}", {"name": "s", "matrices": [{}], key: value}, valid)
            expect(f"matrix: {what}", {"name": "s", "matrices": [{key: value}]}, valid and key in in_matrix)
    for verdict in ("accepted", "refused"):
        for suite in table[f"{verdict}_suites"]:
            expect(json.dumps(suite)[:100], suite, verdict == "accepted")
    own = sorted((root / "configs").glob("*.json"))
    for file in own:
        expect(file.name, json.loads(file.read_text(encoding="utf-8")), True)
    print("\n".join(wrong) or f"the schema judges the values of {len(table['values'])} options as expected")
    return 1 if wrong or len(own) < 2 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
