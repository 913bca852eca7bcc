"""Flat drawings of garments and household things, for products whose photos we may not ship.

Each drawing is an SVG of 640 by 800: paper, a soft shadow, and the thing in its true colour. `draw(kind, colour, **options)`
returns the SVG text; nothing here is traced from a photo.
"""

import colorsys

W, H, CX = 640, 800, 320

COLOURS = {
    "Red": "#C2272D", "Wine": "#6E1A2B", "Maroon": "#7A1F2B", "Burgundy": "#6B1E2E", "Pink": "#E79AAE", "Rose": "#C9657E", "Magenta": "#B3246E",
    "Coral": "#EE7560", "Peach": "#F4B896", "Orange": "#E2762C", "Rust": "#A94A25", "Mustard": "#CF9F2C", "Yellow": "#EBC93F", "Gold": "#BF9B4B",
    "Khaki": "#A99B76", "Camel": "#BE9263", "Beige": "#DCCBB0", "Cream": "#F0E6D0", "Ivory": "#F4EEDF", "Off White": "#F1EDE3", "White": "#F8F7F4",
    "Brown": "#6F4A31", "Coffee Brown": "#4E3426", "Tan": "#B57F4C", "Olive": "#6B6B3A", "Green": "#2F7A4E", "Dark Green": "#1F4D3A", "Mint": "#A4D6C0",
    "Teal": "#1F7A7C", "Turquoise Blue": "#3BB1B8", "Blue": "#2F62B0", "Light Blue": "#93BBDF", "Sky Blue": "#93BBDF", "Navy Blue": "#1F2D4F",
    "Purple": "#5F3C8C", "Lavender": "#B7A6D6", "Mauve": "#9A7488", "Grey": "#8C8C8E", "Light Grey": "#C6C6C6", "Charcoal": "#3E4045",
    "Black": "#242426", "Silver": "#B9BCC1", "Bronze": "#8C6A3F", "Copper": "#A9683E", "Multi": "#C9657E", "Natural": "#D7B98C", "Wood": "#B98A5A",
    "Walnut": "#6B4A33", "Denim": "#44638F", "Light Denim": "#86A3C4", "Dark Denim": "#28395A", "Skin": "#E3BFA3", "Nude": "#DDB79C", "Steel": "#9EA3A8",
}


def rgb(colour):
    text = COLOURS[colour].lstrip("#")
    return tuple(int(text[i : i + 2], 16) for i in (0, 2, 4))


def shade(colour, by):
    """The colour lighter (by > 0) or darker (by < 0), as `#rrggbb`."""
    h, l, s = colorsys.rgb_to_hls(*(v / 255 for v in rgb(colour)))
    l = l + (1 - l) * by if by > 0 else l * (1 + by)
    if by < 0 and s > 0.2 and l > 0.55:
        s *= 0.55  # the shadow of a light cloth is grey, not a deeper colour
    return "#" + "".join(f"{round(v * 255):02x}" for v in colorsys.hls_to_rgb(h, max(0, min(1, l)), s))


def ink(colour):
    """A line that is seen on the colour: darker on light things, lighter on very dark ones."""
    _, l, _ = colorsys.rgb_to_hls(*(v / 255 for v in rgb(colour)))
    return shade(colour, 0.28) if l < 0.2 else "#A79E8C" if l > 0.82 else shade(colour, -0.32)


def half(points):
    """A closed path from the right half: `points` runs from top centre to bottom centre, x counted from the middle.

    A point is `(x, y)` for a line or `(cx, cy, x, y)` for a quadratic curve.
    """
    out = [f"M{CX + points[0][0]},{points[0][1]}"]
    for p in points[1:]:
        out.append(f"L{CX + p[0]},{p[1]}" if len(p) == 2 else f"Q{CX + p[0]},{p[1]} {CX + p[2]},{p[3]}")
    back = list(reversed(points))
    for here, after in zip(back, back[1:]):
        end = (CX - after[-2], after[-1])
        out.append(f"L{end[0]},{end[1]}" if len(here) == 2 else f"Q{CX - here[0]},{here[1]} {end[0]},{end[1]}")
    # The first point mirrored closes the outline when it is not on the middle line.
    return " ".join(out) + "Z"


def both(path_right):
    """A drawing and its mirror image."""
    return f'{path_right}<g transform="translate({W},0) scale(-1,1)">{path_right}</g>'


def pattern(name, colour, second):
    pale = sum(rgb(colour)) > 600
    light, dark = second or (COLOURS["Navy Blue"] if pale else shade(colour, 0.55)), shade(colour, -0.25)
    body = {
        "stripes": f'<pattern id="p" width="40" height="28" patternUnits="userSpaceOnUse"><rect width="40" height="10" fill="{light}"/></pattern>',
        "pinstripes": f'<pattern id="p" width="18" height="18" patternUnits="userSpaceOnUse"><rect width="1.6" height="18" fill="{light}" opacity=".7"/></pattern>',
        "dots": f'<pattern id="p" width="36" height="36" patternUnits="userSpaceOnUse"><circle cx="9" cy="9" r="5" fill="{light}"/><circle cx="27" cy="27" r="5" fill="{light}"/></pattern>',
        "check": f'<pattern id="p" width="56" height="56" patternUnits="userSpaceOnUse"><rect width="20" height="56" fill="{light}" opacity=".38"/><rect width="56" height="20" fill="{light}" opacity=".38"/><rect x="36" width="3" height="56" fill="{dark}" opacity=".6"/><rect y="36" width="56" height="3" fill="{dark}" opacity=".6"/></pattern>',
        "floral": '<pattern id="p" width="76" height="76" patternUnits="userSpaceOnUse">'
        + "".join(
            f'<g transform="translate({x},{y}) scale({k})">' + "".join(f'<circle cx="{dx}" cy="{dy}" r="6.5" fill="{light}"/>' for dx, dy in ((0, -8), (8, -2), (5, 8), (-5, 8), (-8, -2))) + f'<circle r="4.5" fill="{dark}"/></g>'
            for x, y, k in ((20, 20, 1), (58, 54, 0.8), (60, 14, 0.5), (16, 60, 0.55))
        )
        + "</pattern>",
        "knit": f'<pattern id="p" width="14" height="12" patternUnits="userSpaceOnUse"><path d="M0,2 Q3.5,8 7,2 Q10.5,8 14,2" fill="none" stroke="{ink(colour)}" stroke-width="1.3" opacity=".5"/></pattern>',
        "cable": f'<pattern id="p" width="60" height="44" patternUnits="userSpaceOnUse"><path d="M22,0 Q40,11 22,22 Q4,33 22,44 M38,0 Q20,11 38,22 Q56,33 38,44" fill="none" stroke="{ink(colour)}" stroke-width="3.4" opacity=".55"/><path d="M2,0V44" stroke="{ink(colour)}" stroke-width="1.4" opacity=".4"/></pattern>',
        "lace": f'<pattern id="p" width="30" height="30" patternUnits="userSpaceOnUse"><circle cx="15" cy="15" r="9" fill="none" stroke="{light}" stroke-width="1.8" opacity=".8"/><circle cx="0" cy="0" r="5" fill="none" stroke="{light}" stroke-width="1.8" opacity=".8"/><circle cx="30" cy="30" r="5" fill="none" stroke="{light}" stroke-width="1.8" opacity=".8"/></pattern>',
    }
    return body.get(name, "")


