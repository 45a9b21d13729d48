"""Reads Markdown for the tests of the documentation: pages, blocks of commands, links and headings."""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```(\w*)$")
NEEDS = re.compile(r"^<!-- needs: (.+) -->$")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} (.+)$")


@dataclass
class Block:
    page: Path
    line: int  # the line of the opening fence, counted from 1
    language: str
    needs: str  # what a reader needs to run the block, from the comment before it; empty if nothing
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """Every Markdown file of the project, except those in folders of builds or installed packages."""
    folders = [path for path in ROOT.iterdir() if path.is_dir() and not re.match(r"\.|build|data$", path.name)]
    return sorted([*ROOT.glob("*.md"), *(page for folder in folders for page in folder.rglob("*.md"))])


def blocks(page: Path) -> list[Block]:
    found: list[Block] = []
    start, before = None, ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = FENCE.match(line)
        if start is not None and line == "```":
            start = None
        elif start is not None:
            found[-1].text += line + "\n"
        elif fence:
            needs = NEEDS.match(before)
            found.append(Block(page, number, fence[1], needs[1] if needs else "", ""))
            start = number
        before = line
    return found


def prose(page: Path) -> list[tuple[int, str]]:
    """(number, line) of each line outside of blocks."""
    inside, found = False, []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            found.append((number, line))
    return found


def links(page: Path) -> list[tuple[int, str]]:
    return [(number, target) for number, line in prose(page) for target in LINK.findall(re.sub("`[^`]*`", "", line))]


def headings(page: Path) -> list[str]:
    return [match[1] for _, line in prose(page) if (match := HEADING.match(line))]


def anchor_on_github(heading: str) -> str:
    kept = "".join(c for c in heading.lower() if c in "-_ " or unicodedata.category(c)[0] in "LN")
    return kept.replace(" ", "-")


def anchor_on_site(heading: str) -> str:
    ascii_only = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_only).strip().lower())
