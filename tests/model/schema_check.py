"""Checks configs/schema/model.schema.json with the files that the C++ reader's tests use.

Every definition in models/ and tests/model/files/ must be valid. The reader refuses every change of
files/broken/table.json. The schema accepts some of them: errors in shapes and names.
"""

import copy
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
import wanted

wanted.packages("jsonschema")
import jsonschema  # noqa: E402


def resolve(document, pointer: str):
    """The container and key that a JSON pointer names."""
    *parents, last = pointer.split("/")[1:]
    for key in parents:
        document = document[int(key) if isinstance(document, list) else key]
    return document, int(last) if isinstance(document, list) else last


def broken(base: dict, case: dict) -> dict:
    document = copy.deepcopy(base)
    for pointer, value in case.get("set", {}).items():
        container, key = resolve(document, pointer)
        if isinstance(container, list) and key == len(container):
            container.append(value)
        else:
            container[key] = value
    for pointer in case.get("remove", []):
        container, key = resolve(document, pointer)
        del container[key]
    return document


def main(root: Path) -> int:
    schema = json.loads((root / "configs/schema/model.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = []

    def expect(what: str, document, valid: bool) -> None:
        error = next(validator.iter_errors(document), None)
        if (error is None) != valid:
            failures.append(f"{what}: " + (f"refused at {error.json_path}" if error else "accepted"))

    files = sorted((root / "models").glob("*.json")) + sorted((root / "tests/model/files").glob("*.json"))
    for file in files:
        expect(file.name, json.loads(file.read_text()), valid=True)
    table = json.loads((root / "tests/model/files/broken/table.json").read_text())
    expect("the base of the table", table["base"], valid=True)
    for case in table["refused_by_schema"]:
        expect(case["change"], broken(table["base"], case), valid=False)
    for case in table["accepted_by_schema"]:
        expect(case["change"], broken(table["base"], case), valid=True)

    print("\n".join(failures) or f"{len(files)} definitions and the broken ones as expected")
    return 1 if failures or len(files) < 20 else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
