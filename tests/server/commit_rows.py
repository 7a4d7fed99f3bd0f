"""`python -m tests.server.commit_rows FOLDER [BYTES]`: commit batches until the process is stopped.

Prints a line for each batch on disk. BYTES limits the size of every file.
"""

from __future__ import annotations

import resource
import sys
from itertools import count
from pathlib import Path

import trio

from tabnet.errors import TabnetError
from tabnet.server.storage.store import open_store
from tests.server.stored_rows import batch


async def main(folder: Path) -> None:
    async with open_store(folder) as store:
        await store.load()
        for number in count():
            await store.commit(batch(number))
            print(number + 1, flush=True)


if __name__ == "__main__":
    if sys.argv[2:]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
    try:
        trio.run(main, Path(sys.argv[1]))
    except TabnetError as error:
        sys.exit(f"{type(error).__name__}: {error.text} ({error.hint})")
