"""What Sphinx is told. `make.py` calls it once for each language, with the folder that `staging.py` has laid out."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import minitorch  # noqa: E402 - the folder of these pages first

project = "minitorch"
author = "The minitorch authors"
release = minitorch.__version__
html_title = "minitorch"
html_show_copyright = False
html_copy_source = False  # the sources are notebooks of up to 200 kB, and a course folder has them

extensions = ["myst_nb", "sphinx.ext.autodoc", "page_parts"]
locale_dirs = ["locale"]

# What is committed is shown: the notebooks' outputs are tested where they are made.
nb_execution_mode = "off"
nb_merge_streams = True
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
default_role = "code"
add_module_names = False
toc_object_entries_show_parents = "hide"
html_domain_indices = False

html_theme = "furo"
html_static_path = [str(HERE / "static")]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_math_renderer = "mathml"
BAR = {"color-announcement-background": "var(--color-background-secondary)"}
BAR |= {"color-announcement-text": "var(--color-foreground-primary)"}
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#00664b", "color-brand-content": "#00664b", **BAR},
    "dark_css_variables": {"color-brand-primary": "#4fd1a5", "color-brand-content": "#4fd1a5", **BAR},
}
html_favicon = str(HERE / "static" / "favicon.svg")
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