class Sketch:
    """Collects the parts of one drawing."""

    def __init__(self, colour, pat=None, second=None, ground=True):
        self.colour, self.pat, self.second = colour, pat, second and COLOURS[second]
        self.fill, self.line = COLOURS[colour], ink(colour)
        self.parts, self.ground, self.depth = [], ground, 0

    def body(self, path, extra="", plain=False, by=0.0):
        """A filled shape with a side light and, unless plain, the pattern."""
        fill = shade(self.colour, by) if by else self.fill
        self.parts.append(f'<path d="{path}" fill="{fill}" {extra}/>')
        if self.pat and not plain:
            self.parts.append(f'<path d="{path}" fill="url(#p)"/>')
        self.parts.append(f'<path d="{path}" fill="url(#light)" stroke="{self.line}" stroke-width="2.6" stroke-linejoin="round"/>')

    def part(self, path, fill, stroke=None, width=2.2):
        self.parts.append(f'<path d="{path}" fill="{fill}" stroke="{stroke or self.line}" stroke-width="{width}" stroke-linejoin="round"/>')

    def seam(self, path, width=2.2, opacity=0.8, dash=""):
        self.parts.append(f'<path d="{path}" fill="none" stroke="{self.line}" stroke-width="{width}" opacity="{opacity}" stroke-linecap="round" stroke-dasharray="{dash}"/>')

    def fold(self, path):
        """A soft shadow where cloth falls."""
        self.parts.append(f'<path d="{path}" fill="{shade(self.colour, -0.45)}" opacity=".16"/>')

    def dot(self, x, y, r=5, fill=None):
        self.parts.append(f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill or self.line}"/>')

    def raw(self, text):
        self.parts.append(text)

    def svg(self):
        floor = '<ellipse cx="320" cy="742" rx="190" ry="15" fill="#7a6e5a" opacity=".20" filter="url(#soft)"/>' if self.ground else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {W} {H}" width="{W}" height="{H}"><defs>'
            '<linearGradient id="paper" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#F7F4EE"/><stop offset="1" stop-color="#ECE6DA"/></linearGradient>'
            '<linearGradient id="light" x1="0" y1="0" x2="1" y2="0.25"><stop offset="0" stop-color="#fff" stop-opacity=".20"/><stop offset=".45" stop-color="#fff" stop-opacity=".02"/><stop offset="1" stop-color="#000" stop-opacity=".20"/></linearGradient>'
            '<filter id="soft" x="-30%" y="-200%" width="160%" height="500%"><feGaussianBlur stdDeviation="14"/></filter>'
            '<filter id="drop" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur in="SourceAlpha" stdDeviation="9"/><feOffset dx="6" dy="12"/><feComponentTransfer><feFuncA type="linear" slope=".20"/></feComponentTransfer><feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge></filter>'
            f'{pattern(self.pat, self.colour, self.second)}</defs><rect width="{W}" height="{H}" fill="url(#paper)"/>{floor}<g filter="url(#drop)">{"".join(self.parts)}</g></svg>'
        )


def sleeve(s, length, shoulder=(118, 190), wide=62, puff=False, by=-0.06):
    """A pair of sleeves: length 0 none, 1 short, 2 elbow, 3 long."""
    if not length:
        return
    sx, sy = shoulder
    end = {1: 150, 2: 235, 3: 395}[length]
    out = {1: 66, 2: 78, 3: 96}[length]
    cuff = {1: 52, 2: 46, 3: 34}[length]
    bulge = 34 if puff else 8
    path = (
        f"M{CX + sx - 26},{sy - 22} Q{CX + sx + 34 + bulge},{sy - 14} {CX + sx + out * 0.72 + bulge},{sy + end * 0.55} L{CX + sx + out + (4 if puff else 0)},{sy + end - 14} "
        f"L{CX + sx + out - cuff},{sy + end} Q{CX + sx + 6},{sy + end * 0.62} {CX + sx - 24},{sy + wide + 66} Z"
    )
    right = f'<path d="{path}" fill="{shade(s.colour, by)}"/>'
    if s.pat:
        right += f'<path d="{path}" fill="url(#p)"/>'
    right += f'<path d="{path}" fill="url(#light)" stroke="{s.line}" stroke-width="2.6" stroke-linejoin="round"/>'
    if length == 3:
        x0, y0 = CX + sx + out, sy + end - 14
        right += f'<path d="M{x0 - 3},{y0 - 24} L{x0 - cuff - 1},{y0 - 10}" stroke="{s.line}" stroke-width="2" opacity=".7"/>'
    s.raw(both(right))


def neckline(s, neck, width, top):
    """The inside of the neck, in shadow, and its edge."""
    if neck == "strap":
        return
    deep = {"round": 46, "v": 96, "boat": 22, "square": 62, "halter": 30}.get(neck, 46)
    inner = shade(s.colour, -0.5)
    if neck == "v":
        path = f"M{CX - width},{top} L{CX},{top + deep} L{CX + width},{top} Q{CX},{top + 22} {CX - width},{top}Z"
    elif neck == "square":
        path = f"M{CX - width},{top} L{CX - width + 4},{top + deep} L{CX + width - 4},{top + deep} L{CX + width},{top} Q{CX},{top + 22} {CX - width},{top}Z"
    else:
        path = f"M{CX - width},{top} Q{CX},{top + deep * 2} {CX + width},{top} Q{CX},{top + 24} {CX - width},{top}Z"
    s.part(path, inner)


def dress(colour, shape="aline", sleeves=0, length="knee", neck="round", belt=False, pat=None, second=None, puff=False, layered=False, slit=False, buttons=False, bow=False):
    s = Sketch(colour, pat, second)
    hem = {"mini": 590, "knee": 655, "midi": 700, "maxi": 738}[length]
    flare = {"sheath": 104, "aline": 178, "gown": 232, "slip": 122, "wrap": 158, "shirt": 150, "knit": 112}[shape]
    waist, waist_y = {"sheath": 84, "knit": 90, "slip": 92}.get(shape, 76), 338
    strap = neck == "strap"
    top, shoulder = (150, 112) if not strap else (196, 96)
    sleeve(s, sleeves, (112, 172), puff=puff)
    neck_w = {"boat": 84, "strap": 60, "halter": 34, "square": 60}.get(neck, 54)
    if strap:
        points = [(0, 232), (30, 236, 62, 196), (74, 190), (92, 214, 98, 262), (92, 306, waist, waist_y)]
    elif neck == "halter":
        points = [(neck_w, top - 4), (70, 200, 94, 262), (90, 306, waist, waist_y)]
    else:
        points = [(neck_w, top - 8), (shoulder, top + 22), (98, 216, 100, 262), (92, 306, waist, waist_y)]
    hips = waist + (flare - waist) * 0.36
    points += [(hips + 8, waist_y + 86, flare * 0.82, hem - 110), (flare, hem - 8), (flare * 0.5, hem + 16, 0, hem + 12)]
    s.body(half(points))
    if strap:
        s.raw(both(f'<path d="M{CX + 68},196 Q{CX + 64},156 {CX + 50},132" fill="none" stroke="{s.line}" stroke-width="8"/>'))
    neckline(s, neck, neck_w, top - 6)
    for x, spread in ((-52, 0.6), (8, 0.1), (62, -0.5)):
        lo = CX + x * flare / 90
        s.fold(f"M{CX + x * 0.6},{waist_y + 30} Q{CX + x},{waist_y + 150} {lo},{hem + 4} L{lo + 26},{hem + 4} Q{CX + x + 14},{waist_y + 160} {CX + x * 0.6},{waist_y + 30}Z")
    if layered:
        for y in (waist_y + 120, waist_y + 220):
            k = (y - waist_y) / (hem - waist_y)
            w = hips + (flare - hips) * k
            s.seam(f"M{CX - w},{y} q{w / 2},26 {w},12 q{w / 2},14 {w},-12", 3)
    if shape == "wrap":
        s.seam(f"M{CX + neck_w},{top - 6} Q{CX + 10},280 {CX - waist + 6},{waist_y - 4}", 3)
        s.seam(f"M{CX - waist + 10},{waist_y + 6} Q{CX + 40},{waist_y + 150} {CX + 70},{hem + 6}", 3)
        s.part(f"M{CX - waist + 4},{waist_y - 10} l-26,70 l16,4 l22,-62 l14,58 l14,-6 z", shade(colour, -0.18))
    if belt or shape == "shirt":
        s.part(f"M{CX - waist - 3},{waist_y - 12} Q{CX},{waist_y + 2} {CX + waist + 3},{waist_y - 12} L{CX + waist + 4},{waist_y + 12} Q{CX},{waist_y + 26} {CX - waist - 4},{waist_y + 12}Z", shade(colour, -0.35))
    if shape == "shirt" or buttons:
        s.seam(f"M{CX},{top + 60} V{hem + 10}", 2)
        for y in range(top + 84, hem, 62):
            s.dot(CX + 8, y, 4.5, shade(colour, 0.6))
    if shape == "shirt":
        collar(s, top - 12)
    if bow:
        s.part(f"M{CX},{waist_y} q-60,-40 -66,-6 q6,34 66,6 q60,-40 66,-6 q-6,34 -66,6z M{CX - 4},{waist_y + 4} l-26,96 l18,-6 l10,-84 l14,84 l18,4 z", shade(colour, -0.2))
    if slit:
        s.fold(f"M{CX + 40},{hem - 190} L{CX + 74},{hem + 8} L{CX + 34},{hem + 10}Z")
        s.seam(f"M{CX + 40},{hem - 190} L{CX + 36},{hem + 8}", 2.6)
    return s.svg()


