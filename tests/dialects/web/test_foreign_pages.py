"""Pages of other origins in a real browser: nothing that they send is executed."""

from __future__ import annotations

import http.server
import json
import threading
import urllib.error
import urllib.request
from contextlib import contextmanager

from tests.browser import browsing
from tests.cli.processes import serving

REBOUND = "--host-resolver-rules=MAP evil.example 127.0.0.1"
"""The browser reaches this machine under a name of the attacker's, as after DNS rebinding."""
PAGE = b"""\
<!doctype html>
<link rel=icon href=data:,>
<iframe name=frame></iframe>
<script>
const command = (nick) => JSON.stringify({cmd: "register", nick, password: "theirs"});

async function attempt(url, options) {
  try {
    const answer = await fetch(url, {method: "POST", ...options});
    return answer.type === "opaque" ? "opaque" : answer.status;
  } catch (error) {
    return error.name;
  }
}

function stream(url) {
  return new Promise((done) => {
    const source = new EventSource(url);
    source.onopen = () => done("open");
    source.onerror = () => { source.close(); done("error"); };
  });
}

function image(src) {
  return new Promise((done) => Object.assign(new Image(), {src, onload: done, onerror: done}));
}

function post(action, nick) {
  const form = Object.assign(document.createElement("form"),
    {action, method: "post", enctype: "text/plain", target: "frame"});
  const [name, value] = [command(nick).slice(0, -2), command(nick).slice(-2)];
  form.append(Object.assign(document.createElement("input"), {name: name + " ", value}));
  document.body.append(form);
  return new Promise((done) => {
    document.querySelector("iframe").onload = () => done("loaded");
    form.submit();
  });
}
</script>
"""


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the page of the attacker at every path."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        """Log nothing."""


@contextmanager
def foreign_site():
    """The address of a web server whose pages belong to somebody else."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as site:
        threading.Thread(target=site.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{site.server_port}"
        finally:
            site.shutdown()


def is_registered(server, nick):
    """Return whether somebody has registered a nick, by registering it with another password."""
    body = json.dumps({"cmd": "register", "nick": nick, "password": "ours"}).encode()
    try:
        urllib.request.urlopen(f"http://{server.http}/v1", body).close()
    except urllib.error.HTTPError as error:
        with error:
            refused = json.loads(error.read())
    else:
        return False
    assert refused["code"] == "wrong_password"
    return True


def test_a_page_on_another_port_executes_nothing(tmp_path):
    with (
        serving(tmp_path, "--http-port", "0", "--house", "none") as server,
        foreign_site() as site,
        browsing(tmp_path / "chrome") as browser,
    ):
        browser.open(site)
        v1 = f"http://{server.http}/v1"
        plain = "{mode: 'no-cors', headers: {'Content-Type': 'text/plain'}, body: command('%s')}"
        kind = "{headers: {'Content-Type': 'application/json'}, body: command('json')}"
        assert browser.ask(f"attempt('{v1}', {kind})") == "TypeError"
        assert browser.ask(f"attempt('{v1}', {{body: command('simple')}})") == "TypeError"
        assert browser.ask(f"attempt('{v1}', {plain % 'opaque'})") == "opaque"
        assert browser.ask(f"post('{v1}', 'form')") == "loaded"
        assert browser.ask(f"stream('{v1}/updates?game=x')") == "error"
        browser.ask(f"image('{v1}/updates?game=x')")
        tcp = f"http://{server.tcp}/"
        assert browser.ask(f"post('{tcp}', 'tcp')") == "loaded"
        assert browser.ask(f"attempt('{tcp}', {plain % 'tcp'})") == "TypeError"
        https = f"https://{server.tls}/"
        browser.ask(f"attempt('{https}', {plain % 'tls'})")
        browser.ask(f"attempt('https://{server.tcp}/', {plain % 'tls'})")
        for nick in ("json", "simple", "opaque", "form", "tcp", "tls"):
            assert not is_registered(server, nick)


def test_a_page_whose_name_leads_to_the_server_executes_nothing(tmp_path):
    with (
        serving(tmp_path, "--http-port", "0", "--house", "none") as server,
        browsing(tmp_path / "chrome", REBOUND) as browser,
    ):
        port = server.http.rpartition(":")[2]
        browser.open(f"http://evil.example:{port}/")
        assert browser.ask("location.origin") == f"http://evil.example:{port}"
        assert "--http-name" in browser.ask("document.body.innerText")
        body = json.dumps({"cmd": "register", "nick": "victim", "password": "theirs"})
        answer = f"fetch('/v1', {{method: 'POST', body: {body!r}}}).then((it) => it.status)"
        assert browser.ask(answer) == 421
        assert not is_registered(server, "victim")


def test_a_page_of_an_allowed_origin_plays(tmp_path):
    with foreign_site() as site:
        options = ("--http-port", "0", "--house", "none", "--allow-origin", site)
        with (
            serving(tmp_path, *options) as server,
            browsing(tmp_path / "chrome") as browser,
        ):
            browser.open(site)
            v1 = f"http://{server.http}/v1"
            kind = "{headers: {'Content-Type': 'application/json'}, body: command('friend')}"
            assert browser.ask(f"attempt('{v1}', {kind})") == 200
            assert is_registered(server, "friend")
