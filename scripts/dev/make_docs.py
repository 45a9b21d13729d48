#!/usr/bin/env python3
"""Writes the generated parts of docs/: commands and options from the program's --help, models and suites from
`mpsbench list`, and the metrics and launches of a report from its JSON Schema. Writes the page of machines, from the
reports in results/.

A generated part is between the lines "<!-- generated: NAME -->" and "<!-- end -->" of its page.
"""

import argparse
import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "configs/schema/report.schema.json"
WIDTH = 120
NO_OPTIONS = ("Usage:", "Positionals:", "Subcommands:")
INDENT = re.compile(r" {2}(\S.*?)(?: {2,}(\S.*))?$")  # "  NAME      what it is", or only the name
PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


class DocsError(Exception):
    """The message says in one line what is wrong."""


def program_says(program: Path, *arguments: str) -> str:
    """What the program prints if it runs in the root of the checkout."""
    try:
        done = subprocess.run([program.resolve(), *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise DocsError(f"--mpsbench {program}: {error}") from error
    return done.stdout


def section(help_text: str, title: str) -> list[str]:
    """The lines below the heading TITLE of a --help, up to the next empty one."""
    lines = help_text.splitlines()
    if title not in lines:
        return []
    start = lines.index(title) + 1
    end = lines.index("", start) if "" in lines[start:] else len(lines)
    return lines[start:end]


def entries(lines: list[str]) -> list[tuple[str, str]]:
    """(name, meaning) of each entry. If the name is long, its meaning is on the next line."""
    found: list[tuple[str, str]] = []
    for line in lines:
        match = INDENT.match(line)
        if match and match[2]:
            found.append((match[1], match[2]))
        elif match and not line.startswith("   "):
            name, _, meaning = match[1].partition("...: ")
            found.append((f"{name}..." if meaning else name, meaning))
        else:
            name, meaning = found.pop()
            found.append((name, f"{meaning} {line.strip()}".strip()))
    return found


def item(name: str, meaning: str) -> str:
    return textwrap.fill(
        f"- `{name}`: {meaning}", width=WIDTH, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False
    )


def spelt(name: str) -> str:
    """CLI11 writes "-m,--model NAME,..." and "WHAT TEXT:{a,b} REQUIRED"; the docs have "-m, --model NAME,..."."""
    name = re.sub(r":\{[^}]*\}", "", name).replace(" REQUIRED", "")
    name = re.sub(r" TEXT\b", "", name)
    return re.sub(r"^(-\w),", r"\1, ", name)


def options_of(help_text: str) -> list[tuple[str, str]]:
    titles = [line for line in help_text.splitlines() if re.fullmatch(r"[A-Z][a-z ]+:", line)]
    lines = [line for title in titles if title not in NO_OPTIONS for line in section(help_text, title)]
    listed = [(spelt(name), meaning) for name, meaning in entries(lines)]
    return [option for option in listed if not option[0].startswith("-h, ")]


def calibrate_options(program: Path, help_text: str) -> str:
    """Names the options of run that calibrate lacks: listing all that it has would take a page."""
    own, runs = dict(options_of(help_text)), dict(options_of(program_says(program, "run", "--help")))
    if not own.items() <= runs.items():
        raise DocsError("mpsbench calibrate --help: lists an option that run does not have")
    missing = ", ".join(f"`{re.search(r'--[a-z-]+', name)[0]}`" for name in runs if name not in own)
    return textwrap.fill(f"Its options are those of `mpsbench run`, without {missing}.", WIDTH, break_on_hyphens=False)


def command_part(program: Path, command: str, purpose: str) -> str:
    text = program_says(program, command, "--help")
    usage = next(line for line in text.splitlines() if line.startswith("Usage:"))
    parts = [
        f"### mpsbench {command}",
        purpose if purpose.endswith("...") else f"{purpose}.",
        f"    mpsbench {usage.partition('mpsbench ')[2]}",
    ]
    listed = [(spelt(name), meaning) for name, meaning in entries(section(text, "Positionals:"))]
    if command == "calibrate":
        parts.append(calibrate_options(program, text))
    else:
        listed += options_of(text)
    if command == "ops":  # the options of its own program are listed below the others
        listed += [entry for entry in entries(text.split("\n\n")[-1].splitlines()) if entry[1]]
    if listed:
        parts.append("\n".join(item(*entry) for entry in listed))
    return "\n\n".join(parts)


def commands(program: Path) -> str:
    listed = entries(section(program_says(program, "--help"), "Subcommands:"))
    summary = "\n".join(item(f"mpsbench {name}", meaning) for name, meaning in listed)
    parts = ["## Commands", summary, "Each command also takes `-h` and `--help`."]
    return "\n\n".join(parts + [command_part(program, name, meaning) for name, meaning in listed])


def table(head: str, rows: list[list[str]], numbers: int = 0) -> str:
    """HEAD is "a | b". The NUMBERS columns after the first are aligned to the right."""
    count = head.count("|") + 1
    rule = ["---"] + ["---:"] * numbers + ["---"] * (count - 1 - numbers)
    lines = [f"| {head} |", f"| {' | '.join(rule)} |"]
    return "\n".join(lines + ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows])


def models(program: Path) -> str:
    listed = json.loads(program_says(program, "list", "models", "-f", "json"))
    rows = [
        [
            f"`{one['model']}`",
            *(f"{one[key]:,}" for key in ("parameters", "forward_macs_per_row", "batch_size", "rows")),
        ]
        + [one["description"]]
        for one in listed
    ]
    return table("model | parameters | multiply-accumulates per row | batch size | rows | what it is", rows, numbers=4)


def formats(program: Path) -> str:
    listed = json.loads(program_says(program, "list", "formats", "-f", "json"))
    rows = [
        [f"`{one['format']}`", f"`{one['ending']}`", ", ".join(one["documents"]), one["description"]] for one in listed
    ]
    return table("format | ending | documents | what it is", rows)


def suites(program: Path) -> str:
    listed = json.loads(program_says(program, "list", "suites", "-f", "json"))
    return "\n".join(item(one["suite"], one["description"]) for one in listed)


def fields(definition: str) -> str:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    described = schema["$defs"][definition]["properties"].items()
    return table(
        "key | unit | what it is", [[f"`{key}`", one.get("x-unit", ""), one["description"]] for key, one in described]
    )


PAGES: dict[str, dict[str, Callable[[Path], str]]] = {
    "docs/command-line.md": {"formats": formats, "commands": commands},
    "docs/models.md": {"models": models},
    "docs/suites.md": {"suites": suites},
    "docs/report.md": {"metrics": lambda _: fields("metrics"), "launches": lambda _: fields("launch")},
}


MACHINES = "docs/machines.html"
LISTED = re.compile(r"^- `([\w.-]+\.json)` \(", re.MULTILINE)


def machines(program: Path) -> str:
    """The page of all reports that results/README.md lists, and the published ones."""
    results = ROOT / "results"
    own = [results / name for name in LISTED.findall((results / "README.md").read_text(encoding="utf-8"))]
    files = [file.relative_to(ROOT) for file in [*own, *sorted((results / "published").glob("*.json"))]]
    return program_says(program, "export", *map(str, files), "--format", "html")


def generated(page: str, program: Path) -> str:
    """The text of PAGE with new generated parts."""
    if page == MACHINES:
        return machines(program)
    text = (ROOT / page).read_text(encoding="utf-8")
    makers = PAGES[page]
    if sorted(match[2] for match in PART.finditer(text)) != sorted(makers):
        raise DocsError(f"{page}: the page must have exactly these generated parts, each once: {', '.join(makers)}")
    return PART.sub(lambda match: f"{match[1]}\n{makers[match[2]](program)}\n\n{match[3]}", text)


def parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Writes the generated parts of docs/.")
    parser.add_argument("--mpsbench", type=Path, default=ROOT / "build/dev/bin/mpsbench", metavar="PROGRAM")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a page is out of date")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    arguments = parse(argv)
    stale = []
    try:
        for page in [*PAGES, MACHINES]:
            text = generated(page, arguments.mpsbench)
            if (ROOT / page).exists() and text == (ROOT / page).read_text(encoding="utf-8"):
                continue
            stale.append(page)
            if not arguments.check:
                (ROOT / page).write_text(text, encoding="utf-8")
    except DocsError as error:
        print(f"make_docs.py: {error}", file=sys.stderr)
        return 2
    for page in stale:
        print(f"{page}: {'out of date: run scripts/dev/make_docs.py' if arguments.check else 'written'}")
    return 1 if stale and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
