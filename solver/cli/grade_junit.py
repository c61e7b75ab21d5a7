"""Grades as JUnit XML, which services that run tests show."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

from solver.cli.grade_report import text, verdict
from solver.cli.output import plain_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from solver.arena.exercise import Compared
    from solver.arena.grade import Grade

Case = tuple[str, str | None, str]  # the name of a test, why it failed in one line, and more


def junit(
    rules: str | None, compared: list[Compared], grades: list[Grade], require: str | None
) -> bytes:
    """Return a suite for the functions of a file of rules, and one for each player.

    A player's test is what is required of it, by default that it never loses.
    """
    root = ET.Element("testsuites")
    if rules is not None:
        _add_suite(root, rules, ((c.function, c.wrong, c.board or "") for c in compared))
    required = require or "never-loses"
    for grade in grades:
        why = None if grade.meets(required) else verdict(grade)
        _add_suite(root, grade.player, [(required, why, text(grade))])
    ET.indent(root)
    data: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return data


def _add_suite(root: ET.Element, name: str, cases: Iterable[Case]) -> None:
    suite = ET.SubElement(root, "testsuite", name=plain_lines(name))
    tests = failures = 0
    for test, why, more in cases:
        case = ET.SubElement(suite, "testcase", classname=plain_lines(name), name=test)
        tests += 1
        if why is not None:
            failures += 1
            ET.SubElement(case, "failure", message=plain_lines(why)).text = plain_lines(more)
    suite.attrib |= {"tests": str(tests), "failures": str(failures)}
