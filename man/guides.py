#!/usr/bin/env python3
"""guides.py PAGE: a manual page as Markdown, from the HTML that mandoc makes of it.

Forges show mdoc as source.  The guides, which are pages of section 7, are therefore also in man/*.md.
"make guides" writes them; tests/cli/guides.t checks that they are those of the pages.
"""

import os
import re
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as etree

FOLDER = os.path.dirname(os.path.abspath(__file__))
WIDTH = 110
KEPT = "\0"                 # a blank where a line is not broken
CODE = {"Pa", "Ar"}


def escaped(text):
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text)


def classes(e):
    return set((e.get("class") or "").split())


def plain(e):
    return "".join(e.itertext())


def words(e):
    return " ".join(plain(e).split())


def link(e):
    """A page of heed is a link, to its Markdown if there is one; others are not."""
    name = e.get("href")
    guide = name[:-1] + "md"
    if name.endswith(".7") and os.path.exists(os.path.join(FOLDER, guide)):
        name = guide
    known = os.path.exists(os.path.join(FOLDER, name))
    return "[%s](%s)" % (plain(e), name) if known else plain(e)


def inline(e):
    """The text of an element with marks of Markdown."""
    out = escaped(e.text or "")
    for child in e:
        if child.tag == "a" and "Xr" in classes(child):
            out += link(child)
        elif child.tag == "a" and "Sx" in classes(child):
            text = words(child)
            out += "[%s](#%s)" % (text, re.sub(r"[^a-z0-9 -]", "", text.lower()).replace(" ", "-"))
        elif child.tag == "a" and "Lk" in classes(child):
            out += "[%s](%s)" % (escaped(plain(child)), child.get("href"))
        elif child.tag == "code" or classes(child) & CODE:
            out += "`%s`" % KEPT.join(plain(child).split())
        elif child.tag in ("i", "em"):
            out += "*%s*" % inline(child).strip()
        elif child.tag in ("b", "strong"):
            out += "**%s**" % inline(child).strip()
        else:
            out += " " if child.tag == "br" else inline(child)
        out += escaped(child.tail or "")
    return out


def tidied(text):
    """With single blanks.  Adjacent code, such as an option and its value, is one and is not broken."""
    text = re.sub(r"(?<=[^ `])` `(?=[^ `])", KEPT, " ".join(text.split())).replace("``", "")
    return re.sub("\u2018(`[^`]*`)\u2019", r"\1", text)


def paragraph(text, indent, mark=None):
    lines = textwrap.wrap(tidied(text), WIDTH, initial_indent=mark or indent,
                          subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return [line.replace(KEPT, " ") for line in lines] + [""] if lines else []


def table(e, indent):
    if "Nm" in classes(e):                  # of a synopsis
        lines = [words(row) for row in e.iter("tr")]
        return [indent + line for line in ["```sh", *lines, "```", ""]]
    return rows_of([[inline(cell) for cell in row] for row in e.iter("tr")], indent)


def rows_of(rows, indent):
    rows = [[tidied(cell).replace(KEPT, " ") for cell in row] for row in rows]
    n = max(map(len, rows))
    rows = [list(row) + [""] * (n - len(row)) for row in rows]
    lines = ["| %s |" % " | ".join(row) for row in rows]
    lines.insert(1, "|" + " --- |" * n)
    return [indent + line for line in lines] + [""]


def items(e, indent):
    """A list; the terms of a tagged list are bullets before their texts, or it is a table."""
    out, number = [], 0
    if e.tag == "dl" and "Bl-compact" in classes(e) and not any(len(x.findall(".//" + tag)) for x in e
                                                                for tag in ("dl", "ul", "pre", "p")):
        cells = [inline(x) for x in e]
        named = e[0].find("i") is not None or e[0].find("a/i") is not None
        return rows_of(([] if named else [["", ""]]) + list(zip(cells[::2], cells[1::2])), indent)
    for child in e:
        if child.tag == "dt":
            out += paragraph(inline(child), indent + "  ", indent + "* ")
        elif child.tag == "dd":
            out += blocks(child, indent + "  ")
        else:
            number += 1
            mark = "%d. " % number if e.tag == "ol" else "* "
            inner = blocks(child, indent + " " * len(mark))
            if inner:
                inner[0] = indent + mark + inner[0].lstrip()
            out += inner[:-1] if "Bl-compact" in classes(e) else inner
    return out + [""] if out and out[-1] else out


def heading(e):
    text = words(e)
    if e.tag == "h1":
        text = text if text != text.upper() else text.capitalize()
    return ["#" * (int(e.tag[1]) + 1) + " " + escaped(text), ""]


def blocks(e, indent=""):
    """The lines of an element that has paragraphs, lists and the like, or text."""
    out, run = [], escaped(e.text or "")
    for child in e:
        lines = None
        if child.tag in ("section", "div", "p", "dd"):
            lines = blocks(child, indent)
        elif child.tag in ("h1", "h2"):
            lines = heading(child)
        elif child.tag == "pre":
            text = plain(child).strip("\n").split("\n")
            lines = [indent + "```sh"] + [(indent + line).rstrip() for line in text] + [indent + "```", ""]
        elif child.tag in ("ul", "ol", "dl"):
            lines = items(child, indent)
        elif child.tag == "table":
            lines = table(child, indent)
        if lines is None:
            whole = etree.Element("x")
            whole.append(child)
            run += inline(whole)
        else:
            out += paragraph(run, indent) + lines
            run = escaped(child.tail or "")
    return out + paragraph(run, indent)


def body_of(page, link):
    """What mandoc makes of a page, and the text of its NAME after the dash; link: that to a page."""
    text = subprocess.run(["mandoc", "-T", "html", "-O", "fragment,man=" + link, page], check=True,
                          capture_output=True, encoding="utf-8").stdout
    body = etree.fromstring("<x>%s</x>" % text).find("div")
    return body, words(body.find("section/p")).partition(" \u2014 ")[2]


def named(page):
    return "%s(%s)" % tuple(os.path.basename(page).rsplit(".", 1))


def markdown(page):
    body, about = body_of(page, "%N.%S")
    sections = body.findall("section")[1:]
    file = os.path.basename(page)
    title = "# %s: %s" % (named(page), about)
    lines = [title, "", "<!-- This is %s as Markdown, made by \"make guides\". -->" % file, ""]
    for section in sections:
        if plain(section.find("h1")) == "DESCRIPTION":
            section.remove(section.find("h1"))
        lines += blocks(section)
    return "\n".join(lines).rstrip("\n") + "\n"


if __name__ == "__main__":
    sys.stdout.write(markdown(sys.argv[1]))