def collar(s, top, size=1.0):
    fill = shade(s.colour, 0.10)
    right = f'<path d="M{CX + 2},{top + 26 * size} L{CX + 58},{top - 8} Q{CX + 84},{top + 20} {CX + 66},{top + 66 * size} L{CX + 2},{top + 46 * size}Z" fill="{fill}" stroke="{s.line}" stroke-width="2.4" stroke-linejoin="round"/>'
    s.raw(f'<path d="M{CX - 58},{top - 8} Q{CX},{top + 24} {CX + 58},{top - 8} L{CX},{top + 34}Z" fill="{shade(s.colour, -0.5)}"/>')
    s.raw(both(right))


def lapels(s, top, low, width=74, fill=None):
    fill = fill or shade(s.colour, 0.07)
    right = f'<path d="M{CX + 50},{top - 10} L{CX + width + 22},{top + 96} L{CX + width - 14},{top + 108} L{CX + width},{top + 132} L{CX + 2},{low} Q{CX + 18},{top + 80} {CX + 50},{top - 10}Z" fill="{fill}" stroke="{s.line}" stroke-width="2.4" stroke-linejoin="round"/>'
    s.raw(both(right))


def coat(colour, style="wool", length="long", double=False, belt=False, hood=False, fur=False, pat=None, second=None, zip_=False, lapel=True):
    s = Sketch(colour, pat, second)
    hem = {"short": 520, "hip": 580, "knee": 655, "long": 716}[length]
    puffy = style == "down"
    sleeve(s, 3, (126, 186), wide=78 if puffy else 66, puff=puffy)
    if hood:
        s.body(f"M{CX - 92},226 Q{CX - 118},96 {CX},84 Q{CX + 118},96 {CX + 92},226 Q{CX},168 {CX - 92},226Z", plain=True, by=-0.12)
        edge = "#EDE3D0" if fur else shade(colour, -0.4)
        s.raw(f'<path d="M{CX - 70},216 Q{CX - 84},124 {CX},116 Q{CX + 84},124 {CX + 70},216" fill="{shade(colour, -0.55)}" stroke="{edge}" stroke-width="{26 if fur else 5}" stroke-linecap="round"/>')
        if fur:
            s.raw(f'<path d="M{CX - 70},216 Q{CX - 84},124 {CX},116 Q{CX + 84},124 {CX + 70},216" fill="none" stroke="#CBB995" stroke-width="26" stroke-dasharray="2 7" opacity=".8"/>')
    flare = {"short": 112, "hip": 118, "knee": 140, "long": 154}[length] + (8 if puffy else 0)
    outline = half([(48, 150), (128, 176), (118, 240, 116, 300), (102, 340, 106, 380), (flare - 12, hem - 70, flare, hem), (flare * 0.5, hem + 12, 0, hem + 10)])
    s.body(outline)
    if puffy:
        s.raw(f'<clipPath id="body"><path d="{outline}"/></clipPath><g clip-path="url(#body)">')
        for i, y in enumerate(range(212, hem, 52)):
            w = 116 - 8 * (1 if 300 < y < 400 else 0) + max(0, (y - 400)) * (flare - 106) / 330
            s.seam(f"M{CX - w},{y} Q{CX},{y + 20} {CX + w},{y}", 3)
            s.fold(f"M{CX - w},{y} Q{CX},{y + 20} {CX + w},{y} L{CX + w},{y + 9} Q{CX},{y + 34} {CX - w},{y + 9}Z")
        s.raw("</g>")
    if zip_ or puffy:
        s.raw(f'<path d="M{CX},{170 if not hood else 206} V{hem + 8}" stroke="{shade(colour, -0.5)}" stroke-width="7"/><path d="M{CX},{176 if not hood else 210} V{hem + 6}" stroke="#D9D5CC" stroke-width="2.4" stroke-dasharray="4 4"/>')
        if not hood:
            s.part(f"M{CX - 50},150 Q{CX},178 {CX + 50},150 L{CX + 46},118 Q{CX},138 {CX - 46},118Z", shade(colour, -0.1))
    else:
        if lapel:
            s.raw(f'<path d="M{CX - 48},148 L{CX},320 L{CX + 48},148 Q{CX},176 {CX - 48},148Z" fill="{shade(colour, -0.55)}"/>')
            lapels(s, 154, 326)
        else:
            s.part(f"M{CX - 50},150 Q{CX},180 {CX + 50},150 L{CX + 44},116 Q{CX},136 {CX - 44},116Z", shade(colour, -0.1))
        s.seam(f"M{CX + (14 if not double else 30)},326 Q{CX + 16},500 {CX + 14},{hem + 9}", 2.6)
        for y in range(346, min(hem - 60, 560), 62):
            s.dot(CX - 2 if not double else CX + 6, y, 7, shade(colour, -0.5))
            if double:
                s.dot(CX - 46, y, 7, shade(colour, -0.5))
    s.raw(both(f'<path d="M{CX + 48},{430} L{CX + 96},{412} L{CX + 102},{430} L{CX + 54},{450}Z" fill="{shade(colour, -0.1)}" stroke="{s.line}" stroke-width="2.2"/>'))
    if belt:
        s.part(f"M{CX - 110},362 Q{CX},378 {CX + 110},362 L{CX + 112},394 Q{CX},410 {CX - 112},394Z", shade(colour, -0.25))
        s.part(f"M{CX - 22},360 h40 v46 h-40z M{CX + 4},398 l30,96 l22,-8 l-28,-92z", shade(colour, -0.32))
    for x in (-64, 56):
        s.fold(f"M{CX + x},{min(470, hem - 60)} Q{CX + x + 6},{hem - 60} {CX + x * 1.25},{hem + 6} l22,0 Q{CX + x + 20},{hem - 70} {CX + x},{min(470, hem - 60)}Z")
    return s.svg()


def blazer(colour, inner=None, tie=None, double=False, pat=None, second=None, trousers=False, female=False, waistcoat=False):
    s = Sketch(colour, pat, second)
    if trousers:
        s.body(half([(0, 500), (96, 500), (104, 620, 92, 742), (26, 748), (18, 620, 8, 566), (0, 566)]), by=-0.12)
    hem = 560
    if not waistcoat:
        sleeve(s, 3, (124, 186))
    waist = 88 if female else 104
    s.body(half([(46, 150), (126 if not waistcoat else 104, 172), (112, 240, 112, 290), (waist - 2, 350, waist, 388), (116, 470, 120, hem - 14), (70, hem + 26, 26, hem + 6), (6, hem - 6, 0, hem - 60)]))
    shirt = COLOURS[inner] if inner else shade(colour, -0.55)
    s.raw(f'<path d="M{CX - 46},148 L{CX},366 L{CX + 46},148 Q{CX},170 {CX - 46},148Z" fill="{shirt}"/>')
    if tie:
        s.raw(f'<path d="M{CX - 13},170 h26 l-6,24 l14,120 l-21,46 l-21,-46 l14,-120z" fill="{COLOURS[tie]}" stroke="{shade(tie, -0.4)}" stroke-width="2"/>')
    if inner:
        s.raw(both(f'<path d="M{CX + 2},172 L{CX + 42},140 L{CX + 54},176 L{CX + 22},206Z" fill="{shade(inner, 0.15)}" stroke="#c9c4ba" stroke-width="1.6"/>'))
    if not waistcoat:
        lapels(s, 154, 372)
    s.seam(f"M{CX + 4},372 Q{CX + 10},470 {CX + 20},{hem}", 2.6)
    for y in (392, 446):
        s.dot(CX - 4, y, 7, shade(colour, -0.55))
        if double:
            s.dot(CX - 48, y, 7, shade(colour, -0.55))
    if not waistcoat:
        s.seam(f"M{CX + 54},{262} l42,-8", 3)
    s.raw(both(f'<path d="M{CX + 42},462 L{CX + 100},452 L{CX + 102},470 L{CX + 44},482Z" fill="{shade(colour, -0.08)}" stroke="{s.line}" stroke-width="2.2"/>'))
    return s.svg()


