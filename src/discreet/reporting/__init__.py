"""`dc.report`: a release as people send it, one page of HTML or a spreadsheet, from the
published bundle alone.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.progress import Listener, Reporter
from discreet.core.rationals import Exact
from discreet.errors import InvalidInput, did_you_mean
from discreet.proof.files import check_new, read_path, write_whole
from discreet.reading.group import read_confidence
from discreet.reporting.report_findings import Findings

if TYPE_CHECKING:
    from discreet.tables.published.result import Release

FORMATS = ("html", "xlsx")
NOTEBOOK_BYTES = 1_000_000
"""What a notebook shows of a report is smaller than this."""
_NOTEBOOK_GROUPS = (300, 50, 5)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Report:
    """A report, to be looked at in a notebook or written to files."""

    findings: Findings

    @property
    def html(self) -> str:
        """The page."""
        from discreet.reporting.page import page

        return page(self.findings)

    @property
    def methods(self) -> str:
        """The paragraph for a methods section: five sentences."""
        from discreet.reporting.plain_words import methods

        return methods(self.findings)

    @property
    def citation(self) -> str:
        """How to cite the release."""
        from discreet.reporting.plain_words import cite

        return cite(self.findings)

    def save(self, output: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write a page (.html) or a spreadsheet (.xlsx), by the name's ending; whole or not at
        all.
        """
        path, kind = check_output(output, overwrite=overwrite)
        if kind == "html":
            write_whole(path, self.html, parameter="output")
        else:
            from discreet.reporting.workbook import workbook

            write_whole(path, workbook(self.findings), parameter="output")
        return path

    def __repr__(self) -> str:
        return f"<Report: {self.findings.title}>"

    def _repr_html_(self) -> str:
        """The page in a frame; of long tables the first groups, because a notebook keeps all
        that it shows.
        """
        from discreet.reporting.page import page
        from discreet.show.html import element, note

        title = self.findings.title
        for shown in _NOTEBOOK_GROUPS:
            whole = page(self.findings, shown)
            framed = element(
                "iframe", srcdoc=whole, title=title, style="width:100%;height:40rem;border:0"
            )
            if len(framed.encode()) < NOTEBOOK_BYTES:
                return framed
        return note(f"{title}: too large for a notebook. Write it to a file: .save('report.html').")


def check_output(output: Any, *, overwrite: bool) -> tuple[Path, str]:
    """Return the file that is asked for and its kind; refuse other kinds, and a file that
    exists.
    """
    path = read_path(output, "output")
    kind = path.suffix.lower().lstrip(".")
    if kind not in FORMATS:
        remedy = did_you_mean(kind, FORMATS) if kind else "end it in .html or .xlsx"
        raise InvalidInput("output", "must end in .html or .xlsx", path.name, remedy=remedy)
    check_new(path, overwrite=overwrite, parameter="output")
    return path, kind


def report(
    source: Any,
    output: str | os.PathLike[str] | None = None,
    *,
    title: str | None = None,
    publisher: str | None = None,
    confidence: Exact = "0.95",
    overwrite: bool = False,
    earlier: Any = None,
    progress: Listener | None = None,
) -> Report:
    """Report on a release (`source`: the object, or the folder it was written to), and write the
    report to `output`.

    `output` ends in .html for a page that needs no network and no script, or in .xlsx for a
    spreadsheet. `title` stands above it; `publisher` is who publishes the release, for its
    citation; `confidence` is that of its intervals. A file that exists is refused unless
    `overwrite`. `earlier` is another release of the same counts by the same keys: the report then
    says what changed since. `progress` is told how far the work is. Nothing is read but what was
    published, so a report costs no budget.

    >>> import pyarrow as pa
    >>> from discreet import release
    >>> people = pa.table({"clinic": ["a", "a", "b"], "smoker": [True, False, True]})
    >>> report(release(people, by="clinic", count="smoker", epsilon=1))
    <Report: Private counts of smoker by clinic>
    """
    level = read_confidence(confidence)
    if output is not None:
        check_output(output, overwrite=overwrite)
    for parameter, text in (("title", title), ("publisher", publisher)):
        if text is not None and not (isinstance(text, str) and text.isprintable()):
            raise InvalidInput(parameter, "must be printable text", text)
    source = _read(source, "source", progress)
    before = None if earlier is None else _read(earlier, "earlier", progress)
    tell = Reporter(progress)
    tell("estimating")
    from discreet.reporting.plain_words import default_title

    folder = shlex.quote("published" if source.path is None else source.path.name)
    found = Report(
        findings=Findings(
            release=source,
            confidence=level,
            title=title or default_title(source.manifest),
            folder=folder,
            publisher=(publisher or "").strip(),
            earlier=before,
        )
    )
    if before is not None:
        _check_earlier(found.findings)
    if output is not None:
        tell("writing the report")
        found.save(output, overwrite=overwrite)
    return found


def _read(given: Any, parameter: str, progress: Listener | None) -> Release:
    from discreet.tables.published.result import Release, read_release

    release = (
        read_release(given, progress=progress) if isinstance(given, (str, os.PathLike)) else given
    )
    if not isinstance(release, Release):
        remedy = "give what dc.release returned, or the folder of its bundle"
        raise InvalidInput(
            parameter, "must be a release or its folder", type(given).__name__, remedy=remedy
        )
    return release


def _check_earlier(findings: Findings) -> None:
    """Refuse an earlier release that cannot be compared."""
    if findings.manifest.cap or (findings.earlier is not None and findings.earlier.manifest.cap):
        raise InvalidInput(
            "earlier", "needs the sizes of groups, which `cap` hides", remedy="leave it out"
        )
    for counted in findings.counts:
        counted.change(())
