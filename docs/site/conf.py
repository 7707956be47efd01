# SPDX-License-Identifier: Apache-2.0
"""Sphinx's settings of the site, whose pages stage.py has put beside this file (scripts/site)."""

import os

project = "gravlet"
author = copyright = "The gravlet maintainers"  # noqa: A001
release = os.environ["GRAVLET_VERSION"]
extensions = ["myst_parser"]
root_doc = "index"
html_theme = "furo"
html_title = f"gravlet {release}"
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_copy_source = html_show_sourcelink = html_show_sphinx = False
html_extra_path = ["_extra"]
myst_heading_anchors = 6  # those of GitHub
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]  # files that are shown whole, beyond their languages' lexers
