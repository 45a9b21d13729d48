"""What scripts/fetch_data does: downloads a data set's original files, verified; goes on with a partial download.

Exit code 2, and what to fetch from where, when that cannot be done.
"""

import argparse
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
    """One address does not give the file; the text says why."""


def say(text: str) -> None:
    sys.stderr.write(f"fetch_data: {text}\n")


def is_whole(path: Path, file: PublishedFile) -> bool:
    return path.is_file() and path.stat().st_size == file.size_bytes and sha256_of(path) == file.sha256


def download(url: str, part: Path, size_bytes: int) -> None:
    """Appends what PART lacks, or begins anew where the server knows no ranges."""
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
        resumed = answer.status == http.HTTPStatus.PARTIAL_CONTENT
        left = size_bytes - (have if resumed else 0)
        with part.open("ab" if resumed else "wb") as out:
            while piece := answer.read(PIECE_BYTES):
                left -= len(piece)
                if left < 0:
                    raise FetchError(f"sends more than the {size_bytes:,} bytes of the file")
                out.write(piece)


def fetch_from(url: str, part: Path, file: PublishedFile) -> None:
    """Leaves the verified file in PART; what arrived of a broken connection stays there for the next time."""
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
        if resuming:  # what was there before may have been the bad half
            fetch_from(url, part, file)
            return
        raise FetchError(f"the file's SHA-256 is {found}, not {file.sha256}")


def fetch(file: PublishedFile, folder: Path) -> bool:
    """FILE in FOLDER, whole or not at all."""
    place = folder / file.name
    if is_whole(place, file):
        say(f"{place} is there already")
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


def unpack(archive: Path, name: str) -> None:
    """The archive's .bin files as the folder NAME beside it, whole or not at all: mapped files start faster."""
    place, part = archive.parent / name, archive.parent / (name + ".part")
    if place.exists():
        say(f"{place} is there already")
        return
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.isfile() and member.name.endswith(".bin"):
                (part / Path(member.name).name).write_bytes(tar.extractfile(member).read())
    write_sums(sorted(part.iterdir()))
    part.rename(place)


def fetch_all(files: tuple[PublishedFile, ...], folder: Path) -> list[PublishedFile]:
    """Those that are not in FOLDER then. The first that cannot be had ends it: each takes a while to fail."""
    for file in files:
        if not fetch(file, folder):
            return [one for one in files if not is_whole(folder / one.name, one)]
        if file.unpacks_to:
            unpack(folder / file.name, file.unpacks_to)
    return []


def explain(files: list[PublishedFile], folder: Path) -> None:
    say(f"not fetched. Get these from another machine and put them into {folder.resolve()}:")
    for file in files:
        sys.stderr.write(f"  {file.name}  {file.size_bytes:,} bytes  SHA-256 {file.sha256}\n")
        for url in file.urls:
            sys.stderr.write(f"    {url}\n")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="fetch_data", description="Downloads the original files of a data set, verifies them, resumes."
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
