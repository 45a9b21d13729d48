"""-f names a format and -o a file, in every command."""

import csv
import io
import json
import xml.etree.ElementTree as ET

from support import FrontTest, another

CRASH = ["hello", {"signal": "SEGV"}]
RUN = ("run", "-m", "tiny.json", "--mode", "infer", "-r", "1")


class Run(FrontTest):
    def test_pairs(self):
        said = self.expect(0, *RUN, "-f", "csv", "-o", "a.csv", "-f", "md", "-o", "b.md", "--export-json", "c.json")
        (row,) = csv.DictReader(io.StringIO(self.text("a.csv")))
        self.assertEqual(row["id"], self.report("c.json")["cases"][0]["id"])
        self.assertTrue(self.text("b.md").startswith("| model |"))
        self.assertIn("report  c.json", said.out)
        self.assertRegex(said.out, r"(?m)^tiny ", "the table still goes to the terminal")

    def test_every_format(self):
        formats = json.loads(self.expect(0, "list", "formats", "-f", "json").out)
        words = [word for one in formats for word in ("-f", one["format"], "-o", f"new/{one['format']}{one['ending']}")]
        self.expect(0, *RUN, "--export-json", "c.json", *words)
        for one in formats:
            name, file = one["format"], f"new/{one['format']}{one['ending']}"
            exported = self.expect(0, "export", "c.json", "-f", name).out
            self.assertEqual(self.text(file).replace("\r\n", "\n"), exported, name)
        self.assertEqual(self.text("new/json.json"), self.text("c.json"))
        ET.fromstring(self.text("new/junit.xml"))

    def test_files_are_written_when_a_launch_fails_and_when_a_run_goes_on(self):
        self.run_tiny("--mode", "infer", "-o", "a.csv", code=5, session=CRASH)
        self.assertIn("crashed", self.text("a.csv"))
        self.expect(0, "run", "--resume", "out.json", "-o", "a.csv")
        self.assertNotIn("crashed", self.text("a.csv"))
        self.expect_refused("run", "--resume", "out.json", "-o", "out.json", says=["--output", "another file"])


class Everywhere(FrontTest):
    def test_the_old_spelling_is_told_the_new_one(self):
        self.run_tiny("--mode", "infer", "-r", "1")
        for command, name in (
            (("run", "-m", "tiny.json"), "csv"),
            (("calibrate", "-m", "tiny.json"), "json"),
            (("compare", "out.json", "out.json"), "junit"),
            (("list", "models"), "json"),
            (("doctor",), "json"),
            (("validate", "out.json"), "json"),
            (("export", "out.json"), "html"),
            (("ops",), "csv"),
        ):
            says = [
                f"mpsbench: -o names a file; for the format write -f {name} (to write a file of this name: -o ./{name})"
            ]
            self.expect_refused(*command, "-o", name, says=says)
            self.expect_refused(*command, f"--output={name}", says=says)

    def test_documents_go_to_files(self):
        self.run_tiny("--mode", "infer", "-r", "3")
        self.write("new.json", another(self.report(), "another"))
        for command, form in (
            (("list", "devices"), "json"),
            (("list", "formats"), "md"),
            (("doctor",), "csv"),
            (("compare", "out.json", "new.json"), "junit"),
            (("compare", "out.json", "new.json"), "table"),
            (("validate", "out.json"), "jsonl"),
            (("export", "out.json"), "bencher"),
        ):
            self.expect(0, *command, "-f", form, "-o", "to/file")
            text = (self.work / "to/file").read_text(encoding="utf-8")  # the streams translate line breaks, too
            if command != ("doctor",):  # the load of the machine changes
                self.assertEqual(text, self.expect(0, *command, "-f", form).out, command)
            self.expect_refused(*command, "-f", form, "-o", "tiny.json/x", says=["--output"])
        self.assertEqual(self.expect(0, "list", "devices", "-o", "devices.json").out, "")
        self.assertTrue(self.report("devices.json"))
