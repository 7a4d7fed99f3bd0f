"""`tabnet serve`: run a server until a signal stops it."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from tabnet.cli.options.bot_process_options import read_process_settings
from tabnet.cli.options.dialect_options import (
    find_dialects_beside_tls,
    list_dialect_ports,
    make_web_rooms_clock,
)
from tabnet.cli.options.serve_options import (
    add_serve_options,
    choose_certificate_files,
    list_house_bot_names,
    make_limits,
    read_options,
)
from tabnet.cli.options.server_options import run_alone
from tabnet.cli.options.web_options import list_web_ports, make_request_rules
from tabnet.client.address import find_data_folder
from tabnet.errors import StartError
from tabnet.server.net import service_manager
from tabnet.server.net.certificate import Identity

if TYPE_CHECKING:
    import trio

    from tabnet.dialects.web.request_checks import RequestRules
    from tabnet.server.net.hub import Hub
    from tabnet.server.net.ports import PortSettings

DESCRIPTION = """\
Run a server: newline-delimited JSON over TLS, and on this machine's loopback over plain TCP; there
also the page and the web API over HTTP.
The server prints one line for each port as soon as it listens, then `ready`. On SIGTERM or Ctrl-C
it stops within a second, or within five seconds if games are being played: they have three seconds
to end. A second signal ends them at once. SIGHUP reloads the certificate. Logs go to stderr.
"""
EXAMPLE = """\
examples:
  tabnet serve
  tabnet serve --host 0.0.0.0 --https-port 8443
  tabnet serve --config /etc/tabnet.toml
  tabnet serve --tls-port 0 --tcp-port 0 --data /tmp/tabnet --log json
  tabnet serve --host 0.0.0.0 --https-port 443 --no-http --cert fullchain.pem --key privkey.pem
  tabnet serve --host 0.0.0.0 --cert fullchain.pem --key privkey.pem --max-per-address 64
  tabnet serve --house greedy,expectimax:depth=3,./mine.py --house-games 8
  tabnet serve --config /etc/tabnet.toml --print-unit

  openssl s_client -quiet -connect 127.0.0.1:45678
  telnet 127.0.0.1 45679
  curl -d '{"cmd":"games"}' http://127.0.0.1:8008/v1