def top(colour, kind="tee", sleeves=1, neck="round", pat=None, second=None, long=False, fitted=False, puff=False, bow=False):
    s = Sketch(colour, pat, second)
    hem = 610 if long else 560
    knit = kind in ("sweater", "cardigan", "turtleneck")
    if knit and not pat:
        s.pat = "knit"
    sleeve(s, sleeves, (124, 196), puff=puff)
    waist = 92 if fitted else 108
    neck_w = 58 if neck != "boat" else 84
    s.body(half([(neck_w, 162), (126, 188), (110, 250, 110, 310), (waist - 4, 380, waist, 420), (112, 500, 116, hem), (60, hem + 12, 0, hem + 10)]))
    if kind == "turtleneck":
        s.part(f"M{CX - 62},176 Q{CX},214 {CX + 62},176 L{CX + 54},108 Q{CX},132 {CX - 54},108Z", shade(colour, -0.06))
        s.raw(f'<ellipse cx="{CX}" cy="112" rx="54" ry="13" fill="{shade(colour, -0.5)}"/>')
    elif kind in ("shirt", "polo", "blouse"):
        s.seam(f"M{CX},206 V{hem + 9 if kind != 'polo' else 320}", 2.2)
        for y in range(238, hem if kind != "polo" else 310, 58):
            s.dot(CX + 8, y, 4.5, shade(colour, 0.55) if colour != "White" else "#b9b4aa")
        collar(s, 154)
        if kind == "shirt":
            s.raw(f'<path d="M{CX + 34},286 h58 v44 l-29,16 l-29,-16z" fill="none" stroke="{s.line}" stroke-width="2.2"/>')
    elif kind == "cardigan":
        s.raw(f'<path d="M{CX - 58},158 L{CX},360 L{CX + 58},158 Q{CX},184 {CX - 58},158Z" fill="#EFE9DD" stroke="{s.line}" stroke-width="2.4"/>')
        s.seam(f"M{CX},360 V{hem + 9}", 5, 0.6)
        for y in range(392, hem, 56):
            s.dot(CX, y, 7, shade(colour, -0.45))
    elif kind == "hoodie":
        s.body(f"M{CX - 84},216 Q{CX - 104},98 {CX},92 Q{CX + 104},98 {CX + 84},216 Q{CX},262 {CX - 84},216Z", plain=True, by=-0.1)
        s.part(f"M{CX - 54},204 Q{CX - 62},128 {CX},124 Q{CX + 62},128 {CX + 54},204 Q{CX},246 {CX - 54},204Z", shade(colour, -0.5))
        s.raw(both(f'<path d="M{CX + 24},236 q8,40 2,72" fill="none" stroke="#EDE8DE" stroke-width="5" stroke-linecap="round"/>'))
        s.part(f"M{CX - 84},{hem - 40} L{CX - 60},{hem - 140} H{CX + 60} L{CX + 84},{hem - 40}Z", shade(colour, -0.06))
    else:
        neckline(s, neck, neck_w, 158)
        s.seam(f"M{CX - neck_w - 8},166 Q{CX},{280 if neck != 'v' else 300} {CX + neck_w + 8},166" if neck == "round" else "", 2)
    if bow:
        s.part(f"M{CX},214 q-52,-34 -58,-4 q4,30 58,4 q52,-34 58,-4 q-4,30 -58,4z M{CX - 4},218 l-22,104 l18,-4 l10,-90 l12,92 l18,2z", shade(colour, -0.14))
    if knit or kind == "hoodie":
        s.part(f"M{CX - 117},{hem - 34} Q{CX},{hem - 22} {CX + 117},{hem - 34} L{CX + 115},{hem + 2} Q{CX},{hem + 16} {CX - 115},{hem + 2}Z", shade(colour, -0.1))
    for x in (-58, 40):
        s.fold(f"M{CX + x},420 Q{CX + x - 8},500 {CX + x},{hem + 4} l18,0 Q{CX + x + 10},500 {CX + x},420Z")
    return s.svg()


def pants(colour, kind="straight", short=False, crease=False, jeans=False, pat=None, second=None, cuffs=False):
    s = Sketch(colour, pat, second)
    hem = {False: 738, True: 430}[short]
    ankle_out, ankle_in = {"straight": (118, 40), "wide": (176, 24), "skinny": (86, 40), "flared": (152, 40), "jogger": (98, 42)}[kind]
    if short:
        ankle_out, ankle_in = 146, 16
    hip = {"wide": 122, "skinny": 108}.get(kind, 116)
    s.body(half([(0, 118), (88, 114), (104, 160, hip, 250), (hip + 6, 400 if not short else 330, ankle_out, hem), (ankle_in, hem + 8), (20, 420 if not short else 370, 6, 318), (0, 312)]))
    s.part(f"M{CX - 89},112 Q{CX},122 {CX + 89},112 L{CX + 94},148 Q{CX},158 {CX - 94},148Z", shade(colour, -0.14))
    s.seam(f"M{CX},156 V312", 2.4)
    s.seam(f"M{CX},262 Q{CX + 28},250 {CX + 26},158", 2.2, 0.7)
    s.raw(both(f'<path d="M{CX + 46},154 Q{CX + 58},196 {CX + hip - 4},206" fill="none" stroke="{s.line}" stroke-width="2.4"/>'))
    if crease:
        s.raw(both(f'<path d="M{CX + 58},190 L{CX + (ankle_out + ankle_in) / 2},{hem}" stroke="{s.line}" stroke-width="2.2" opacity=".65"/>'))
        s.dot(CX, 134, 5, shade(colour, 0.4))
    elif not jeans and not short:
        s.raw(both(f'<path d="M{CX + 60},420 Q{CX + 70},560 {CX + (ankle_out + ankle_in) / 2},{hem} l16,0 Q{CX + 84},560 {CX + 60},420Z" fill="#000" opacity=".08"/>'))
    if jeans:
        stitch = "#D9A441"
        s.raw(both(f'<path d="M{CX + 44},158 Q{CX + 56},200 {CX + hip - 4},212" fill="none" stroke="{stitch}" stroke-width="1.8" stroke-dasharray="6 3"/><path d="M{CX + hip - 6},256 Q{CX + hip - 2},400 {CX + ankle_out - 8},{hem - 4}" fill="none" stroke="{stitch}" stroke-width="1.6" stroke-dasharray="6 3" opacity=".8"/><path d="M{CX + 40},330 Q{CX + 72},420 {CX + 66},540 Q{CX + 50},430 {CX + 40},330Z" fill="#fff" opacity=".12"/>'))
        s.dot(CX, 133, 6, "#C58B35")
        for x in (-66, 66):
            s.raw(f'<rect x="{CX + x - 5}" y="108" width="10" height="44" fill="{shade(colour, -0.2)}" stroke="{s.line}" stroke-width="1.6"/>')
    if kind == "jogger" or cuffs:
        s.raw(both(f'<path d="M{CX + ankle_out + 1},{hem - 34} L{CX + ankle_in - 1},{hem - 26} L{CX + ankle_in},{hem + 8} L{CX + ankle_out},{hem}Z" fill="{shade(colour, -0.22)}" stroke="{s.line}" stroke-width="2.2"/>'))
    if kind == "jogger":
        s.raw(f'<path d="M{CX - 12},136 q-10,46 -18,70 M{CX + 12},136 q8,40 14,74" fill="none" stroke="#EDE8DE" stroke-width="4.4" stroke-linecap="round"/>')
    return s.svg()


def skirt(colour, kind="aline", length="knee", pat=None, second=None):
    s = Sketch(colour, pat, second)
    hem = {"mini": 480, "knee": 580, "midi": 660, "maxi": 730}[length]
    flare = {"aline": 190, "pencil": 104, "pleated": 206, "tulle": 226}[kind]
    s.body(half([(0, 166), (84, 160), (112 if kind == "pencil" else 120, 250, flare * 0.9 if kind != "pencil" else 124, hem * 0.62 + 60), (flare, hem), (flare * 0.5, hem + 22, 0, hem + 18)]))
    s.part(f"M{CX - 85},156 Q{CX},168 {CX + 85},156 L{CX + 92},196 Q{CX},208 {CX - 92},196Z", shade(colour, -0.16))
    if kind in ("pleated", "tulle"):
        for i in range(-5, 6):
            s.seam(f"M{CX + i * 15},200 Q{CX + i * 22},{(hem + 200) / 2} {CX + i * flare / 5.6},{hem + 16 - abs(i) * 2}", 2.2, 0.6)
    elif kind == "pencil":
        s.seam(f"M{CX + 40},{hem - 130} L{CX + 34},{hem + 12}", 2.6)
    else:
        for x in (-70, 0, 70):
            s.fold(f"M{CX + x * 0.6},230 Q{CX + x},400 {CX + x * 1.6},{hem + 12} l26,0 Q{CX + x + 16},400 {CX + x * 0.6},230Z")
    return s.svg()


def jumpsuit(colour, pat=None, second=None):
    s = Sketch(colour, pat, second)
    s.body(half([(46, 140), (92, 156), (88, 200, 92, 250), (86, 300, 74, 332), (108, 400, 112, 440), (132, 600, 150, 738), (34, 744), (22, 560, 6, 470), (0, 466)]))
    neckline(s, "v", 46, 140)
    s.part(f"M{CX - 76},326 Q{CX},340 {CX + 76},326 L{CX + 78},350 Q{CX},364 {CX - 78},350Z", shade(colour, -0.3))
    s.seam(f"M{CX},356 V466", 2.2)
    return s.svg()


