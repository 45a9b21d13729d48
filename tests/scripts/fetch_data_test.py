"""Tests of scripts/fetch_data with a local server: complete, resumed, damaged and missing downloads."""

import gzip
import hashlib
import http.server
import io
import shutil
import subprocess
import sys
import tarfile
import threading
from unittest import mock

import support
from folders import FolderTest
from mpsbench_py import fetch
from mpsbench_py.datasets import DATASETS, PublishedFile

CONTENT = bytes(range(256)) * 4000
SOON_SECONDS = 10
POLL_SECONDS = 0.01


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the server's files by path. Ends the connection after cut_after bytes of each."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name, wanted = self.path.lstrip("/"), self.headers.get("Range")
        self.server.requests.append((name, wanted))
        content = self.server.files.get(name)
        if content is None:
            self.send_error(404)
            return
        first = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and self.server.ranges else 0
        self.send_response(206 if first else 200)
        if first:
            self.send_header("Content-Range", f"bytes {first}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - first))
        self.end_headers()
        rest = content[first:]
        self.wfile.write(rest[: self.server.cut_after])
        self.close_connection = self.server.cut_after < len(rest)

    def log_message(self, *arguments: object) -> None:
        pass


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class Fetching(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.folder /= "data"
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.files = {"first/a.bin": CONTENT}
        self.server.requests, self.server.ranges, self.server.cut_after = [], True, len(CONTENT)
        thread = threading.Thread(target=self.server.serve_forever, args=(POLL_SECONDS,), daemon=True)
        thread.start()
        self.addCleanup(thread.join, SOON_SECONDS)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.publish("first", "second")

    def publish(self, *places: str) -> None:
        self.know(PublishedFile(tuple(self.url(f"{one}/a.bin") for one in places), len(CONTENT), sha256(CONTENT)))

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/{name}"

    def know(self, *files: PublishedFile) -> None:
        """Takes these FILES for those of trec."""
        self.enter(mock.patch.dict(DATASETS, {"trec": files}))

    def fetch(self) -> int:
        code, _, self.said = support.run(fetch.main, "trec", "--data-dir", self.folder)
        return code

    def expect_whole(self) -> None:
        self.assertEqual(self.fetch(), 0, self.said)
        self.assertEqual((self.folder / "a.bin").read_bytes(), CONTENT)
        self.assertEqual(sorted(one.name for one in self.folder.iterdir()), ["SHA256SUMS", "a.bin"])
        listed = (self.folder / "SHA256SUMS").read_text(encoding="utf-8")
        self.assertEqual(listed, f"{sha256(CONTENT)}  a.bin\n")

    def expect_failure(self, *words: str) -> None:
        self.assertEqual(self.fetch(), 2)
        for word in (*words, sha256(CONTENT), str(self.folder), "copy them to"):
            self.assertIn(word, self.said)
        self.assertFalse((self.folder / "a.bin").exists())

    def test_whole_file_once(self) -> None:
        self.expect_whole()
        self.expect_whole()
        self.assertEqual(self.server.requests, [("first/a.bin", None)])

    def test_goes_on_where_it_broke_off(self) -> None:
        self.publish("first")
        self.server.cut_after = 300_000
        self.expect_failure("the connection ended after 300,000 of 1,024,000 bytes; try again")
        self.server.cut_after = len(CONTENT)
        self.expect_whole()
        self.assertEqual(self.server.requests, [("first/a.bin", None), ("first/a.bin", "bytes=300000-")])

    def test_another_address_goes_on(self) -> None:
        self.server.cut_after = 600_000
        self.server.files["second/a.bin"] = CONTENT
        self.expect_whole()
        self.assertEqual(self.server.requests, [("first/a.bin", None), ("second/a.bin", "bytes=600000-")])

    def test_server_without_ranges(self) -> None:
        self.write("a.bin.part", CONTENT[:1000])
        self.server.ranges = False
        self.expect_whole()

    def test_part_that_is_already_whole(self) -> None:
        self.write("a.bin.part", CONTENT)
        self.expect_whole()
        self.assertEqual(self.server.requests, [])

    def test_bad_part_is_dropped(self) -> None:
        for bad in (b"x" * 1000, b"x" * len(CONTENT), b"x" * (len(CONTENT) + 1)):
            with self.subTest(size=len(bad)):
                self.write("a.bin.part", bad)
                self.expect_whole()
                shutil.rmtree(self.folder)

    def test_damaged_download(self) -> None:
        self.server.files["first/a.bin"] = CONTENT[:-1] + b"x"
        self.expect_failure("the file's SHA-256 is ", "HTTP status 404")
        self.assertEqual(list(self.folder.iterdir()), [])
        self.server.files["second/a.bin"] = CONTENT
        self.expect_whole()

    def test_longer_file(self) -> None:
        self.server.files["first/a.bin"] = CONTENT + b"x"
        self.server.cut_after = len(CONTENT) + 1
        self.expect_failure("sends more than the file's 1,024,000 bytes")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_damaged_file_is_replaced(self) -> None:
        self.write("a.bin", CONTENT[:-1] + b"x")
        self.expect_whole()

    def test_no_network(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.expect_failure("refused", self.url("second/a.bin"), "1,024,000 bytes")

    def test_an_archive_is_unpacked(self) -> None:
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as tar:
            for name, content in (("top/a.bin", b"first"), ("top/b.bin", b"second"), ("top/readme.html", b"<p>")):
                member = tarfile.TarInfo(name)
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
        content = packed.getvalue()
        self.expect_unpacked("a.tar.gz", packed.getvalue(), "top", left="top.part/torn.bin", damaged="top/a.bin")
        unpacked = {one.name: one.read_bytes() for one in (self.folder / "top").iterdir()}
        lines = [f"{sha256(text)}  {name}" for name, text in unpacked.items() if ".bin" in name]
        self.assertEqual(sorted(unpacked.pop("SHA256SUMS").decode().splitlines()), sorted(lines))
        self.assertEqual(unpacked, {"a.bin": b"first", "b.bin": b"second"})

    def expect_unpacked(self, name: str, content: bytes, unpacked: str, left: str, damaged: str) -> None:
        """Fetches it in spite of what another fetch LEFT, and makes it again from what is here if it is DAMAGED."""
        self.server.files[name] = content
        self.know(PublishedFile((self.url(name),), len(content), sha256(content), unpacked))
        self.write(left, b"left by a fetch that was killed")
        self.assertEqual(self.fetch(), 0, self.said)
        before = (self.folder / damaged).read_bytes()
        self.write(damaged, b"damaged")
        self.assertEqual(self.fetch(), 0, self.said)
        self.assertEqual((self.folder / damaged).read_bytes(), before)
        self.assertEqual(len(self.server.requests), 1)
        self.assertFalse((self.folder / f"{unpacked}.part").exists())

    def test_a_packed_file_is_unpacked(self) -> None:
        content = gzip.compress(b"rows")
        self.expect_unpacked("a-ubyte.gz", content, "a-ubyte", left="a-ubyte.part", damaged="a-ubyte")
        self.assertEqual((self.folder / "a-ubyte").read_bytes(), b"rows")
        listed = (self.folder / "SHA256SUMS").read_text(encoding="utf-8")
        self.assertIn(f"{sha256(b'rows')}  a-ubyte\n", listed)

    def test_says_all_that_is_missing(self) -> None:
        self.know(*DATASETS["trec"], *(PublishedFile((self.url(name),), 1, "0" * 64) for name in "bc"))
        self.assertEqual(self.fetch(), 2)
        explained = self.said.partition("download failed")[2]
        self.assertNotIn("a.bin", explained)
        self.assertIn("  b  1 bytes", explained)
        self.assertIn("  c  1 bytes", explained)
        self.assertEqual([name for name, _ in self.server.requests], ["first/a.bin", "b"])

    def test_place_that_cannot_be_written(self) -> None:
        self.folder.write_text("a file")
        self.assertEqual(self.fetch(), 2)
        self.assertIn(f"cannot write to {self.folder}", self.said)

    def test_the_program(self) -> None:
        command = [sys.executable, support.SCRIPTS / "fetch_data", "nonsense"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("'cifar10'", done.stderr)
