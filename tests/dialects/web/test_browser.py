"""A page from elsewhere in a real browser, with its own fetch and EventSource."""

from __future__ import annotations

from tests.browser import browsing
from tests.cli.processes import serving

PAGE = """\
<!doctype html>
<script>
const server = "http://SERVER/";
const told = {answers: [], events: [], order: []};

async function ask(path, fields) {
  const answer = await fetch(server + path, {
    method: "POST",
    headers: {"Content-Type": "application/json"},
    body: JSON.stringify(fields),
  });
  told.answers.push([path, answer.status, await answer.json()]);
  return told.answers.at(-1)[2];
}

async function play() {
  const zp = {nick: "zp", password: "secret"}, jpleal = {nick: "jpleal", password: "another"};
  await ask("register", zp);
  await ask("register", jpleal);
  await ask("register", {nick: "zp", password: "just checking"});
  const {game} = await ask("join", {...zp, group: 99, size: 9});
  const source = new EventSource(`${server}update?nick=zp&game=${game}`);
  const next = [async () => ask("roll", {...zp, game}), async () => ask("leave", {...zp, game})];
  source.onmessage = async (message) => {
    told.events.push([message.lastEventId, JSON.parse(message.data)]);
    if (next.length) await next.shift()();
  };
  source.onerror = () => { told.state = source.readyState; };
  source.onopen = () => ask("join", {...jpleal, group: 99, size: 9});
}
play();
</script>
"""


def test_a_browser_plays_the_original_api_and_its_event_source_closes_at_the_end(tmp_path):
    page = tmp_path / "page.html"
    with serving(tmp_path, "--http-port", "0") as server, browsing(tmp_path / "chrome") as browser:
        page.write_text(PAGE.replace("SERVER", server.http))
        browser.open(page)
        browser.wait("told.state === EventSource.CLOSED")
        told = browser.ask("told")
    assert [(path, status) for path, status, _ in told["answers"]] == [
        ("register", 200),
        ("register", 200),
        ("register", 401),
        ("join", 200),
        ("join", 200),
        ("roll", 200),
        ("leave", 200),
    ]
    assert told["answers"][2][2] == {"error": "User registered with a different password"}
    assert [number for number, _ in told["events"]] == ["1", "2", "3"]
    assert told["events"][0][1]["players"] == {"zp": "Blue", "jpleal": "Red"}
    assert told["events"][1][1]["dice"] is not None
    assert [update.get("winner") for _, update in told["events"]] == [None, None, "jpleal"]
