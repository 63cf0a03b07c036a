"""Writing files: all or none, each at once, and only where something changes."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from untemplate.compiler.cli.failure import Failure, problem, reason


def write_all(files: Mapping[Path, bytes]) -> list[Path]:
    """Writes the files that differ from what is there; folders are made as needed. Returns those written.

    Every file is first written whole, under another name in its folder, and then put in its place. So nobody sees half
    a file, and where one can not be written none is touched.

    Raises:
        Failure: one of them can not be written.
    """
    staged: list[tuple[Path, Path]] = []
    path = Path()
    try:
        for path, data in files.items():
            # A link stays: what it points to is written.
            target = Path(os.path.realpath(path))
            if _content(target) != data:
                staged.append((stage(target), path))
                staged[-1][0].write_bytes(data)
        for temporary, path in staged:
            publish(temporary, Path(os.path.realpath(path)))
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from error
    finally:
        for temporary, _ in staged:
            with suppress(OSError):
                temporary.unlink()
    return [path for _, path in staged]


def stage(target: Path) -> Path:
    """An empty file beside `target`, to be written and then published. Raises `OSError`."""
    if target.is_dir():
        raise IsADirectoryError(0, "it is a folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}.tmp")
    # Unlike tempfile's, such a file gets the permissions that the user's umask gives to new files.
    os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    return temporary


def publish(temporary: Path, target: Path) -> None:
    """Puts a staged file in the place of `target`, with that one's permissions. Raises `OSError`."""
    with suppress(FileNotFoundError):
        os.chmod(temporary, target.stat().st_mode & 0o7777)
    os.replace(temporary, target)


def unwritable(path: Path, error: Exception) -> Failure:
    """The report of a file that can not be written."""
    return Failure(problem(str(path), f"can not be written: {reason(error)}"))


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
