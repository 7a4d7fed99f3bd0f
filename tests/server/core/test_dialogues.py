"""The service answers the dialogues as the model of the protocol does."""

from __future__ import annotations

import pytest

from tests.fuzz.dialogue import Dialogue, read_dialogues

DIALOGUES = read_dialogues()


@pytest.mark.parametrize("title", DIALOGUES)
def test_the_service_and_the_model_agree_on_a_dialogue(title: str) -> None:
    Dialogue().run(DIALOGUES[title])
