"""Tests of the Markdown pages: links work, anchors are the same on GitHub and on the site, lines are not too long."""

import re
import unittest
from collections import Counter
from pathlib import Path

import doc_pages

DOCS = sorted(doc_pages.ROOT.glob("docs/*.md"))
LONGEST = 140
LONGEST_ROW = 300  # a row of a table cannot be wrapped: what is longer belongs into a list
IS_TABLE = re.compile(r"^\|.*\|$")
PATH = re.compile(r"`((?:src|tests|scripts|docs|configs|apps|examples|models|cmake|results)/[\w./*-]+)`")
IS_ADDRESS = re.compile(r"^\W*\[?[^\]]*\]?\(?https?://\S+$")


def broken_link(page: Path, target: str) -> str:
    """What is wrong with PAGE's link to TARGET inside the project. Empty if nothing is."""
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.exists():
        return f"no such file: {path}"
    if doc_pages.ROOT not in file.parents:
        return f"leaves the project: {path}"
    if anchor and anchor not in map(doc_pages.anchor_on_github, doc_pages.headings(file)):
        return f"no such heading: #{anchor}"
    return ""


class Markdown(unittest.TestCase):
    def test_links_inside_the_project_lead_somewhere(self):
        wrong = [
            f"{page.relative_to(doc_pages.ROOT)}:{number}: {fault}"
            for page in doc_pages.pages()
            for number, target in doc_pages.links(page)
            if not target.startswith(("https://", "http://", "mailto:")) and (fault := broken_link(page, target))
        ]
        self.assertEqual(wrong, [])

    def test_anchors_are_the_same_everywhere_and_stand_for_one_heading(self):
        for page in DOCS:
            anchors = Counter(map(doc_pages.anchor_on_github, doc_pages.headings(page)))
            with self.subTest(page=page.name):
                self.assertEqual([anchor for anchor, count in anchors.items() if count > 1], [])
                self.assertEqual(list(map(doc_pages.anchor_on_site, doc_pages.headings(page))), list(anchors))

    def test_lines_are_not_too_long(self):
        wrong = [
            f"{page.relative_to(doc_pages.ROOT)}:{number}: {len(line)} columns"
            for page in doc_pages.pages()
            for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1)
            if len(line) > (LONGEST_ROW if IS_TABLE.match(line) else LONGEST) and not IS_ADDRESS.match(line)
        ]
        self.assertEqual(wrong, [])

    def test_every_page_stands_in_the_lists(self):
        for place in ("README.md", "docs/index.md"):
            folder = (doc_pages.ROOT / place).parent
            listed = {
                (folder / target.partition("#")[0]).resolve() for _, target in doc_pages.links(doc_pages.ROOT / place)
            }
            missing = {page.name for page in DOCS if page.name != "index.md" and page not in listed}
            self.assertEqual(missing, set(), place)

    def test_files_that_are_named_exist(self):
        wrong = [
            f"{page.relative_to(doc_pages.ROOT)}:{number}: {path}"
            for page in [doc_pages.ROOT / "README.md", doc_pages.ROOT / "CONTRIBUTING.md", *DOCS]
            for number, line in doc_pages.prose(page)
            for path in PATH.findall(line)
            if not re.search("NAME|HOST", path) and not any(doc_pages.ROOT.glob(path.rstrip("/")))
        ]
        self.assertEqual(wrong, [])

    def test_faults_are_found(self):
        page = doc_pages.ROOT / "docs/report.md"
        self.assertIn("no such file", broken_link(page, "nothing.md"))
        self.assertIn("no such heading", broken_link(page, "#nothing"))
        self.assertIn("leaves the project", broken_link(page, "../.."))
        self.assertEqual(broken_link(page, "measuring.md#gpus"), "")
        self.assertNotEqual(doc_pages.anchor_on_github("a ± b"), doc_pages.anchor_on_site("a ± b"))
