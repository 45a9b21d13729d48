"""Sends a report in which every text is hostile through everything that shows reports. No text may control a terminal,
become a formula, break a table's row or end a document early.
"""

import copy
import csv
import io
import json
import unicodedata
import xml.etree.ElementTree as ET

from support import FrontTest, without_launches

# A formula, markup, the end of a script and of CDATA, a table's border, code, terminal escapes as C0 and as C1
# controls, all kinds of line breaks, DEL, right-to-left text, code points that are not characters, zero-width blanks.
HOSTILE = (
    "=cmd()|'/C calc'!A0</script><img src=x onerror=alert(1)>]]>--><!--`a`|*b*[c](d)"
    "\x1b[2J\x1b]0;t\x07\x00\x08\r\n\t\x7f\x85\x9b31m\u2028\u2029\u202e\u2066\u061c\u200b\ufeff\ufff9\uffff\"',;&\\"
)
STARTS = ("=1+1", "+1", "-1", "@x", "\t=1", " =1", "＝1", HOSTILE)
FORMATS = ("table", "csv", "md", "html", "json", "jsonl", "junit", "google-benchmark", "github-action", "bencher")
SPARED = ("definitions", "definition_sha256", "plan", "planned", "id")  # ids are changed together, everywhere


def leaves(value, path=()):
    """The paths of all texts and of all keys of maps."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in SPARED:
                yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, (*path, index))
    elif isinstance(value, str):
        yield path


def put(document, path, value):
    *parents, last = path
    for key in parents:
        document = document[key]
    before = document[last]
    document[last] = value
    return before


def steering(text):
    """The characters in TEXT that must not reach a terminal."""
    return {c for c in text if c not in "\r\n" and unicodedata.category(c) in ("Cc", "Cf", "Cn", "Zl", "Zp")}


class HostileNames(FrontTest):
    hostile = None  # is made once: each of its texts is tried

    def setUp(self):
        super().setUp()
        if not self.hostile:
            HostileNames.hostile = self.make_hostile()
        self.write(self.name, self.hostile)

    def make_hostile(self):
        report = self.run_tiny("--mode", "train,infer", "-b", "4", "-r", "3")
        self.rename_cases(report)
        report["host"]["environment"] = {HOSTILE: HOSTILE}
        for case in report["cases"]:
            case["flags"] = [HOSTILE]
            case["notes"] = {HOSTILE: HOSTILE}
            for launch in case["launches"]:
                launch["backend"] = {HOSTILE: HOSTILE}
        crashed = report["cases"][1]
        without_launches(crashed)
        crashed |= {"status": "crashed", "failure": {"kind": "x", "message": "x", "detail": "x"}}
        return self.with_hostile_texts(report)

    name = "=1;`|\x1b[2J\u202e.json"  # the file's name

    def rename_cases(self, report):
        for index, planned in enumerate(report["run"]["planned"]):
            own = HOSTILE + planned["id"]
            planned["id"] = report["run"]["plan"][index] = report["cases"][index]["id"] = own

    def with_hostile_texts(self, report):
        """Makes every text hostile that the reader does not check."""
        changed = 0
        for number, path in enumerate(leaves(report)):
            before = put(report, path, STARTS[number % len(STARTS)] + HOSTILE)
            self.write("try.json", report)
            if self.call("validate", "try.json").code == 0:
                changed += 1
            else:
                put(report, path, before)
        self.assertGreater(changed, 40, "the reader has become strict: is this test still of use?")
        return report

    def other(self, name, change=lambda report: None):
        report = copy.deepcopy(self.hostile)
        report["run"]["id"] = name + HOSTILE
        for case in report["cases"]:
            for launch in case["launches"]:
                launch["started_at"] = name
        change(report)
        self.write(name, report)
        return name

    def shown(self, *arguments):
        said = self.call(*arguments)
        self.assertIn(said.code, (0, 4), said)
        self.assertEqual(steering(said.out), set(), arguments)
        self.assertEqual(steering(said.err), set(), arguments)
        self.assertNotIn("Traceback", said.err)
        return said.out

    def expect_no_formula(self, text):
        rows = list(csv.reader(io.StringIO(text)))
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        for row in rows:
            for cell in row:
                number = cell.removeprefix("-").replace(".", "").replace("e", "").replace("-", "").isdigit()
                self.assertTrue(number or not cell.lstrip(" ").startswith(tuple("=+-@＝＋－＠")), cell)

    def expect_whole_rows(self, text):
        """Each line of a table has as many cells as its heading. Borders inside cells are escaped."""
        tables = [line for line in text.splitlines() if line.startswith("|")]
        self.assertTrue(tables)
        for line in tables:
            self.assertTrue(line.endswith("|"), line)
            self.assertNotIn("`a`", line)
            self.assertNotIn("<img", line.replace("\\<", ""))
        counts = {line.replace("\\\\", "").replace("\\|", "").count("|") for line in tables}
        self.assertEqual(len(counts), 1, text)

    def test_exports(self):
        for form in FORMATS:
            out = self.shown("export", self.name, "--format", form)
            if form == "csv":
                self.expect_no_formula(out)
            elif form == "md":
                self.expect_whole_rows(out)
            elif form == "junit":
                suites = ET.fromstring(out)
                self.assertEqual(len(list(suites.iter("testcase"))), 2)
                self.assertEqual({one.tag for one in suites.iter()} & {"img", "script"}, set())
            elif form not in ("table", "html", "jsonl"):
                json.loads(out)

    def test_exports_of_two_hosts(self):
        second = self.other("b.json", lambda report: report["host"].update(name="@b" + HOSTILE))
        for form in set(FORMATS) - {"google-benchmark", "json"}:
            self.shown("export", self.name, second, "--format", form)

    def expect_views(self, *files):
        for arguments in ((), ("--color", "never"), ("--force",)):
            self.shown("compare", *files, *arguments)
        self.expect_no_formula(self.shown("compare", *files, "-f", "csv", "--force"))
        self.expect_whole_rows(self.shown("compare", *files, "-f", "md", "--force"))
        json.loads(self.shown("compare", *files, "-f", "json", "--force"))

    def test_the_gate(self):
        def change(report):
            report["cases"][0]["spec"]["rows"] = 77
            report["host"]["libtorch"]["version"] = HOSTILE + "2"
            report["host"]["environment"] = {HOSTILE: "2" + HOSTILE}
            for launch in report["cases"][0]["launches"]:
                launch["backend"] = {HOSTILE: "2" + HOSTILE}

        self.expect_views(self.name, self.other("b.json", change))
        ET.fromstring(self.shown("compare", self.name, "b.json", "-f", "junit", "--force"))

    def test_the_machines(self):
        def change(report):
            report["host"]["name"] = "-b" + HOSTILE
            report["host"]["cpu"]["governor"] = HOSTILE + "2"

        self.expect_views(self.name, self.other("b.json", change), self.other("c.json"))

    def test_merge_and_validate(self):
        self.assertIn("ok", self.shown("validate", self.name))
        merged = self.call("merge", self.name, self.other("b.json"))
        self.assertEqual(steering(merged.out + merged.err), set())
        self.assertIn(merged.code, (0, 2, 4), merged)
        if merged.code == 0:
            self.assertEqual(json.loads(merged.out)["host"]["name"], self.hostile["host"]["name"])

    def test_a_run_that_goes_on(self):
        for form in ("table", "md", "csv", "json", "jsonl"):
            said = self.call("run", "--resume", self.name, "--dry-run", "-f", form)
            self.assertEqual(steering(said.out + said.err), set(), form)

    def test_errors_that_quote_it(self):
        broken = copy.deepcopy(self.hostile)
        broken["cases"][0]["status"] = HOSTILE
        broken[HOSTILE] = 1
        self.write("broken.json", broken)
        for command in (("validate",), ("compare", self.name), ("merge", self.name), ("export", "-f", "csv")):
            said = self.call(*command, "broken.json")
            self.assertEqual((said.code, said.out), (2, ""), said)
            self.assertEqual(steering(said.err), set(), command)
            self.assertEqual(said.err.count("\n"), 1, said)