def _pair(shape):
    """Two shoes, the second behind and higher."""
    return f'<g transform="translate(76,-62) scale(.94)" opacity="1">{shape}</g>{shape}'


def shoe(colour, kind="sneaker", second=None):
    s = Sketch(colour, None, second)
    c, d, l = s.fill, shade(colour, -0.28), shade(colour, 0.2)
    white = "#F4F1EA"
    line = f'stroke="{s.line}" stroke-width="2.8" stroke-linejoin="round"'
    if kind in ("sneaker", "running", "canvas"):
        sole = "#F4F1EA" if colour not in ("White", "Off White", "Cream") else "#DCD6CA"
        thick = 40 if kind == "running" else 28
        shape = (
            f'<path d="M96,560 Q92,470 118,436 Q150,424 190,440 Q212,470 250,470 Q300,500 360,520 Q446,540 474,576 L478,606 H98Z" fill="{c}" {line}/>'
            f'<path d="M96,560 Q92,470 118,436 Q150,424 190,440 Q212,470 250,470 Q300,500 360,520 Q446,540 474,576 L478,606 H98Z" fill="url(#light)"/>'
            f'<path d="M360,520 Q446,540 474,576 L478,604 H376 Q356,560 360,520Z" fill="{l if kind != "canvas" else sole}" {line}/>'
            f'<path d="M96,556 Q94,500 106,458 L150,470 Q150,540 130,604 L98,604Z" fill="{d}" {line}/>'
            f'<path d="M206,472 Q260,520 340,538 L318,556 Q236,540 186,490Z" fill="{white}" {line}/>'
            + "".join(f'<path d="M{226 + i * 28},{486 + i * 13} l-26,24" stroke="{s.line}" stroke-width="5" stroke-linecap="round"/>' for i in range(4))
            + (f'<path d="M176,586 Q250,560 300,566 Q250,590 206,606" fill="none" stroke="{shade(colour, 0.5)}" stroke-width="9" stroke-linecap="round"/>' if kind == "running" else "")
            + f'<path d="M90,600 H480 Q494,{604 + thick} 470,{608 + thick} H104 Q84,{608 + thick} 90,600Z" fill="{sole}" stroke="#b9b2a4" stroke-width="2.6"/>'
            + (f'<path d="M92,{606 + thick * 0.5} H484" stroke="{d}" stroke-width="5"/>' if kind != "canvas" else f'<path d="M94,614 H482" stroke="{c}" stroke-width="3.4"/>')
        )
    elif kind in ("oxford", "loafer", "derby"):
        shape = (
            f'<path d="M98,560 Q94,478 112,448 Q160,436 204,452 Q236,500 300,516 Q420,526 478,572 Q490,588 488,606 H98Z" fill="{c}" {line}/>'
            f'<path d="M98,560 Q94,478 112,448 Q160,436 204,452 Q236,500 300,516 Q420,526 478,572 Q490,588 488,606 H98Z" fill="url(#light)"/>'
            + (f'<path d="M212,468 Q250,512 318,522 L292,560 Q220,544 182,500Z" fill="{l}" {line}/>' + "".join(f'<path d="M{226 + i * 24},{490 + i * 11} l-18,22" stroke="{d}" stroke-width="4.6" stroke-linecap="round"/>' for i in range(3)) if kind != "loafer" else f'<path d="M206,462 Q260,516 340,526 Q320,566 262,560 Q206,530 206,462Z" fill="{l}" {line}/><path d="M222,520 Q280,538 330,530 L326,552 Q270,560 214,540Z" fill="{d}" {line}/>')
            + f'<path d="M376,528 Q360,566 372,606" fill="none" {line}/>'
            + f'<path d="M94,604 H490 V620 H228 V650 H98Z" fill="{shade(colour, -0.6)}"/>'
        )
    elif kind in ("pump", "sandalheel", "wedge"):
        heel = f'<path d="M116,520 Q104,600 122,690 H146 Q150,610 176,566Z" fill="{d}" {line}/>' if kind != "wedge" else f'<path d="M112,520 Q104,600 112,690 H400 Q470,690 476,668 Q340,650 230,560Z" fill="#C29C6A" {line}/>'
        if kind == "sandalheel":
            upper = (
                f'<path d="M108,508 Q112,470 128,452 L152,458 Q160,520 240,580 Q350,648 470,658 Q484,672 470,682 Q330,688 232,620 Q150,560 108,508Z" fill="{d}" {line}/>'
                f'<path d="M376,680 Q352,606 396,576 Q430,592 452,676Z" fill="{c}" {line}/><path d="M126,452 Q180,420 222,440" fill="none" stroke="{c}" stroke-width="14"/><path d="M120,462 Q126,420 134,408" stroke="{c}" stroke-width="12" fill="none"/>'
            )
        else:
            upper = f'<path d="M110,512 Q104,452 128,438 Q150,450 168,498 Q210,560 300,590 Q340,588 372,604 Q456,630 482,668 Q484,684 466,686 Q330,690 232,618 Q150,560 110,512Z" fill="{c}" {line}/><path d="M110,512 Q104,452 128,438 Q150,450 168,498 Q210,560 300,590 Q340,588 372,604 Q456,630 482,668 Q484,684 466,686 Q330,690 232,618 Q150,560 110,512Z" fill="url(#light)"/><path d="M128,438 Q150,450 168,498 Q210,560 300,590" fill="none" stroke="{d}" stroke-width="7"/>'
        shape = heel + upper
    elif kind == "flat":
        shape = f'<path d="M100,592 Q96,520 122,508 Q170,556 270,560 Q350,556 400,566 Q474,580 486,618 Q486,636 464,638 H110 Q98,630 100,592Z" fill="{c}" {line}/><path d="M100,592 Q96,520 122,508 Q170,556 270,560 Q350,556 400,566 Q474,580 486,618 Q486,636 464,638 H110 Q98,630 100,592Z" fill="url(#light)"/><path d="M122,508 Q170,556 270,560 Q350,556 400,566 Q380,592 270,594 Q150,590 122,508Z" fill="{d}" opacity=".7"/><path d="M340,572 q-26,-22 -34,0 q8,20 34,0 q26,-22 34,0 q-8,20 -34,0z" fill="{l}" {line}/><path d="M106,636 H470 V646 H112Z" fill="{shade(colour, -0.6)}"/>'
    elif kind == "sandal":
        shape = f'<path d="M96,620 Q240,590 320,606 Q430,602 486,628 Q494,650 470,654 H110 Q90,648 96,620Z" fill="#B98A5A" stroke="#7d5a38" stroke-width="2.6"/><path d="M340,612 Q340,548 400,546 Q452,560 462,620Z" fill="{c}" {line}/><path d="M186,610 Q190,520 240,508 Q286,524 296,606Z" fill="{c}" {line}/><path d="M112,616 Q104,540 130,520 Q190,520 240,540" fill="none" stroke="{c}" stroke-width="22"/>'
    else:  # boots
        tall = {"ankleboot": 330, "longboot": 180, "snowboot": 290}[kind]
        heel = 612 if kind != "longboot" else 606
        shape = (
            f'<path d="M112,{heel} Q104,480 108,{tall} Q170,{tall - 14} 244,{tall} Q244,430 262,484 Q300,520 380,536 Q462,552 474,{heel}Z" fill="{c}" {line}/>'
            f'<path d="M112,{heel} Q104,480 108,{tall} Q170,{tall - 14} 244,{tall} Q244,430 262,484 Q300,520 380,536 Q462,552 474,{heel}Z" fill="url(#light)"/>'
            + (f'<path d="M104,{tall - 10} Q176,{tall - 34} 250,{tall - 8} V{tall + 44} Q176,{tall + 26} 104,{tall + 44}Z" fill="#EDE3D0" stroke="#CBB995" stroke-width="3"/>' + "".join(f'<path d="M{210 + i * 2},{tall + 80 + i * 32} h50" stroke="{l}" stroke-width="7"/>' for i in range(4)) if kind == "snowboot" else f'<path d="M182,{tall + 10} V{heel - 70}" stroke="{d}" stroke-width="4" stroke-dasharray="5 4"/>')
            + (f'<path d="M106,{heel} H480 V{heel + 14} H236 V{heel + 66} H118Z" fill="{shade(colour, -0.55)}"/>' if kind != "snowboot" else f'<path d="M100,{heel} H482 Q490,{heel + 40} 470,{heel + 42} H110 Q96,{heel + 40} 100,{heel}Z" fill="{shade(colour, -0.5)}"/>')
        )
    lift = 30 if kind in ("longboot", "snowboot") else 0
    s.raw(f'<g transform="translate({-2},{lift}) translate(0,40)">{_pair(shape)}</g>')
    return s.svg()


