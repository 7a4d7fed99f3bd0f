"""`tabnet serve`: run a server until it is told to stop."""

from __future__ import annotations

import argparse
import gc
import logging
import re
import signal
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tabnet.cli.server_options import port
from tabnet.cli.web_options import configure_web, request_rules
from tabnet.errors import StartError

if TYPE_CHECKING:
    import ssl

    import trio

    from tabnet.dialects.web.request_checks import RequestRules
    from tabnet.server.net.certificate import Files, Identity
    from tabnet.server.net.hub import Hub
    from tabnet.server.net.ports import Port, PortSettings

SUMMARY = "run a server"
DESCRIPTION = """\
Run a server: newline-delimited JSON over TLS, and on this machine's loopback over plain TCP; there
also the page and the web API over HTTP.
It prints one line for each port as soon as it listens, then `ready`. On SIGTERM or Ctrl-C it stops
within a second, or while games are played within five: they have three seconds to end, and a second
signal ends them at once. SIGHUP reads the certificate again. Logs go to stderr.
"""
EXAMPLE = """\
examples:
  tabnet serve
  tabnet serve --tls-port 0 --tcp-port 0 --data /tmp/tabnet --log json
  tabnet serve --host 0.0.0.0 --https-port 443 --no-http --cert fullchain.pem --key privkey.pem
  tabnet serve --host 0.0.0.0 --cert fullchain.pem --key privkey.pem --max-per-address 64
  tabnet serve --house greedy,expectimax:depth=3,./mine.py --house-games 8

  openssl s_client -quiet -connect 127.0.0.1:45678
  telnet 127.0.0.1 45679
  curl -d '{"cmd":"games"}' http://127.0.0.1:8008/v1
"""

SIGNALS = [
    getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)
]
"""Windows has no SIGHUP."""

USUAL_HOUSE = "random,greedy,expectimax"
NOBODY = "none"
HOUSE_GAMES = 8
MOST_HOUSE_GAMES = 999
NEXT_BOT = re.compile(r",(?![^:,]*=)")
"""The comma before a bot; one before `name=value` is inside the options of a bot."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `tabnet serve`."""
    parser.add_argument(
        "--host", default="127.0.0.1", help="address for TLS; 0.0.0.0 is every one (%(default)s)"
    )
    parser.add_argument(
        "--tls-port", type=port, default=45678, help="0 is any free one (%(default)s)"
    )
    parser.add_argument(
        "--tcp-host", default="127.0.0.1", help="address for plain TCP (%(default)s)"
    )
    parser.add_argument(
        "--tcp-port", type=port, default=45679, help="0 is any free one (%(default)s)"
    )
    parser.add_argument(
        "--allow-plain",
        action="store_true",
        help="let other machines use plain TCP and HTTP, with their passwords in the clear",
    )
    configure_web(parser.add_argument_group("web"))
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
    parser.add_argument(
        "--house",
        action="append",
        metavar="BOTS",
        help="bots to play against, by file, folder or name, with their options; "
        f"{NOBODY}: nobody ({USUAL_HOUSE})",
    )
    parser.add_argument(
        "--house-games",
        type=house_games,
        metavar="N",
        default=HOUSE_GAMES,
        help="games that each of them plays at once, each in a process of its own (%(default)s)",
    )
    parser.add_argument("--cert", type=Path, metavar="FILE", help="a certificate of yours, in PEM")
    parser.add_argument("--key", type=Path, metavar="FILE", help="its key, in PEM, no password")
    parser.add_argument("--log", choices=("human", "json"), default="human", help="(%(default)s)")
    parser.add_argument(
        "--log-level", choices=("debug", "info", "warning"), default="info", help="(%(default)s)"
    )
    configure_limits(parser.add_argument_group("limits"))


def configure_limits(group: argparse._ArgumentGroup) -> None:
    """The options that say how much a client may have."""
    from tabnet.server.core.costs.limits import Limits

    usual = Limits()
    for option, number, text in (
        ("--max-connections", usual.connections, "connections at once"),
        ("--max-per-address", usual.per_address, "of them from one address, or one IPv6 /64"),
        ("--max-commands", usual.commands_per_s, "commands a second on one connection"),
        ("--max-games", usual.games_per_nick, "games that one nick waits for and plays"),
        (
            "--max-address-bytes",
            usual.bytes_per_s_per_address,
            "bytes a second of responses to one address",
        ),
        ("--max-waits", usual.waits, "waits that one connection, and one address, holds"),
        (
            "--max-registrations",
            usual.registrations_per_h,
            "new nicks that one connection, and one address, registers in an hour",
        ),
        ("--max-line", usual.line_bytes, "bytes in a line"),
    ):
        group.add_argument(
            option, type=positive, metavar="N", default=number, help=f"{text} (%(default)s)"
        )


