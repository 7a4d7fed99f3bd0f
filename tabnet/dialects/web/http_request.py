"""One request over HTTP. Pure."""

from __future__ import annotations

from urllib.parse import parse_qs

from attrs import frozen


@frozen
class HttpRequest:
    """One request."""

    method: str
    target: str
    headers: dict[str, str]
    """Their names in lower case."""
    body: bytes = b""

    @property
    def path(self) -> str:
        """The path without surplus slashes."""
        return "/" + self.target.partition("?")[0].strip("/")

    @property
    def query(self) -> dict[str, str]:
        """The last value of each field."""
        fields = parse_qs(self.target.partition("?")[2], keep_blank_values=True)
        return {name: values[-1] for name, values in fields.items()}
