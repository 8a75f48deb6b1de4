"""Sentences of a catalogue: their fields, and Spanish articles behind a preposition."""

import pytest

from minitorch.language import Text, filled


@pytest.mark.parametrize(
    ("sentence", "axes", "said"),
    [
        ("a lo largo de {axes}", "el eje 0", "a lo largo del eje 0"),
        ("a lo largo de {axes}", "los ejes 0 y 1", "a lo largo de los ejes 0 y 1"),
        ("respecto a {axes}", "el eje 1", "respecto al eje 1"),
        ("De {axes}", "el eje 1", "Del eje 1"),
        ("De {axes}", "él", "De él"),
    ],
)
def test_a_field_contracts_with_the_preposition_in_front_of_it(sentence, axes, said):
    assert filled(sentence, "es", {"axes": axes}) == said
    assert filled(sentence, "es", {"axes": Text("axis", axes)}) == said


def test_nothing_contracts_in_english():
    assert filled("de {name}", "en", {"name": "el"}) == "de el"