def positive(text: str) -> int:
    """A number of at least 1, for argparse."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is too small: at least 1")
    return number


def house_games(text: str) -> int:
    """How many games a bot of the house plays, for argparse."""
    number = positive(text)
    if number > MOST_HOUSE_GAMES:
        raise argparse.ArgumentTypeError(f"{number} is too much: at most {MOST_HOUSE_GAMES}")
    return number


def house_of(args: argparse.Namespace) -> list[str]:
    """The bots to offer, each as it was named."""
    named = NEXT_BOT.split(",".join(args.house or [USUAL_HOUSE]))
    return [bot for bot in named if bot not in ("", NOBODY)]


def run(args: argparse.Namespace) -> int:
    """Serve until a signal; the exit code comes back."""
    from tabnet.cli.logs import log_failure, logging_to_stderr

    with logging_to_stderr(args.log, args.log_level):
        return log_failure(partial(_serve, args)) if args.log == "json" else _serve(args)


def _serve(args: argparse.Namespace) -> int:
    import trio

    from tabnet.cli.server_options import first
    from tabnet.client.address import data_folder
    from tabnet.dialects.web.machine_names import MachineNames
    from tabnet.server.admin.listener import Executor, serve_requests
    from tabnet.server.core.costs.limits import Limits
    from tabnet.server.net.certificate import Identity
    from tabnet.server.net.hub import now
    from tabnet.server.net.ports import open_ports
    from tabnet.server.net.server import open_hub, serve
    from tabnet.server.net.server_clock import ServerClock
    from tabnet.tournament.play.bots.house_bot_processes import offering, opponents

    house = opponents(house_of(args))
    identity, machine = Identity(certificate_files(args)), MachineNames()
    folder = None if args.memory else args.data or data_folder()
    limits = Limits(
        connections=args.max_connections,
        per_address=args.max_per_address,
        commands_per_s=args.max_commands,
        bytes_per_s_per_address=args.max_address_bytes,
        line_bytes=args.max_line,
        games_per_nick=args.max_games,
        waits=args.max_waits,
        registrations_per_h=args.max_registrations,
    )

    def context() -> ssl.SSLContext:
        return identity.context

    async def main() -> None:
        stop = trio.Event()
        with trio.open_signal_receiver(*SIGNALS) as signals:
            settings = port_settings(args, partial(request_rules, args, identity, machine))
            ports = await open_ports(settings, allow_plain=args.allow_plain)
            local_address = ports["tcp"].local_address
            async with (
                open_hub(folder, args.sync, limits) as hub,
                offering(hub, house, args.house_games, local_address),
                trio.open_nursery() as nursery,
            ):
                nursery.start_soon(obey, signals, hub, identity, stop)
                nursery.start_soon(machine.look_up)
                warn_of_plain(ports.values())
                for name, each in ports.items():
                    proof = f" sha256:{identity.fingerprint}" if name == "tls" else ""
                    print(f"listening {name} {each.address}{proof}")
                if hub.store is not None:
                    hub.store.check()
                print("ready", flush=True)
                tasks = []
                if folder is not None:
                    executor = Executor(hub.service, hub.perform, hub.committed, now)
                    tasks.append(partial(serve_requests, folder, executor))
                await serve(hub, list(ports.values()), context, stop, *tasks)
                nursery.cancel_scope.cancel()

    prepare_process()
    try:
        trio.run(main, clock=ServerClock())
    except BaseExceptionGroup as group:
        raise first(group) from None
    return 0


def certificate_files(args: argparse.Namespace) -> Files:
    """The operator's certificate, or the one in the data folder."""
    from tabnet.client.address import data_folder
    from tabnet.server.net.certificate import Files, own_files

    if (args.cert is None) != (args.key is None):
        raise StartError("--cert and --key go together", hint="give both, or neither")
    return Files(args.cert, args.key) if args.cert else own_files(args.data or data_folder())


async def obey(signals: AsyncIterator[int], hub: Hub, identity: Identity, stop: trio.Event) -> None:
    """Do what signals say."""
    async for number in signals:
        if number not in (signal.SIGTERM, signal.SIGINT):
            read_again(identity)
        elif stop.is_set():
            hub.hurry()
        else:
            stop.set()


def read_again(identity: Identity) -> None:
    """Show the certificate that lies there now; if it is of no use, the old one."""
    try:
        identity.read()
    except StartError as error:
        told = {"error": error.text, "hint": error.hint, "kept": identity.fingerprint}
        logging.getLogger("tabnet").error("certificate", extra={"fields": told})
    else:
        told = {"sha256": identity.fingerprint}
        logging.getLogger("tabnet").info("certificate", extra={"fields": told})


def port_settings(
    args: argparse.Namespace, rules: Callable[[], RequestRules]
) -> list[PortSettings]:
    """The ports to open, in the order in which they are printed."""
    from tabnet.dialects.json_lines import JsonLines
    from tabnet.dialects.web.http_server import Web
    from tabnet.server.net.ports import PortSettings

    web = partial(Web, proxies=args.trusted_proxy, rules=rules)
    ports = [
        PortSettings("tls", args.host, args.tls_port, JsonLines, is_tls=True),
        PortSettings("tcp", args.tcp_host, args.tcp_port, JsonLines),
    ]
    if args.http_port is not None:
        ports.append(PortSettings("http", args.http_host, args.http_port, web))
    if args.https_port is not None:
        secure = partial(web, scheme="https")
        ports.append(PortSettings("https", args.host, args.https_port, secure, is_tls=True))
    return ports


def warn_of_plain(ports: Iterable[Port]) -> None:
    """Warn that passwords can be read on the way to ports without TLS."""
    for each in ports:
        if each.exposed:
            fields = {"addresses": each.exposed, "warning": "passwords travel in the clear"}
            event = f"plain {each.settings.name.upper()}"
            logging.getLogger("tabnet").warning(event, extra={"fields": fields})


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
