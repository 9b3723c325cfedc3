"""Pictures of states and views as arrays of pixels, for the render mode `rgb_array`."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz._core import State, View
from kibitz.adapters import missing
from kibitz.pictures import FELT, TEXT, Box, Picture, picture

try:
    from PIL import Image, ImageDraw, ImageFont
except ImportError:
    raise missing("pillow") from None

SIZE = (960, 540)  # of every picture, so that they make a film
# The font that comes with Pillow lacks these.
_PLAIN = str.maketrans({"♠": "s", "♥": "h", "♦": "d", "♣": "c", "⊘": "skip", "⇄": "rev", "▶": ">"})


def array(shown: State | View) -> npt.NDArray[np.uint8]:
    """[height, width, 3]; what is larger than a picture is drawn smaller."""
    image = _draw(picture(shown))
    image.thumbnail(SIZE)
    canvas = Image.new("RGB", SIZE, FELT)
    canvas.paste(image, (0, 0))
    return np.asarray(canvas, np.uint8).copy()


def _draw(drawn: Picture) -> Any:
    image = Image.new("RGB", (int(drawn.width) + 1, int(drawn.height) + 1), FELT)
    draw = ImageDraw.Draw(image)
    for part in drawn.parts:
        if not isinstance(part, Box):
            draw.text((part.x, part.y), part.words.translate(_PLAIN), fill=TEXT, font=_font(), anchor="lm")
            continue
        corners = (part.x, part.y, part.x + part.width, part.y + part.height)
        draw.rounded_rectangle(corners, part.height / 2 if part.piece.round else 5, fill=part.piece.fill)
        middle = (part.x + part.width / 2, part.y + part.height / 2)
        face = part.piece.face.translate(_PLAIN)
        draw.text(middle, face, fill=part.piece.ink, font=_font(), anchor="mm")
    return image


@cache
def _font() -> Any:
    return ImageFont.load_default(13)
