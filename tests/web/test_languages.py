"""The page in other languages: chosen by the browser or in the menu, and kept."""

from __future__ import annotations

import json
import re

import pytest

from tabnet.games import GAMES
from tests.web.people import LANGUAGES

pytestmark = pytest.mark.slow

FOLDERS = ["languages", *(f"boards/{kind}" for kind in GAMES)]
TEXTS = """(async (folders, codes) => {
    const { LANGUAGES } = await import("./languages.js");
    const load = async (folder) => Promise.all(
        codes.map(async (code) => (await import(`./${folder}/${code}.js`)).TEXTS));
    const listForms = (code) => {
        const plurals = new Intl.PluralRules(LANGUAGES[code].locale);
        return [...new Set(Array.from({ length: 1001 }, (_, count) => plurals.select(count)))];
    };
    return [await Promise.all(folders.map(load)), codes.map(listForms)];
})(%s, %s)"""
POLISH = """(async () => {
    const { getText } = await import("./texts.js");
    return [1, 2, 5, 22].map((count) => getText("minutes", { count }));
})()"""
REFUSALS = """import("./refusals.js").then(({ describeRefusal }) => %s.map(describeRefusal))"""
TEXT = "document.getElementById({!r}).textContent"
IS_WAITING = """(async () => {
    const { sendCommand } = await import("./server_connection.js");
    const { findSeat } = await import("./browser_storage.js");
    const { game, token } = findSeat(location.hash.split("=")[1]);
    return "wait" in await sendCommand("state", { game, token });
})()"""


def join(text):
    """Return all forms of a text."""
    return text if isinstance(text, str) else " ".join(text.values())


def find_all(pattern, text):
    """Return the matches in all forms of a text."""
    return set(re.findall(pattern, join(text)))


def test_texts_have_the_plurals_of_their_language_and_the_same_values_and_tags(person):
    expression = TEXTS % (json.dumps(FOLDERS), json.dumps(LANGUAGES))
    folders, categories = person().page.ask(expression)
    assert dict(zip(LANGUAGES, categories, strict=True))["pl"] == ["many", "one", "few"]
    count = 0
    for english, *others in folders:
        for texts, forms in zip((english, *others), categories, strict=True):
            for key, text in texts.items():
                where = (forms, key)
                is_plural = isinstance(text, dict)
                assert is_plural == isinstance(english[key], dict), where
                assert not is_plural or set(text) == set(forms), where
                assert find_all(r"{.*?}", text) == find_all(r"{.*?}", english[key]), where
                assert not re.search(r"[{}]", re.sub(r"{\w+}", "", join(text))), where
                tags = [re.findall(r"<.*?>", join(each)) for each in (text, english[key])]
                assert tags[0] == tags[1], where
                count += is_plural
    assert count >= 4 * 15


def test_the_language_of_the_browser_is_used_and_the_menu_changes_it_for_good(person):
    someone = person(language="pl-PL,en")
    assert someone.page.ask("document.documentElement.lang") == "pl"
    assert someone.message == "Wybierz grę i naciśnij Start"
    assert someone.page.ask(POLISH) == ["1 minuta", "2 minuty", "5 minut", "22 minuty"]
    menu = "[...document.getElementById('language').options].map(({ text }) => text)"
    assert someone.page.ask(menu) == ["English", "Português", "Ελληνικά", "Polski"]
    loaded = {url.rpartition("/")[2] for url in someone.page.asked}
    assert "pl.js" in loaded
    assert not loaded & {"en.js", "pt.js", "el.js"}
    someone.start(kind="plakoto", opponent="random", seat="0")
    someone.play("document.querySelector('.legal')")
    someone.page.click("[data-key='1']")
    assert someone.message == "Twoja kolej. Wybierz cel."
    someone.choose_language("el")
    assert someone.message == "Η σειρά σας. Επιλέξτε τον προορισμό."
    assert someone.page.ask(TEXT.format("account")) == "Επισκέπτης"
    someone.page.click("[data-key='20']")
    why = someone.page.wait(TEXT.format("error"))
    said, _, hint = why.partition(". ")
    assert said == "Το πιόνι δεν μπορεί να πάει σε αυτή την απόσταση"
    assert hint.startswith("possible: 1 to ")
    someone.reload()
    assert someone.message.startswith("Η σειρά σας. ")
    assert someone.page.ask("document.getElementById('language').value") == "el"


def test_an_unknown_language_is_english_and_portuguese_is_that_of_portugal(person):
    assert person(language="xx,de").message == "Choose a game and press Start"
    someone = person(language="de,pt-BR")
    assert someone.message == "Escolha um jogo e prima Começar"
    assert someone.page.ask("document.documentElement.lang") == "pt-PT"


def test_a_change_of_the_language_loses_no_wait_and_no_step(person):
    someone = person()
    someone.start(kind="tab", opponent="anyone", group="79")
    someone.page.wait("!document.getElementById('resign').hidden")
    someone.choose_language("pt")
    assert someone.message == "À espera de um adversário"
    assert someone.page.ask(TEXT.format("resign")) == "Deixar de esperar"
    assert someone.page.ask(IS_WAITING)
    someone.page.click("#resign")
    someone.page.wait("!document.getElementById('new-game').hidden")
    someone.open()
    someone.start(kind="tab", opponent="random", seat="0")
    someone.play("document.querySelectorAll('#move-list button').length > 3")
    someone.resign()
    assert someone.page.wait(TEXT.format("verification")).startswith("✓ Verificado: ")
    someone.page.click("#look-through")
    steps = someone.page.ask("document.getElementById('replay-step').max")
    someone.choose_language("pl")
    assert someone.page.ask(TEXT.format("replay-position")) == f"1 z {steps}"
    assert someone.page.ask(TEXT.format("verification")).startswith("✓ Sprawdzono: ")
    colors = "[...document.querySelectorAll('#move-list .marker')].map((one) => one.ariaLabel)"
    assert set(someone.page.ask(colors)) <= {"Niebieskie", "Czerwone"}
    someone.page.click("[data-step=last]")
    assert (someone.message, someone.reason) == ("Przegrana", "Poddajesz grę.")


def test_a_refusal_has_the_details_of_the_server(person):
    someone = person(language="pl")
    banned = {"code": "banned", "text": "ana is banned: insults", "field": "nick"}
    often = {"code": "too_many_logins", "text": "too many", "field": "password"}
    refusals = [
        banned,
        often | {"retry_after": 7},
        often | {"retry_after": 601},
        {"code": "busy", "text": "busy", "field": "opponent", "hint": "try greedy"},
        {"code": "wrong_type", "text": "size must be a number", "field": "size"},
        {"code": "new", "text": "a new refusal"},
    ]
    assert someone.page.ask(REFUSALS % json.dumps(refusals)) == [
        "Operator serwera odmawia Ci dostępu (nick: ana is banned: insults).",
        "Podano zbyt wiele błędnych haseł (password). Czas do następnej próby: 7 sekund.",
        "Podano zbyt wiele błędnych haseł (password). Czas do następnej próby: 11 minut.",
        "Ten przeciwnik jest zajęty (opponent). Wybierz innego albo spróbuj później. try greedy",
        "Wartość jest złego typu (size).",
        "a new refusal.",
    ]
