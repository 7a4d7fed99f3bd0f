"""Which files a bot may read, and which it may write. Pure.

A readable folder is readable with all that is in it, because Landlock cannot exclude a part. No
list here contains the folder of a user, the folder of a checkout, or /proc.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

AUTO, LANDLOCK, BWRAP, NONE = "auto", "landlock", "bwrap", "none"
CHOICES = (AUTO, LANDLOCK, BWRAP, NONE)
"""The choices of a sandbox; `auto` is the best one that a machine has."""

LIBRARIES = (
    *("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64"),
    *("/usr/local/lib", "/usr/local/lib64", "/nix/store", "/usr/share/zoneinfo"),
)
"""Folders of libraries, which every program needs."""
SETTINGS = (
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/timezone", "/etc/nsswitch.conf"),
    *("/etc/passwd", "/etc/group", "/etc/hosts", "/etc/resolv.conf", "/etc/services"),
    *("/etc/ssl/openssl.cnf", "/etc/ssl/certs", "/etc/pki/tls/openssl.cnf", "/etc/pki/tls/certs"),
)
"""Files of /etc that libraries read. The runner may be root, so /etc as a whole would have secrets:
password hashes, keys of certificates, tokens of services."""
SYSTEM = (
    *("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/libexec", "/usr/share"),
    *("/usr/local/bin", "/usr/local/sbin", "/usr/local/libexec", "/usr/local/share"),
    "/etc/alternatives",
)
"""The system's programs, for bots that are command lines."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
"""Devices that a bot may read and write; none of them keeps anything."""
INSTALLATION_PARTS = ("bin", "lib", "lib32", "lib64", "libexec", "pyvenv.cfg")
"""The parts of an installation's folder, which may have other things in it."""
PROCESSES = "/proc"


@frozen
class HostPaths:
    """Paths of the machine on which bots run."""

    python: tuple[str, ...]
    """Python and the packages that tabnet needs."""
    tabnet: tuple[str, ...]
    """The package, and the bots that come with it."""


@frozen
class Access:
    """The rights of one process of a bot."""

    read: tuple[str, ...]
    """Files and folders that it may read and execute."""
    write: tuple[str, ...]
    """Files and folders that it may also write."""
    connect: tuple[int, ...]
    """TCP ports that it may connect to."""
    is_local: bool
    """True if it uses the local socket alone, and needs no network."""


def list_installation(prefix: str) -> Iterator[str]:
    """Yield the paths of an installation, like that of Python, of which /usr is an example."""
    for part in INSTALLATION_PARTS:
        yield f"{prefix}/{part}"


def list_readable(host: HostPaths, extra: Sequence[str], *, is_command: bool) -> tuple[str, ...]:
    """Return the paths that a bot may read, besides its own files."""
    system = SYSTEM if is_command else ()
    paths = (*LIBRARIES, *SETTINGS, *system, *host.python, *host.tabnet, *extra)
    return tuple(dict.fromkeys(paths))


def find_containing(path: str, folders: Iterable[str]) -> str | None:
    """Return the first of the folders that contains a path, or is it; all are absolute."""
    inside = f"{path}/"
    return next((each for each in folders if inside.startswith(f"{each.rstrip('/')}/")), None)