"""

SIGNALS = [
    getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)
]
"""The handled signals; Windows has no SIGHUP."""

configure = add_serve_options


def run(args: argparse.Namespace) -> int:
    from tabnet.cli.logs import log_failure, logging_to_stderr

    args = read_options(args)
    if args.print_unit:
        print(make_unit(args), end="")
        return 0
    with logging_to_stderr(args.log, args.log_level):
        return log_failure(partial(_serve, args)) if args.log == "json" else _serve(args)


def _serve(args: argparse.Namespace) -> int:
    import trio

    from tabnet.dialects.web.machine_names import MachineNames
    from tabnet.server.admin.request_server import Executor, serve_requests
    from tabnet.server.net.ports import open_ports
    from tabnet.server.net.run_server import open_hub, serve
    from tabnet.server.net.server_clock import ServerClock, now
    from tabnet.tournament.play.bots.house_bot_processes import (
        check_sandbox,
        find_house_bots,
        offer_bots,
    )

    house, beside_tls = find_house_bots(list_house_bot_names(args)), find_dialects_beside_tls(args)
    processes, data_folder = read_process_settings(args), args.data or find_data_folder()
    check_sandbox(house, processes, data_folder)
    identity, machine = Identity(choose_certificate_files(args)), MachineNames()
    folder = None if args.memory else data_folder
    limits = make_limits(args)

    async def main() -> None:
        stop = trio.Event()
        with trio.open_signal_receiver(*SIGNALS) as signals:
            settings = list_port_settings(
                args, partial(make_request_rules, args, identity, machine)
            )
            ports = await open_ports(settings, allow_plain=args.allow_plain)
            local_address = ports["tcp"].local_address
            async with (
                open_hub(folder, args.sync, limits) as hub,
                offer_bots(hub, house, args.house_games, local_address, processes),
                trio.open_nursery() as nursery,
            ):
                hub.service.registration_is_closed = args.registration == "closed"
                nursery.start_soon(handle_signals, signals, hub, identity, stop)
                nursery.start_soon(machine.look_up)
                warn_of_plain({name: each.exposed for name, each in ports.items()})
                if args.allow_plain:
                    warn_of_plain(dict.fromkeys(beside_tls, ports["tls"].reachable))
                for name, each in ports.items():
                    fingerprint = f" sha256:{identity.fingerprint}" if name == "tls" else ""
                    print(f"listening {name} {each.address}{fingerprint}")
                for name in beside_tls:
                    print(f"listening {name} {ports['tls'].address}")
                if hub.store is not None:
                    hub.store.check()
                print("ready", flush=True)
                service_manager.notify_ready()
                tasks = []
                if folder is not None:
                    executor = Executor(hub.service, hub.perform, hub.wait_until_committed, now)
                    tasks.append(partial(serve_requests, folder, executor))
                await serve(hub, list(ports.values()), lambda: identity.context, stop, *tasks)
                nursery.cancel_scope.cancel()

    prepare_process()
    run_alone(main, ServerClock())
    return 0


async def handle_signals(
    signals: AsyncIterator[int], hub: Hub, identity: Identity, stop: trio.Event
) -> None:
    """Stop the server, stop it at once at the second signal, or reload its certificate."""
    async for number in signals:
        if number not in (signal.SIGTERM, signal.SIGINT):
            service_manager.notify_reloading()
            reload_certificate(identity)
            service_manager.notify_ready()
        elif stop.is_set():
            hub.skip_grace()
        else:
            service_manager.notify_stopping()
            stop.set()


def reload_certificate(identity: Identity) -> None:
    """Read the certificate again; if this fails, keep the old one."""
    try:
        identity.read()
    except StartError as error:
        fields = {"error": error.text, "hint": error.hint, "kept": identity.fingerprint}
        logging.getLogger("tabnet").error("certificate", extra={"fields": fields})
    else:
        fields = {"sha256": identity.fingerprint}
        logging.getLogger("tabnet").info("certificate", extra={"fields": fields})


def list_port_settings(
    args: argparse.Namespace, rules: Callable[[], RequestRules]
) -> list[PortSettings]:
    """Return the ports to open, in the order in which they are printed."""
    from tabnet.dialects.json_lines import JsonLines
    from tabnet.server.net.ports import PortSettings

    plain = next(iter(find_dialects_beside_tls(args).values()), None)
    ports = [
        PortSettings("tls", args.host, args.tls_port, JsonLines, is_tls=True, plain_dialect=plain),
        PortSettings("tcp", args.tcp_host, args.tcp_port, JsonLines),
    ]
    web_ports = list_web_ports(args, rules, make_web_rooms_clock(args))
    return [*ports, *web_ports, *list_dialect_ports(args)]


def make_unit(args: argparse.Namespace) -> str:
    """Return a unit for systemd that runs this command."""
    from tabnet.cli.systemd_unit import find_program, format_unit

    if not hasattr(os, "getuid"):
        raise StartError("--print-unit is for systemd, which runs on Linux")
    ports = [value for name, value in vars(args).items() if name.endswith("_port")]
    return format_unit(find_program(), args.arguments, args.data, ports)


def warn_of_plain(exposed: Mapping[str, list[str]]) -> None:
    """Log a warning for each port without TLS that other machines can reach, by its name."""
    for name, addresses in exposed.items():
        if addresses:
            fields = {"addresses": addresses, "warning": "passwords travel in the clear"}
            event = f"plain {name.upper()}"
            logging.getLogger("tabnet").warning(event, extra={"fields": fields})


def prepare_process() -> None:
    """Allow many open files, and make the garbage collector run less often."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        pass
    else:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
