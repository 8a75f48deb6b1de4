"""What names the owner of the repository: nothing but one variable, and what is made from it."""

import re

import addresses
import pytest

OWNER = "ana-lee/mini.torch"
WEB = "https:" + "//"  # apart, for no file of the repository names an address
README = addresses.README.read_text(encoding="utf-8")
CITATION = addresses.CITATION.read_text(encoding="utf-8")


def test_readme_and_citation_are_what_the_variable_makes_of_them():
    named = addresses.repository()
    assert addresses.filled(README, named, addresses.published()["released"]) == README
    assert addresses.cited(CITATION, named) == CITATION


def test_without_a_name_there_is_no_badge_no_address_and_readme_is_as_it_is():
    assert addresses.badges("", released=True) == ""
    assert addresses.urls("") == {}
    assert addresses.elsewhere(README, "") == README
    assert "repository-code" not in addresses.cited(CITATION, "")


@pytest.mark.parametrize("released", [False, True])
def test_the_badges_open_a_code_space_binder_and_colab_which_needs_a_release(released):
    made = addresses.badges(OWNER, released)
    targets = re.findall(rf"\]\(({WEB}[^)]+)\)(?!\])", made)
    there = [
        f"{WEB}codespaces.new/{OWNER}",
        f"{WEB}mybinder.org/v2/gh/{OWNER}/HEAD?urlpath=lab/tree/work/00_start_here.ipynb",
        f"{WEB}colab.research.google.com/github/{OWNER}/blob/colab/00_start_here.ipynb",
    ]
    assert [target for target in targets if not target.endswith(".svg")] == there[: 2 + released]
    assert made in addresses.filled(README, OWNER, released)


def test_naming_an_owner_and_taking_the_name_back_leaves_both_files_as_they_were():
    there = addresses.filled(README, OWNER, True)
    assert there != addresses.filled(README, "", False)
    assert addresses.filled(there, "", False) == addresses.filled(README, "", False)
    cited = addresses.cited(CITATION, OWNER)
    assert cited.splitlines()[-1] == f"repository-code: {WEB}github.com/{OWNER}"
    assert addresses.cited(cited, "") == addresses.cited(CITATION, "")


@pytest.mark.parametrize("named", ["", OWNER])
def test_pipx_and_the_index_are_named_only_once_there_is_a_release(named):
    assert "pipx" not in addresses.starts(named, False)
    assert "pipx run minitorch-course init mycourse" in addresses.starts(named, True)
    if not addresses.published()["released"]:
        assert "pipx" not in README
        assert "pip install minitorch" not in README


def test_the_first_of_three_starts_works_at_once():
    """Where a site is published a browser is enough; where none is, `make lab` needs the clone alone."""
    for named, released in [("", False), ("", True), (OWNER, False), (OWNER, True)]:
        ways = re.findall(r"^\d\. \*\*.*", addresses.starts(named, released), re.MULTILINE)
        assert [way[:5] for way in ways] == ["1. **", "2. **", "3. **"]
        first = f"[Read the course]({WEB}ana-lee.github.io/mini.torch/)" if named else "`make lab`"
        assert first in ways[0]


def test_a_readme_without_a_place_for_them_is_refused():
    with pytest.raises(ValueError, match="no place for starts"):
        addresses.filled(README.replace("<!-- starts -->", ""), "", False)


def test_what_an_index_shows_links_into_the_repository():
    text = 'See [a page](docs/a.md), [there](http://localhost/x), [here](#x). ![p](docs/p.svg) <img src="docs/q.svg">'
    assert addresses.elsewhere(text, OWNER) == (
        f"See [a page]({WEB}github.com/{OWNER}/blob/HEAD/docs/a.md), [there](http://localhost/x), [here](#x). "
        f"![p]({WEB}raw.githubusercontent.com/{OWNER}/HEAD/docs/p.svg) "
        f'<img src="{WEB}raw.githubusercontent.com/{OWNER}/HEAD/docs/q.svg">'
    )
    assert not re.search(rf"\]\((?!{WEB}|#)", addresses.elsewhere(README, OWNER))


@pytest.mark.parametrize("wrong", ["ana", f"{WEB}github.com/ana/mini", "ana/mini/torch", "ana/"])
def test_another_form_than_owner_and_name_is_refused_in_a_sentence(wrong, tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text(f'[tool.minitorch]\nrepository = "{wrong}"\n')
    monkeypatch.setattr(addresses, "ROOT", tmp_path)
    with pytest.raises(ValueError, match=r"write OWNER/NAME, or nothing"):
        addresses.repository()
