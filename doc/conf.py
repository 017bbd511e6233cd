"""Sphinx settings of the manual; `make html` stages the pages and the chapters of the
reference that are generated from the public headers."""
import os

project = "Agnesi"
author = "the Agnesi authors"
copyright = "the Agnesi authors, GPL-3.0-or-later"
version = release = os.environ.get("AGNESI_VERSION", "")
extensions = ["sphinx.ext.mathjax"]
primary_domain = "c"
highlight_language = "none"
html_theme = "alabaster"
html_theme_options = {"description": "Tensors and derivatives of any order", "page_width": "60em"}
exclude_patterns = ["api/*"]
# names of the C library and of other headers are not documented here
nitpicky = False
