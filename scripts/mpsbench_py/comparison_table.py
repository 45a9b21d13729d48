"""Writes results of compare_pytorch.py as Markdown tables, one for each machine and number of threads."""

from mpsbench_py import words
from mpsbench_py.comparison_results import ENGINES, FASTEST, identity

COLUMNS = (
    "case",
    "Python's eager",
    "best torch.compile",
    "engine",
    "step",
    "to Python's eager",
    "to torch.compile",
    "to the engine uncompiled",
)


def number(value: float) -> str:
    return words.significant(value, 4)


def ratio_cell(ratios: dict, key: str | None) -> str:
    """The median, and in brackets the 95 % interval."""
    if key not in ratios:
        return "–"
    one = ratios[key]
    low_high = f" ({number(one['ci95'][0])}–{number(one['ci95'][1])})" if one["ci95"] else ""
    return number(one["median"]) + low_high


def fastest_cell(result: dict, kind: str, usual: str) -> str:
    """The time of the fastest side of a kind, and which one it is, unless that is the usual one."""
    name = result[kind]
    if name is None:
        return "–"
    mode = name.removeprefix("python_").removeprefix("compile_").replace("_", "-")
    return words.duration(result["sides"][name]["step_seconds"]) + (f" ({mode})" if name != usual else "")


def case_name(result: dict) -> str:
    options = [f"{name} {result[name]}" for name in ("dropout", "optimizer") if result.get(name) is not None]
    return " ".join([result["case"], result["precision"], *["channels-last"] * result["channels_last"], *options])


def engine_name(side: str, compile_mode: str | None) -> str:
    """With the compile mode, if that is another than the default one."""
    engine = side.removeprefix("mpsbench_").replace("_", "-")
    return f"{engine} ({compile_mode})" if engine.startswith("compiled") and compile_mode else engine


def case_rows(result: dict) -> list[tuple[str, ...]]:
    """A row for each of our engines. Only the first one repeats what is Python's."""
    if "error" in result:
        return [(case_name(result), "failed", *["–"] * (len(COLUMNS) - 2))]
    head = (case_name(result), fastest_cell(result, "fastest_eager", "python_default"))
    head += (fastest_cell(result, "fastest_compile", ""),)
    rows = []
    for name, built_on in ENGINES.items():
        engine = engine_name(name, result.get("compile_mode"))
        if name in result["failures"]:
            rows.append((*head, engine, "failed", "–", "–", "–"))
        elif name in result["sides"]:
            ratios = result["ratios"][name]
            step = words.duration(result["sides"][name]["step_seconds"])
            cells = [ratio_cell(ratios, key) for key in (*FASTEST, built_on)]
            rows.append((*head, engine, step, *cells))
        else:
            continue
        head = ("", "", "")
    return rows or [(*head, *["–"] * (len(COLUMNS) - 3))]


def place(result: dict) -> str:
    """Where RESULT is from, as the sentence above a table."""
    if "error" in result:
        return "Failed:"
    chip = " · ".join(name for name in (result["machine"]["accelerator"], result["machine"]["cpu"]) if name)
    return f"{chip}, {result['threads']} threads, PyTorch {result['torch']}, {result['rounds']} rounds:"


def tables(results: list[dict]) -> str:
    """Has the last result of each case with the same options, in the order of the first ones."""
    last = {identity(result): result for result in results}
    lines = []
    for title in dict.fromkeys(map(place, last.values())):
        rows = [COLUMNS, ("---",) * len(COLUMNS)]
        rows += [row for result in last.values() if place(result) == title for row in case_rows(result)]
        lines += [title, "", *("| " + " | ".join(row) + " |" for row in rows), ""]
    return "\n".join(lines)
