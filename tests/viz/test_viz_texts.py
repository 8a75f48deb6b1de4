"""Every sentence of a picture is a message of the code, so that each language has it."""

import re

import numpy as np
import pytest
from messages import messages
from viz_pictures import VIEWS, attention, diamond, diamonds, layer, random_values, uneven

from minitorch import viz
from minitorch.language import FIELD, Message

G = np.arange(12.0).reshape(4, 3)
FURTHER = {
    "pass": lambda: viz.step(diamond()[0], predict=True),
    "pass of arrays": lambda: viz.step(layer()[0], predict=True),
    "rules": lambda: viz.shapes(attention()[0]),
    "walks": lambda: viz.fan_out(uneven()),
    "walks of many paths": lambda: viz.fan_out(diamonds(12)),
    "large graph": lambda: viz.graph(random_values(200)),
    "large comparison": lambda: viz.compare(diamonds(60), diamonds(60, left=0.6)),
    "sum wrong": lambda: viz.unbroadcast(G, (3,), result=G.mean(axis=0)),
    "axes wrong": lambda: viz.transpose((3, 4), gradient=G, result=G.T * 2),
}
WORD = re.compile(r"(?<![.\w])[^\W\d_]{2,}(?!\w*\()")  # of a sentence; a formula has names of functions alone


@pytest.fixture(scope="module")
def known():
    return {*messages()}


@pytest.mark.parametrize("name", [*VIEWS, *FURTHER])
def test_every_sentence_is_a_message_of_the_code(name, known, monkeypatch):
    said, translated = set(), Message._translated

    def listening(message, lang):
        said.add((message.id, message.several) if message.several else message.id)
        return translated(message, lang)

    monkeypatch.setattr(Message, "_translated", listening)
    picture = (VIEWS | FURTHER)[name]()
    assert all((picture.text(), picture.svg(), picture._told(), picture._repr_mimebundle_()))
    assert said
    assert [each for each in said - known if WORD.search(FIELD.sub("", "".join(each)))] == []
