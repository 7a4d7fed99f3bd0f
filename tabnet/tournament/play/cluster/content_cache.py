"""The files of bots that a Dask worker keeps, by their digest."""

from __future__ import annotations

import threading
from collections import OrderedDict

from tabnet.tournament.play.bots.bot_files import BotContent

MAX_BYTES = 256 * 1024 * 1024
"""The bytes of all kept files together."""


class ContentCache:
    """Keeps files between tournaments; the longest unused ones are dropped. Thread-safe."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._contents: OrderedDict[str, BotContent] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, content: BotContent) -> None:
        with self._lock:
            self._contents[content.digest] = content
            while len(self._contents) > 1 and self._count_bytes() > self._max_bytes:
                self._contents.popitem(last=False)

    def get(self, digest: str) -> BotContent | None:
        with self._lock:
            if digest in self._contents:
                self._contents.move_to_end(digest)
            return self._contents.get(digest)

    def _count_bytes(self) -> int:
        contents = self._contents.values()
        return sum(len(file.data) for content in contents for file in content.files)
