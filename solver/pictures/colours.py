"""The colours of pictures, light and dark, by role.

A shape names the role of its colour, such as ink; a theme gives each role a colour. No information
is carried by colour alone. The colours of values and of the two sides are those of Okabe and Ito
(Color Universal Design, 2008), or close to them, so that people with any colour vision can tell
them apart.
"""

from __future__ import annotations

BLUE, ORANGE, YELLOW = "#0072b2", "#d55e00", "#f0e442"  # of Okabe and Ito
BLACK, WHITE = "#222222", "#ffffff"
ROLES = {  # the light theme's colour, and the dark theme's
    "paper": (WHITE, "#1c1c1c"),
    "ink": (BLACK, "#dddddd"),
    "note": ("#666666", "#aaaaaa"),
    "good": (BLUE, BLUE),
    "bad": (ORANGE, ORANGE),
    "rim": ("#2b5fa8", "#2b5fa8"),
    "light": ("#f4ecdc", "#958b7b"),
    "dark": ("#d0b692", "#6b6152"),
    "tint": ("#ffe48a", "#6f5c10"),
    "sign": (BLACK, "#dddddd"),
    "x": (BLACK, "#dddddd"),
    "o": ("#6a3fb5", "#b79cf0"),
    "disc-x": ("#d62839", "#d62839"),
    "disc-o": ("#f4c430", "#f4c430"),
    "on-x": ("#e26974", "#e26974"),
    "on-o": ("#b5942c", "#b5942c"),
    "white": (WHITE, WHITE),
    "black": (BLACK, BLACK),
    "edge-white": (BLACK, BLACK),
    "edge-black": (BLACK, "#dddddd"),
    "win": (BLUE, BLUE),
    "draw": ("#707070", "#767676"),  # with "loss", dark enough for white text
    "loss": ("#c25400", "#c25400"),
    "on-value": (WHITE, WHITE),
}
LIGHT = {role: light for role, (light, _) in ROLES.items()}
DARK = {role: dark for role, (_, dark) in ROLES.items()}


def properties() -> str:
    """Return CSS that names the colours of the themes --ROLE, and uses them for classes of SVG."""
    light, dark = ("".join(f"--{r}:{c};" for r, c in theme.items()) for theme in (LIGHT, DARK))
    classes = (f".pp-fill-{r}{{fill:var(--{r})}}.pp-line-{r}{{stroke:var(--{r})}}" for r in ROLES)
    media = f"@media(prefers-color-scheme:dark){{:root{{{dark}}}}}"
    return f":root{{{light}}}{media}{''.join(classes)}\n"
