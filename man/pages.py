#!/usr/bin/env python3
"""pages.py FOLDER: all manual pages as HTML, with links, one style sheet and a search; see "make html".

mandoc makes the text of each page.  index.html is heed(7), which lists the programs by task.
"""

import glob
import html
import json
import os
import sys
import xml.etree.ElementTree as etree

from guides import FOLDER, body_of, named, words

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%(title)s</title>
<link rel="stylesheet" href="style.css">
<script src="index.js" defer></script>
<script src="search.js" defer></script>
</head>
<body>
<a class="skip" href="#page-content">Skip to content</a>
<header>
<a class="home" href="index.html">heed</a>
<form role="search"><input id="page-search" type="search" placeholder="Search pages, sections and options"
 aria-label="Search pages, sections and options" autocomplete="off"></form>
</header>
<ol id="page-found" hidden></ol>
<nav aria-label="Sections">%(contents)s</nav>
<main id="page-content">
%(text)s
</main>
</body>
</html>
"""


def file_of(page):
    return os.path.basename(page) + ".html"


class Page:
    def __init__(self, path):
        self.name, self.file = named(path), file_of(path)
        self.body, self.about = body_of(path, "%N.%S.html")

    def sections(self):
        """(id, title) of the headings, and of the terms that can be linked to, such as options."""
        for e in self.body.iter():
            if e.tag in ("h1", "h2") and words(e) not in ("NAME", "SYNOPSIS"):
                yield e.tag, e.get("id"), words(e)
            elif e.tag == "dt" and e.get("id"):
                yield e.tag, e.get("id"), words(e)

    def entries(self):
        yield [self.file, self.name, self.about]
        for tag, place, title in self.sections():
            yield ["%s#%s" % (self.file, place), title, self.name]

    def html(self, known):
        places = {title: place for tag, place, title in self.sections()}
        for a in self.body.iter("a"):
            if a.get("class") == "Xr" and a.get("href") not in known:           # of another package
                del a.attrib["href"]
            elif a.get("class") == "Sx" and words(a) in places:                 # some lack a hyphen
                a.set("href", "#" + places[words(a)])
        contents = "".join('<a href="#%s" class="%s">%s</a>\n' % (place.replace('"', "%22"), tag, html.escape(title))
                           for tag, place, title in self.sections() if tag != "dt")
        text = "".join(etree.tostring(e, encoding="unicode", method="html") for e in self.body)
        title = "%s: %s" % (self.name, self.about)
        return PAGE % {"title": html.escape(title), "contents": contents, "text": text}


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def main(folder):
    pages = [Page(path) for path in sorted(glob.glob(os.path.join(FOLDER, "*.[0-9]")))]
    known = {page.file for page in pages}
    os.makedirs(folder, exist_ok=True)
    for page in pages:
        text = page.html(known)
        write(os.path.join(folder, page.file), text)
        if page.name == "heed(7)":
            write(os.path.join(folder, "index.html"), text)
    entries = json.dumps([entry for page in pages for entry in page.entries()], ensure_ascii=False,
                         separators=(",", ":"))
    write(os.path.join(folder, "index.js"), "const index = %s;\n" % entries)
    for name, source in (("style.css", "pages.css"), ("search.js", "pages.js")):
        with open(os.path.join(FOLDER, source), encoding="utf-8") as f:
            write(os.path.join(folder, name), f.read())


if __name__ == "__main__":
    main(sys.argv[1])