def bag(colour, kind="handbag", second=None, pat=None):
    s = Sketch(colour, pat, second)
    d, metal = shade(colour, -0.3), "#C9A94F"
    if kind == "handbag":
        s.raw(f'<path d="M222,380 Q222,190 320,190 Q418,190 418,380" fill="none" stroke="{d}" stroke-width="20"/>')
        s.body("M150,380 Q320,356 490,380 L522,650 Q520,690 480,692 H160 Q120,690 118,650Z")
        s.part("M150,380 Q320,356 490,380 L498,446 Q320,430 142,446Z", shade(colour, -0.1))
        s.raw(f'<rect x="294" y="420" width="52" height="40" rx="8" fill="{metal}"/>' + both(f'<circle cx="{CX + 98}" cy="384" r="10" fill="{metal}"/>'))
    elif kind == "tote":
        s.raw(f'<path d="M216,330 Q216,140 320,140 Q424,140 424,330" fill="none" stroke="{d}" stroke-width="18"/>')
        s.body("M130,330 H510 L486,690 Q484,700 470,700 H170 Q156,700 154,690Z")
        s.seam("M136,372 H504", 2.4)
    elif kind == "clutch":
        s.body("M116,380 Q116,360 136,360 H504 Q524,360 524,380 V570 Q524,590 504,590 H136 Q116,590 116,570Z")
        s.part("M116,376 Q116,360 136,360 H504 Q524,360 524,376 L338,492 Q320,502 302,492Z", shade(colour, -0.12))
        s.raw(f'<circle cx="320" cy="486" r="16" fill="{metal}" stroke="#97792a" stroke-width="2"/><path d="M150,366 Q60,520 130,660" fill="none" stroke="{metal}" stroke-width="6" stroke-dasharray="10 5"/>')
    elif kind == "crossbody":
        s.raw(f'<path d="M170,420 Q190,110 330,100 Q470,110 470,420" fill="none" stroke="{d}" stroke-width="11"/>')
        s.body("M150,410 Q150,390 172,390 H468 Q490,390 490,410 L500,620 Q498,664 456,666 H184 Q142,664 140,620Z")
        s.part("M148,404 Q320,376 492,404 L490,500 Q400,570 320,570 Q240,570 150,500Z", shade(colour, -0.08))
        s.raw(f'<rect x="300" y="546" width="40" height="44" rx="8" fill="{metal}"/>')
    elif kind == "backpack":
        s.raw(f'<path d="M276,196 Q276,140 320,140 Q364,140 364,196" fill="none" stroke="{d}" stroke-width="14"/>' + both(f'<path d="M480,420 Q556,520 500,670" fill="none" stroke="{d}" stroke-width="24"/>'))
        s.body("M166,330 Q166,186 320,186 Q474,186 474,330 V660 Q474,704 430,704 H210 Q166,704 166,660Z")
        s.part("M204,470 Q320,450 436,470 V640 Q436,664 412,664 H228 Q204,664 204,640Z", shade(colour, -0.12))
        s.seam("M190,330 Q320,270 450,330", 5)
        s.seam("M214,506 H426", 4, 0.9, "8 4")
    elif kind == "suitcase":
        s.raw(f'<path d="M268,200 V90 H372 V200" fill="none" stroke="#8b8f95" stroke-width="12"/>')
        s.body("M176,196 Q176,176 200,176 H440 Q464,176 464,196 V690 Q464,712 440,712 H200 Q176,712 176,690Z")
        for x in range(216, 450, 42):
            s.seam(f"M{x},196 V692", 4, 0.5)
        s.raw('<circle cx="212" cy="726" r="16" fill="#2b2b2d"/><circle cx="428" cy="726" r="16" fill="#2b2b2d"/>')
    elif kind == "wallet":
        s.body("M130,340 Q130,320 152,320 H488 Q510,320 510,340 V560 Q510,580 488,580 H152 Q130,580 130,560Z")
        s.seam("M142,334 H498 M142,566 H498", 2, 0.8, "6 4")
        s.part("M420,410 H510 V492 H420 Q396,490 396,451 Q396,412 420,410Z", shade(colour, -0.14))
        s.raw(f'<circle cx="436" cy="451" r="12" fill="{metal}"/>')
    elif kind == "briefcase":
        s.raw(f'<path d="M250,320 V262 Q250,240 272,240 H368 Q390,240 390,262 V320" fill="none" stroke="{d}" stroke-width="16"/>')
        s.body("M110,340 Q110,316 134,316 H506 Q530,316 530,340 V640 Q530,664 506,664 H134 Q110,664 110,640Z")
        s.part("M110,340 Q110,316 134,316 H506 Q530,316 530,340 V470 Q320,510 110,470Z", shade(colour, -0.1))
        s.raw(f'<rect x="206" y="470" width="34" height="46" rx="5" fill="{metal}"/><rect x="400" y="470" width="34" height="46" rx="5" fill="{metal}"/>')
    return s.svg()


