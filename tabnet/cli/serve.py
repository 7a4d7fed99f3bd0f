"""`tabnet serve`: run a server until it is told to stop."""

from __future__ import annotations

import argparse
import gc
import signal
from collections.abc import AsyncIterator
from pathlib import Path

SUMMARY = "run a server"
DESCRIPTION = """\
Run a server: newline-delimited JSON over TLS, and over plain TCP on this machine's loopback.
It prints one line for each port as soon as it listens, then `ready`, and stops within a second
on SIGTERM or Ctrl-C. Logs go to stderr.
"""
EXAMPLE = """\
examples:
  tabnet serve
  tabnet serve --tls-port 0 --tcp-port 0 --data /tmp/tabnet --log json

  openssl s_client -quiet -connect 127.0.0.1:45678
  telnet 127.0.0.1 45679
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `tabnet serve`."""
    parser.add_argument(
        "--host", default="127.0.0.1", help="address for TLS; 0.0.0.0 is every one (%(default)s)"
    )
    parser.add_argument(
        "--tls-port", type=port, default=45678, help="0 is any free one (%(default)s)"
    )
    parser.add_argument(
        "--tcp-port", type=port, default=45679, help="on loopback only (%(default)s)"
    )
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="where everything is kept (the user's data)"
    )
    parser.add_argument(
        "--sync",
        choices=("full", "normal"),
        default="full",
        help="full: what was said survives a power cut; normal: it may lose a moment (%(default)s)",
    )
    parser.add_argument(
        "--memory", action="store_true", help="keep no games and accounts, only the certificate"
    )
    parser.add_argument("--log", choices=("human", "json"), default="human", help="(%(default)s)")
    parser.add_argument(
        "--log-level", choices=("debug", "info", "warning"), default="info", help="(%(default)s)"
    )


def port(text: str) -> int:
    """A port number, for argparse."""
    number = int(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{number} is no port: 0 to 65535")
    return number


def run(args: argparse.Namespace) -> int:
    """Serve until a signal; the exit code comes back."""
    import trio

    from tabnet.cli.logs import logging_to_stderr
    from tabnet.cli.server_options import first
    from tabnet.client.address import data_folder
    from tabnet.server.certificate import fingerprint, tls_context
    from tabnet.server.listener import address_of
    from tabnet.server.run import open_doors, open_hub, serve

    folder = args.data or data_folder()
    context = tls_context(folder)

    async def main() -> None:
        stop = trio.Event()
        with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            doors = await open_doors(args.host, args.tls_port, args.tcp_port)
            async with (
                open_hub(None if args.memory else folder, args.sync) as hub,
                trio.open_nursery() as nursery,
            ):
                nursery.start_soon(stop_at_signal, signals, stop)
                print(f"listening tls {address_of(doors.tls[0])} sha256:{fingerprint(folder)}")
                print(f"listening tcp {address_of(doors.tcp[0])}\nready", flush=True)
                await serve(hub, doors, context, stop)
                nursery.cancel_scope.cancel()

    async def stop_at_signal(signals: AsyncIterator[int], stop: trio.Event) -> None:
        async for _ in signals:
            stop.set()

    prepare_process()
    with logging_to_stderr(args.log, args.log_level):
        try:
            trio.run(main)
        except BaseExceptionGroup as group:
            raise first(group) from None
    return 0


def prepare_process() -> None:
    """Make room for many connections, and let the garbage collector look at less, less often."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        pass
    else:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
