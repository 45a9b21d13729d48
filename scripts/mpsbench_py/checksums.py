"""The file SHA256SUMS next to data files, in sha256sum's format. mpsbench verifies the files that it lists."""

import hashlib
from pathlib import Path

NAME = "SHA256SUMS"


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_sums(files: list[Path]) -> None:
    """Adds FILES, which are all in one folder, to that folder's list. Entries of other files stay."""
    path = files[0].parent / NAME
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    names = {file.name for file in files}
    kept = [line for line in lines if line[66:] not in names]
    made = [f"{sha256_of(file)}  {file.name}" for file in files]
    path.write_text("".join(line + "\n" for line in kept + made), encoding="utf-8")