def accessory(colour, kind, second=None, pat=None):
    s = Sketch(colour, pat, second)
    d, l, metal = shade(colour, -0.3), shade(colour, 0.25), "#C9A94F"
    line = f'stroke="{s.line}" stroke-width="2.6" stroke-linejoin="round"'
    if kind == "scarf":
        s.body("M196,170 Q320,90 444,170 Q470,230 430,270 Q320,330 210,270 Q170,230 196,170Z", by=-0.08)
        s.body("M250,290 Q300,320 342,296 L352,690 H238Z")
        s.body("M330,280 Q380,300 408,262 L448,600 H352Z", by=-0.14)
        for x in range(244, 350, 14):
            s.raw(f'<path d="M{x},690 v36" stroke="{s.line}" stroke-width="3.4"/>')
        for x in range(358, 446, 14):
            s.raw(f'<path d="M{x},600 v34" stroke="{s.line}" stroke-width="3.4"/>')
    elif kind == "tie":
        s.body("M282,110 H358 L342,176 H298Z", by=-0.1)
        s.body("M298,176 H342 L384,600 L320,706 L256,600Z")
    elif kind == "bowtie":
        s.body("M320,400 Q200,300 150,330 Q130,400 150,470 Q200,500 320,400Z")
        s.body("M320,400 Q440,300 490,330 Q510,400 490,470 Q440,500 320,400Z", by=-0.08)
        s.body("M296,370 Q320,360 344,370 V430 Q320,440 296,430Z", by=-0.2)
    elif kind == "belt":
        s.raw(f'<ellipse cx="320" cy="430" rx="200" ry="150" fill="none" stroke="{s.line}" stroke-width="58"/><ellipse cx="320" cy="430" rx="200" ry="150" fill="none" stroke="{s.fill}" stroke-width="52"/><ellipse cx="320" cy="430" rx="200" ry="150" fill="none" stroke="{l}" stroke-width="2" stroke-dasharray="7 5" opacity=".7"/><rect x="270" y="536" width="96" height="88" rx="12" fill="none" stroke="{metal if colour != "Black" else "#B9BCC1"}" stroke-width="14"/><rect x="308" y="572" width="64" height="12" rx="6" fill="{metal if colour != "Black" else "#B9BCC1"}"/>')
    elif kind == "beanie":
        s.pat = s.pat or "knit"
        s.raw(f'<circle cx="320" cy="196" r="58" fill="{l}" {line}/><circle cx="320" cy="196" r="58" fill="none" stroke="{s.line}" stroke-width="30" stroke-dasharray="2 8" opacity=".35"/>')
        s.body("M140,520 Q140,240 320,236 Q500,240 500,520Z")
        s.body("M124,500 Q320,460 516,500 V596 Q320,632 124,596Z", by=-0.12)
    elif kind == "cap":
        s.body("M150,470 Q150,270 330,262 Q500,276 500,476Z")
        s.body("M150,470 Q330,430 500,476 Q610,500 596,560 Q420,500 150,470Z", plain=True, by=-0.2)
        s.seam("M330,262 V452 M330,262 Q230,320 226,456 M330,262 Q430,320 432,458", 2.4)
        s.dot(330, 262, 10, d)
    elif kind == "sunhat":
        s.body("M210,430 Q210,230 320,226 Q430,230 430,430Z")
        s.body("M60,500 Q80,420 320,420 Q560,420 580,500 Q500,570 320,570 Q140,570 60,500Z", by=-0.06)
        s.body("M208,400 Q320,440 432,400 V446 Q320,486 208,446Z", plain=True, by=-0.45)
    elif kind == "gloves":
        hand = "M214,640 V470 Q150,430 150,390 Q158,366 184,378 L226,412 V250 Q230,226 250,226 Q270,226 272,250 V230 Q276,208 296,208 Q318,208 318,232 V246 Q322,228 342,230 Q362,232 362,256 V290 Q366,276 382,278 Q402,282 402,306 V500 Q400,560 386,600 V640Z"
        s.raw(f'<g transform="translate(30,40)"><path d="{hand}" fill="{s.fill}" {line}/><path d="{hand}" fill="url(#light)"/><path d="M206,600 H394 V668 H206Z" fill="{d}" {line}/></g>')
    elif kind == "socks":
        sock = "M200,150 H320 V430 Q330,500 420,560 Q470,600 430,650 Q380,680 300,640 Q210,590 200,500Z"
        s.raw(f'<g transform="translate(60,-10)"><path d="{sock}" fill="{d}" {line}/></g>')
        s.body(sock)
        s.body("M196,140 H324 V196 H196Z", plain=True, by=-0.18)
    elif kind == "sunglasses":
        s.raw(both(f'<path d="M{CX + 24},370 Q{CX + 34},320 {CX + 110},322 Q{CX + 196},326 {CX + 194},390 Q{CX + 186},476 {CX + 106},476 Q{CX + 36},470 {CX + 24},370Z" fill="#2c2a2a" fill-opacity=".82" stroke="{s.fill}" stroke-width="17"/><path d="M{CX + 70},350 L{CX + 50},430" stroke="#fff" stroke-width="12" opacity=".25"/><path d="M{CX + 196},346 L{CX + 236},330" stroke="{s.fill}" stroke-width="16"/>') + f'<path d="M{CX - 26},372 Q{CX},346 {CX + 26},372" fill="none" stroke="{s.fill}" stroke-width="15"/>')
    elif kind == "watch":
        s.raw(f'<path d="M268,90 H372 L384,300 H256Z M256,500 H384 L372,710 H268Z" fill="{s.fill}" {line}/><circle cx="320" cy="400" r="132" fill="#C9CCD1" stroke="#8d9096" stroke-width="4"/><circle cx="320" cy="400" r="108" fill="#FBFAF6" stroke="#b4b7bb" stroke-width="3"/><path d="M320,400 V326 M320,400 L368,430" stroke="#2b2b2d" stroke-width="8" stroke-linecap="round"/>' + "".join(f'<rect x="317" y="300" width="6" height="16" fill="#55575b" transform="rotate({i * 30} 320 400)"/>' for i in range(12)) + '<rect x="450" y="388" width="18" height="24" rx="4" fill="#8d9096"/>')
    elif kind == "necklace":
        s.raw(f'<path d="M170,180 Q190,520 320,560 Q450,520 470,180" fill="none" stroke="{s.fill}" stroke-width="7" stroke-dasharray="12 5"/><circle cx="320" cy="600" r="40" fill="{s.fill}" {line}/><circle cx="308" cy="588" r="12" fill="#fff" opacity=".5"/>')
    elif kind == "earrings":
        one = f'<path d="M0,0 q-24,-40 0,-56" fill="none" stroke="{metal}" stroke-width="6"/><circle r="16" fill="{metal}"/><path d="M0,16 Q46,110 0,170 Q-46,110 0,16Z" fill="{s.fill}" {line}/>'
        s.raw(f'<g transform="translate(230,330)">{one}</g><g transform="translate(410,330)">{one}</g>')
    elif kind == "umbrella":
        s.raw(f'<path d="M320,420 V650 Q320,700 364,700 Q400,698 398,660" fill="none" stroke="#6F4A31" stroke-width="13" stroke-linecap="round"/>')
        s.body("M80,440 Q110,180 320,170 Q530,180 560,440 Q500,400 440,440 Q380,400 320,440 Q260,400 200,440 Q140,400 80,440Z")
        s.seam("M320,170 Q220,260 200,440 M320,170 Q420,260 440,440 M320,170 V440", 2.4)
    return s.svg()


