"""`python -m tests.server.committer FOLDER [BYTES]`: commits the story until it is stopped.

For each batch that is on the disk, a line. With BYTES no file can become longer than that.
"""

from __future__ import annotations

import resource
import sys
from itertools import count
from pathlib import Path

import trio

from tabnet.errors import TabnetError
from tabnet.server.storage.store import open_store
from tests.server.stories import batch


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
