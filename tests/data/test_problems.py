"""Toy sets, digits and texts: drawn from a seed, never downloaded."""

import math
import sys

import numpy as np
import pytest

from minitorch import Tensor, data
from minitorch.data import CharacterWindows, Vocabulary, function_names, name_contexts, topics_text

TOYS = {"moons": 2, "circles": 2, "spirals": 3, "xor": 2, "blobs": 3}


@pytest.mark.parametrize("name", TOYS)
def test_a_toy_set_has_points_and_classes(name):
    X, y = getattr(data, name)(61, seed=1)
    assert (X.shape, X.dtype, y.shape, y.dtype) == ((61, 2), np.float32, (61,), np.int64)
    assert sorted(set(y.tolist())) == list(range(TOYS[name]))


@pytest.mark.parametrize("name", TOYS)
def test_a_seed_gives_the_same_points(name):
    make = getattr(data, name)
    (a, b), (c, d), (other, _) = make(50, seed=1), make(50, seed=1), make(50, seed=2)
    assert a.equal(c)
    assert b.equal(d)
    assert not a.equal(other)


@pytest.mark.parametrize("name", TOYS)
def test_too_few_points_are_refused(name):
    with pytest.raises(ValueError, match=f"^{name}: n must be at least "):
        getattr(data, name)(0)


def test_moons_without_noise_lie_on_the_formula():
    X, y = data.moons(101, noise=0.0)
    (x0, y0), (x1, y1) = X.numpy()[y.numpy() == 0].T, X.numpy()[y.numpy() == 1].T
    np.testing.assert_allclose(x0**2 + y0**2, 1, atol=1e-6)
    np.testing.assert_allclose((x1 - 1) ** 2 + (y1 - 0.5) ** 2, 1, atol=1e-6)
    assert y0.min() > -1e-6
    assert y1.max() < 0.5 + 1e-6


def test_spirals_turn_evenly():
    X, y = data.spirals(300, noise=0.0, turns=0.5)
    r = np.hypot(*X.numpy().T)
    angle = np.arctan2(X.numpy()[:, 0], X.numpy()[:, 1]) / (2 * math.pi)
    off = (angle - y.numpy() / 3 - 0.5 * r)[r > 0] % 1
    np.testing.assert_allclose(np.minimum(off, 1 - off), 0, atol=1e-6)


# -- digits ------------------------------------------------------------------------------------------------------------


def test_digits_are_split_by_the_seed():
    train, test = data.load_digits()
    assert (len(train), len(test)) == (1438, 359)
    images, labels = train.tensors
    assert (images.shape, images.dtype, labels.dtype) == ((1438, 1, 8, 8), np.float32, np.int64)
    assert (images.amin().item(), images.amax().item()) == (0.0, 1.0)
    assert train.tensors[0].equal(data.load_digits()[0].tensors[0])
    assert not train.tensors[0].equal(data.load_digits(seed=1)[0].tensors[0])


def test_they_are_the_digits_of_the_repository():
    """What its description says of the test set: 1,797 of them, and how many of each."""
    labels = np.concatenate([part.tensors[1].numpy() for part in data.load_digits()])
    assert np.bincount(labels).tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]
    pixels = sum(part.tensors[0].numpy().sum() for part in data.load_digits())
    assert pixels * 16 == 561_718  # the sum of scikit-learn's copy


def test_a_share_that_is_none_is_refused():
    with pytest.raises(ValueError, match="between 0 and 1, not 20"):
        data.load_digits(test=20)


# -- text --------------------------------------------------------------------------------------------------------------


def test_decode_undoes_encode():
    text = "naïve – 1 + 1\n"
    vocabulary = Vocabulary.of(text)
    assert vocabulary.decode(vocabulary.encode(text)) == text
    assert len(vocabulary) == len(set(text))


def test_what_the_vocabulary_lacks_is_named():
    vocabulary = Vocabulary("ab")
    with pytest.raises(ValueError, match=r"^Vocabulary: the character 'c' is not among its 2"):
        vocabulary.encode("abc")
    with pytest.raises(IndexError, match=r"^Vocabulary: the number 2 means no character: they go from 0 to 1$"):
        vocabulary.decode([0, 2])
    with pytest.raises(IndexError, match="the number -1"):
        vocabulary.decode(Tensor([-1]))
    with pytest.raises(ValueError, match="'a' is listed twice"):
        Vocabulary("aba")


def test_the_target_of_a_window_is_the_next_character():
    windows = CharacterWindows(np.arange(10), context=4)
    assert len(windows) == 6
    for x, y in windows:
        assert y.equal(x + 1)
    assert windows[-1][1].tolist() == [6, 7, 8, 9]
    with pytest.raises(IndexError, match=r"^CharacterWindows: window 6 of 6"):
        windows[6]


@pytest.mark.parametrize(("text", "context"), [(np.arange(4), 4), (np.arange(4), 0), (np.zeros((4, 4)), 2)])
def test_a_text_that_is_too_short_is_refused(text, context):
    with pytest.raises(ValueError, match=r"^CharacterWindows: a context of"):
        CharacterWindows(text, context)


def test_no_context_of_a_name_shows_its_target_or_another_name():
    vocabulary = Vocabulary("\nabc")
    inputs, targets = name_contexts(["abc", "b"], vocabulary, context=2).tensors
    pairs = [(vocabulary.decode(x), vocabulary.decode(y)) for x, y in zip(inputs, targets)]
    assert pairs == [("\n\n", "a"), ("\na", "b"), ("ab", "c"), ("bc", "\n"), ("\n\n", "b"), ("\nb", "\n")]


def test_python_brings_text_and_names():
    text, names = topics_text(), function_names()
    assert len(text) > 300_000
    assert 90 < len(Vocabulary.of(text)) < 130
    assert len(names) > 2_000
    assert names == sorted(set(names))
    assert len(Vocabulary.of(names)) <= 37  # small letters, digits, _


def test_nothing_that_would_open_a_window_is_imported():
    function_names()
    assert "antigravity" not in sys.modules
    assert "turtle" not in sys.modules