def home(colour, kind, second=None, pat=None):
    s = Sketch(colour, pat, second)
    d, l = shade(colour, -0.25), shade(colour, 0.35)
    line = f'stroke="{s.line}" stroke-width="2.6" stroke-linejoin="round"'
    wood = 'fill="#B98A5A" stroke="#7d5a38" stroke-width="2.6" stroke-linejoin="round"'
    if kind == "bedding":
        s.raw(f'<path d="M90,300 Q90,236 130,236 H510 Q550,236 550,300 V640 H90Z" {wood}/>')
        s.raw(f'<rect x="112" y="330" width="416" height="330" rx="18" fill="#F4EFE6" stroke="#cfc6b6" stroke-width="2.4"/>')
        for x in (134, 328):
            s.body(f"M{x},340 Q{x + 89},318 {x + 178},340 Q{x + 190},390 {x + 178},430 Q{x + 89},450 {x},430 Q{x - 12},390 {x},340Z", by=0.25)
        s.body("M100,440 Q320,410 540,440 L556,690 Q320,720 84,690Z")
        s.body("M100,440 Q320,410 540,440 L542,500 Q320,470 98,500Z", plain=True, by=0.3)
    elif kind == "quilt":
        s.body("M110,500 Q110,300 320,290 Q530,300 530,500 Q560,640 500,676 Q320,700 140,676 Q80,640 110,500Z")
        for y in (380, 470, 560):
            s.seam(f"M{112 if y > 400 else 130},{y} Q320,{y - 26} {528 if y > 400 else 510},{y}", 2.6)
        for x in (220, 320, 420):
            s.seam(f"M{x},306 Q{x + (x - 320) * 0.2},480 {x},682", 2.6)
    elif kind == "pillow":
        s.body("M96,360 Q320,290 544,360 Q586,460 544,560 Q320,630 96,560 Q54,460 96,360Z")
        s.fold("M110,540 Q320,600 530,540 Q540,556 520,566 Q320,618 110,560Z")
        s.seam("M110,372 Q140,400 170,408 M530,372 Q500,400 470,408 M110,548 Q140,520 168,514 M530,548 Q500,520 472,514", 3)
    elif kind == "cushion":
        s.body("M150,270 Q320,300 490,270 Q466,450 490,630 Q320,600 150,630 Q174,450 150,270Z")
        s.fold("M160,600 Q320,574 480,600 L486,626 Q320,600 154,626Z")
    elif kind == "towel":
        s.body("M150,380 Q150,350 180,350 H470 Q500,350 500,380 V690 H150Z")
        s.body("M150,380 Q150,350 180,350 H470 Q500,350 500,380 V470 Q330,440 150,470Z", by=0.18)
        s.raw(f'<path d="M150,600 H500 M150,622 H500" stroke="{l}" stroke-width="9"/>')
        for x in range(156, 500, 12):
            s.raw(f'<path d="M{x},690 v18" stroke="{d}" stroke-width="3"/>')
    elif kind == "blanket":
        s.body("M120,330 H520 V650 H120Z")
        s.body("M120,330 H520 L470,430 H120Z", by=0.14)
        for x in range(128, 520, 16):
            s.raw(f'<path d="M{x},650 v40" stroke="{s.line}" stroke-width="4"/>')
    elif kind == "rug":
        s.body("M90,560 L190,330 H450 L550,560Z")
        s.seam("M132,540 L216,352 H424 L508,540Z", 7, 0.6)
        s.raw(both(f'<path d="M{CX + 228},562 l8,24 M{CX + 180},562 l4,26 M{CX + 120},562 l3,26 M{CX + 60},562 l1,26 M{CX + 8},562 v26" stroke="{d}" stroke-width="5"/>'))
    elif kind == "pot":
        s.raw(f'<path d="M120,430 h-44 v44 h50 M520,430 h44 v44 h-50" fill="none" stroke="{d}" stroke-width="20"/>')
        s.body("M120,400 H520 V590 Q516,650 450,652 H190 Q124,650 120,590Z")
        s.body("M108,394 Q320,300 532,394 V412 H108Z", by=-0.1)
        s.raw(f'<circle cx="320" cy="332" r="22" fill="#C9A94F" stroke="#97792a" stroke-width="2"/>')
    elif kind == "pan":
        s.raw('<path d="M440,470 L596,380 Q616,392 604,414 L456,512Z" fill="#6F4A31" stroke="#4E3426" stroke-width="3"/>')
        s.raw(f'<ellipse cx="270" cy="500" rx="210" ry="112" fill="{d}" {line}/><ellipse cx="270" cy="486" rx="206" ry="106" fill="{s.fill}" {line}/><ellipse cx="270" cy="490" rx="170" ry="82" fill="{shade(colour, -0.4)}"/>')
    elif kind == "lamp":
        s.raw(f'<path d="M320,380 V660" stroke="#8B6A44" stroke-width="14"/><path d="M220,690 Q220,656 320,656 Q420,656 420,690Z" fill="#8B6A44" stroke="#5f4528" stroke-width="3"/>')
        s.body("M240,170 H400 L470,390 H170Z")
        s.raw('<path d="M178,392 L130,640 H510 L462,392Z" fill="#FFE9A8" opacity=".22"/>')
    elif kind == "clock":
        s.raw(f'<circle cx="320" cy="430" r="196" fill="{s.fill}" {line}/><circle cx="320" cy="430" r="164" fill="#FBFAF6" stroke="#d8d0c0" stroke-width="3"/><path d="M320,430 V320 M320,430 L390,470" stroke="#2b2b2d" stroke-width="10" stroke-linecap="round"/>' + "".join(f'<rect x="316" y="280" width="8" height="20" fill="#55575b" transform="rotate({i * 30} 320 430)"/>' for i in range(12)))
    elif kind == "table":
        s.raw(f'<ellipse cx="320" cy="400" rx="240" ry="66" {wood}/><path d="M80,400 Q80,430 320,476 Q560,430 560,400 Q540,466 320,468 Q100,466 80,400Z" fill="#9A6F45"/><path d="M180,452 L150,720 h26 L214,460Z M460,452 L490,720 h-26 L426,460Z M300,470 h40 v236 h-40z" {wood}/>')
    elif kind == "chair":
        s.raw(f'<path d="M196,180 h34 v300 h-34z M410,180 h34 v300 h-34z M196,500 h30 l-8,220 h-26z M414,500 h30 l8,220 h-26z M250,500 h22 v190 h-22z M368,500 h22 v190 h-22z" {wood}/><path d="M206,190 Q320,150 434,190 V262 Q320,226 206,262Z M206,300 Q320,268 434,300 V352 Q320,320 206,352Z" {wood}/>')
        s.body("M180,460 Q320,430 460,460 L472,516 Q320,540 168,516Z")
    elif kind == "sofa":
        s.body("M110,420 Q110,340 180,340 H460 Q530,340 530,420 V560 H110Z", by=-0.08)
        s.body("M70,470 Q72,420 116,420 Q150,424 150,480 V650 H84 Q70,640 70,620Z M570,470 Q568,420 524,420 Q490,424 490,480 V650 H556 Q570,640 570,620Z", by=-0.14)
        s.body("M150,520 Q320,490 490,520 V650 H150Z")
        s.seam("M320,506 V650", 3)
        s.raw('<path d="M110,650 l-8,56 h20 l8,-56z M530,650 l8,56 h-20 l-8,-56z" fill="#7d5a38"/>')
    elif kind == "petbed":
        s.body("M100,560 Q110,410 320,404 Q530,410 540,560 Q540,680 320,684 Q100,680 100,560Z")
        s.raw(f'<ellipse cx="320" cy="540" rx="168" ry="82" fill="{shade(colour, 0.5)}" {line}/>')
        s.raw(f'<g fill="{d}" opacity=".6"><circle cx="320" cy="556" r="20"/><circle cx="290" cy="526" r="10"/><circle cx="310" cy="512" r="10"/><circle cx="334" cy="512" r="10"/><circle cx="352" cy="528" r="10"/></g>')
    elif kind == "vase":
        stem = lambda x, y: f'<path d="M320,440 Q{(320 + x) / 2},{(440 + y) / 2 - 20} {x},{y}" fill="none" stroke="#4F7A55" stroke-width="7"/><g transform="translate({x},{y})">' + "".join(f'<ellipse cx="0" cy="-24" rx="17" ry="27" fill="{s.fill}" {line} transform="rotate({a})"/>' for a in range(0, 360, 60)) + '<circle r="13" fill="#E3BB53"/></g>'
        s.raw(stem(220, 250) + stem(326, 190) + stem(424, 270))
        s.raw('<path d="M270,430 H370 Q366,480 410,560 Q430,690 380,700 H260 Q210,690 230,560 Q274,480 270,430Z" fill="#E9E4DA" stroke="#b9b2a4" stroke-width="2.6"/><path d="M270,430 H370 Q366,480 410,560 Q430,690 380,700 H260 Q210,690 230,560 Q274,480 270,430Z" fill="url(#light)"/>')
    elif kind == "notebook":
        s.body("M180,230 Q180,210 200,210 H450 Q470,210 470,230 V650 Q470,670 450,670 H200 Q180,670 180,650Z")
        s.raw(f'<path d="M216,210 V670" stroke="{d}" stroke-width="8"/><path d="M430,210 V670" stroke="#2b2b2d" stroke-width="9" opacity=".7"/><rect x="262" y="300" width="130" height="64" rx="6" fill="#FBF7EE"/>')
    elif kind == "pen":
        s.raw(f'<g transform="rotate(32 320 430)"><path d="M298,130 H342 V560 L320,640 L298,560Z" fill="{s.fill}" {line}/><path d="M298,130 H342 V560 L320,640 L298,560Z" fill="url(#light)"/><path d="M298,560 H342 L320,640Z" fill="#C9A94F"/><rect x="292" y="330" width="56" height="16" fill="#C9A94F"/><path d="M344,150 h10 v150 h-10z" fill="#C9A94F"/></g>')
    elif kind == "fan":
        s.raw(f'<path d="M306,560 h28 v120 h-28z" fill="{d}"/><path d="M220,700 Q220,668 320,668 Q420,668 420,700Z" fill="{s.fill}" {line}/><circle cx="320" cy="390" r="188" fill="{s.fill}" fill-opacity=".35" {line}/>' + "".join(f'<path d="M320,390 Q380,300 320,230 Q250,290 320,390Z" fill="{d}" opacity=".75" transform="rotate({a} 320 390)"/>' for a in range(0, 360, 72)) + "".join(f'<circle cx="320" cy="390" r="{r}" fill="none" stroke="{s.line}" stroke-width="2" opacity=".6"/>' for r in (70, 110, 150)) + f'<circle cx="320" cy="390" r="30" fill="{s.fill}" {line}/>')
    elif kind == "curtain":
        s.raw('<rect x="90" y="132" width="460" height="16" rx="8" fill="#8B6A44"/>')
        for x in (110, 330):
            s.body(f"M{x},144 H{x + 200} Q{x + 206},440 {x + 200},710 H{x} Q{x - 6},440 {x},144Z")
            for i in range(1, 6):
                s.seam(f"M{x + i * 34},146 Q{x + i * 34 - 6},430 {x + i * 34},708", 3, 0.5)
    elif kind == "cookies":
        s.body("M150,330 H490 V640 Q490,660 470,660 H170 Q150,660 150,640Z")
        s.body("M136,290 H504 V350 H136Z", plain=True, by=-0.15)
        s.raw('<circle cx="320" cy="500" r="84" fill="#FBF3DF" stroke="#e3d3ac" stroke-width="3"/>' + "".join(f'<circle cx="{x}" cy="{y}" r="30" fill="#CE9A52" stroke="#9b6d2c" stroke-width="2.4"/>' for x, y in ((292, 486), (350, 492), (318, 534))))
    elif kind == "mirror":
        s.raw(f'<path d="M200,160 Q320,90 440,160 V680 H200Z" {wood}/><path d="M222,176 Q320,116 418,176 V660 H222Z" fill="#DCE6EA"/><path d="M240,400 L380,200 M240,480 L410,236" stroke="#fff" stroke-width="12" opacity=".6"/><path d="M196,680 l-20,50 h24 l20,-50z M444,680 l20,50 h-24 l-20,-50z" {wood}/>')
    elif kind == "cabinet":
        s.raw(f'<path d="M130,270 H510 V680 H130Z" {wood}/><path d="M150,294 H490 V400 H150Z M150,414 H490 V520 H150Z M150,534 H490 V656 H150Z" fill="#C99B6B" stroke="#7d5a38" stroke-width="2.6"/><path d="M296,346 h48 M296,466 h48 M296,594 h48" stroke="#7d5a38" stroke-width="9" stroke-linecap="round"/><path d="M150,680 v40 h20 v-40z M470,680 v40 h20 v-40z" {wood}/>')
    return s.svg()


KINDS = {f.__name__: f for f in (dress, coat, blazer, top, pants, skirt, jumpsuit, shoe, bag, accessory, home)}


def draw(thing, colour, /, **options):
    """The SVG of one drawing."""
    return KINDS[thing](colour, **options)
