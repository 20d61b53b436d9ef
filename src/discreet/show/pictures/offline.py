"""Charts that a notebook shows without a network: Altair's own, displayed as a picture made on this
machine.

Altair displays a chart as a page that fetches its scripts from another host; offline that is an
error message. Here vl-convert draws it instead. All else about a chart is Altair's, and so is its
display once a user has chosen a renderer (`alt.renderers.enable(...)`): that choice is global, so
it is never made here.
"""

from __future__ import annotations

import json
import struct
from typing import Any

import altair as alt
import vl_convert

from discreet.show.typeface.faces import lend_to_vl_convert

SCALE = 2
"""Pixels to a point: sharp on a fine screen."""


class Offline:
    """Displays a chart in a notebook as a PNG, at the size it was laid out for."""

    def _repr_mimebundle_(self, *args: Any, **options: Any) -> Any:
        if alt.renderers.active != "default":
            chosen: Any = super()
            return chosen._repr_mimebundle_(*args, **options)
        chart: Any = self
        lend_to_vl_convert()
        png = vl_convert.vegalite_to_png(json.dumps(chart.to_dict()), scale=SCALE)
        width, height = struct.unpack(
            ">II", png[16:24]
        )  # the header chunk comes first in every PNG
        return {"image/png": png}, {
            "image/png": {"width": width // SCALE, "height": height // SCALE}
        }


def _ours(base: Any) -> Any:
    return type(base.__name__, (Offline, base), {})


# At module level under their own names, so that a chart can be copied and pickled like any other.
Chart = _ours(alt.Chart)
LayerChart = _ours(alt.LayerChart)
ConcatChart = _ours(alt.ConcatChart)
HConcatChart = _ours(alt.HConcatChart)
VConcatChart = _ours(alt.VConcatChart)
FacetChart = _ours(alt.FacetChart)
RepeatChart = _ours(alt.RepeatChart)


def offline(chart: Any) -> Any:
    """Return the chart as one of the classes above, which differ from Altair's in their display
    only.
    """
    object.__setattr__(
        chart, "__class__", globals()[type(chart).__name__]
    )  # plain assignment would enter the spec
    return chart
