"""The work of scripts/fetch_data: downloads a data set's original files, verifies and unpacks them. Resumes partial
downloads.

If that fails, prints which files to download from where, and exits with 2.
"""

import argparse
import gzip
import http.client
import shutil
import sys
import tarfile
import urllib.error
import urllib.request
from pathlib import Path

from mpsbench_py.checksums import sha256_of, write_sums
from mpsbench_py.datasets import DATASETS, PublishedFile

TIMEOUT_SECONDS = 30
PIECE_BYTES = 1 << 20


class FetchError(Exception):
    """The file could not be downloaded from one address. The message says why."""


def say(text: str) -> None:
    sys.stderr.write(f"fetch_data: {text}\n")


def is_whole(path: Path, file: PublishedFile) -> bool:
    return path.is_file() and path.stat().st_size == file.size_bytes and sha256_of(path) == file.sha256


def download(url: str, part: Path, size_bytes: int) -> None:
    """Downloads the rest of PART, or all of it if the server does not support ranges."""
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
        resumed = answer.status == http.HTTPStatus.PARTIAL_CONTENT
        left = size_bytes - (have if resumed else 0)
        with part.open("ab" if resumed else "wb") as out:
            while piece := answer.read(PIECE_BYTES):
                left -= len(piece)
                if left < 0:
                    raise FetchError(f"the server sends more than the file's {size_bytes:,} bytes")
                out.write(piece)


def fetch_from(url: str, part: Path, file: PublishedFile) -> None:
    """Downloads FILE to PART and verifies it. If the connection breaks, PART stays, to be resumed the next time."""
    resuming = part.exists()
    if not resuming or part.stat().st_size < file.size_bytes:
        try:
            download(url, part, file.size_bytes)
        except FetchError:
            part.unlink()
            raise
        except urllib.error.HTTPError as error:
            raise FetchError(f"HTTP status {error.code}") from error
        except (OSError, http.client.HTTPException) as error:
            raise FetchError(str(getattr(error, "reason", error)) or type(error).__name__) from error
    size_bytes = part.stat().st_size
    if size_bytes < file.size_bytes:
        raise FetchError(f"the connection ended after {size_bytes:,} of {file.size_bytes:,} bytes; try again")
    if not is_whole(part, file):
        found = sha256_of(part)
        part.unlink()
        if resuming:  # the part that was there before may be wrong: download all again
            fetch_from(url, part, file)
            return
        raise FetchError(f"the file's SHA-256 is {found}, not {file.sha256}")


def fetch(file: PublishedFile, folder: Path) -> bool:
    """Downloads FILE into FOLDER, completely or not at all. Returns whether it is there."""
    place = folder / file.name
    if is_whole(place, file):
        say(f"{place} already exists")
        return True
    part = folder / (file.name + ".part")
    for url in file.urls:
        say(f"{url} ({file.size_bytes:,} bytes)")
        try:
            fetch_from(url, part, file)
        except FetchError as error:
            say(f"{url}: {error}")
            continue
        part.replace(place)
        write_sums([place])
        return True
    return False


def unpack(packed: Path, name: str) -> None:
    """Unpacks PACKED next to it, completely or not at all, because mpsbench reads only unpacked files."""
    place, part = packed.parent / name, packed.parent / (name + ".part")
    if not packed.name.endswith(".tar.gz"):  # takes little time, so a damaged file is replaced without a look at it
        with gzip.open(packed) as content, part.open("wb") as out:
            shutil.copyfileobj(content, out)
        part.replace(place)
        write_sums([place])
    else:  # a damaged folder is replaced, too
        unpack_archive(packed, part)
        shutil.rmtree(place, ignore_errors=True)
        part.rename(place)


def unpack_archive(archive: Path, folder: Path) -> None:
    """Makes FOLDER with the archive's .bin files and their checksums."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.isfile() and member.name.endswith(".bin"):
                (folder / Path(member.name).name).write_bytes(tar.extractfile(member).read())
    write_sums(sorted(folder.iterdir()))


def fetch_all(files: tuple[PublishedFile, ...], folder: Path) -> list[PublishedFile]:
    """Downloads FILES and returns those that are missing. Stops at the first failure, because failing takes long."""
    for file in files:
        if not fetch(file, folder):
            return [one for one in files if not is_whole(folder / one.name, one)]
        if file.unpacks_to:
            unpack(folder / file.name, file.unpacks_to)
    return []


def explain(files: list[PublishedFile], folder: Path) -> None:
    say(f"download failed. Download these files on another machine and copy them to {folder.resolve()}:")
    for file in files:
        sys.stderr.write(f"  {file.name}  {file.size_bytes:,} bytes  SHA-256 {file.sha256}\n")
        for url in file.urls:
            sys.stderr.write(f"    {url}\n")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="fetch_data",
        description="Downloads the original files of a data set, verifies and unpacks them. Resumes partial downloads.",
    )
    parser.add_argument("name", choices=DATASETS, metavar="NAME", help=", ".join(DATASETS))
    parser.add_argument("--data-dir", type=Path, metavar="DIR", default=Path("data"), help="default: data")
    arguments = parser.parse_args(argv)
    folder = arguments.data_dir
    try:
        folder.mkdir(parents=True, exist_ok=True)
        absent = fetch_all(DATASETS[arguments.name], folder)
    except OSError as error:
        say(f"cannot write to {folder}: {error.strerror}")
        return 2
    if absent:
        explain(absent, folder)
        return 2
    print(folder)
    return 0
