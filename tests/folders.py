"""A test with a folder of its own."""

import json
import tempfile
import unittest
from pathlib import Path


class FolderTest(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def write(self, name: str, content: object, mode: int = 0o644) -> Path:
        """Writes CONTENT: text, bytes, or a value to write as JSON."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        path.chmod(mode)
        return path

    def enter(self, *contexts: object) -> None:
        """Enters contexts, such as patches, until the end of the test."""
        for context in contexts:
            context.__enter__()
            self.addCleanup(context.__exit__, None, None, None)
