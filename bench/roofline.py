#! /usr/bin/env python3
"""A roofline plot (Williams, Waterman & Patterson 2009) of workloads, as SVG.

    bench/agnesi-bench --json 'pinn|chain' >runs.json
    python3 bench/roofline.py runs.json >roofline.svg

Reads the lines that carry flops and bytes. The roof is what was measured in the same run: products
of tiles in cache, copies out of cache. A point is what a workload did: flops over bytes along, flops
over its least time upwards. Standard library only.
"""
import json
import math
import sys

W, H, LEFT, BELOW, TOP, RIGHT = 720, 440, 70, 50, 30, 30


def main(path):
    rows = [json.loads(line) for line in open(path) if line.startswith("{")]
    rows = [r for r in rows if r.get("flops") and r.get("bytes")]
    if not rows:
        sys.exit("roofline: no line has flops and bytes")
    xs = [r["flops"] / r["bytes"] for r in rows]
    ys = [r["flops"] / r["ms_min"] * 1e-6 for r in rows]  # Gflop/s
    kinds = sorted({r["id"].rsplit("/", 1)[-1] for r in rows})
    roofs = {}
    for k in kinds:
        of = [r for r in rows if r["id"].endswith("/" + k)]
        roofs[k] = (max(r["peak_gflops"] for r in of), max(r["peak_gbs"] for r in of))
    top = max(p for p, _ in roofs.values())
    corners = [p / b for p, b in roofs.values()]  # left of a corner, bandwidth is the roof
    x0 = math.floor(math.log10(min(xs + corners)) - 0.2)
    x1 = math.ceil(math.log10(max(xs)) + 0.2)
    y0, y1 = math.floor(math.log10(min(ys)) - 0.2), math.ceil(math.log10(top) + 0.1)
    px = lambda v: LEFT + (math.log10(v) - x0) / (x1 - x0) * (W - LEFT - RIGHT)
    py = lambda v: H - BELOW - (math.log10(v) - y0) / (y1 - y0) * (H - BELOW - TOP)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {W} {H}" font-family="sans-serif" '
        'font-size="11">',
        f'<rect width="{W}" height="{H}" fill="white"/>',
    ]
    for e in range(x0, x1 + 1):
        out.append(f'<line x1="{px(10**e):.1f}" y1="{TOP}" x2="{px(10**e):.1f}" y2="{H - BELOW}" stroke="#ddd"/>')
        out.append(f'<text x="{px(10**e):.1f}" y="{H - BELOW + 15}" text-anchor="middle">{10.0**e:g}</text>')
    for e in range(y0, y1 + 1):
        out.append(f'<line x1="{LEFT}" y1="{py(10**e):.1f}" x2="{W - RIGHT}" y2="{py(10**e):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{py(10**e) + 4:.1f}" text-anchor="end">{10.0**e:g}</text>')
    out.append(f'<text x="{(LEFT + W - RIGHT) / 2}" y="{H - 12}" text-anchor="middle">flops per byte</text>')
    out.append(
        f'<text transform="translate(16,{(TOP + H - BELOW) / 2}) rotate(-90)" text-anchor="middle">Gflop/s</text>'
    )
    colours = {"f64": "#1f4e9c", "f32": "#c05a12"}
    for k, (peak, bandwidth) in roofs.items():
        colour = colours.get(k, "#444")
        corner = min(max(peak / bandwidth, 10**x0), 10**x1)
        start = max(10**x0, 10**y0 / bandwidth)
        path_points = [(start, start * bandwidth), (corner, min(peak, corner * bandwidth)), (10**x1, peak)]
        text = " ".join(f"{px(a):.1f},{py(b):.1f}" for a, b in path_points)
        out.append(f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        out.append(
            f'<text x="{W - RIGHT - 4}" y="{py(peak) - 5:.1f}" text-anchor="end" fill="{colour}">'
            f"{k}: {peak:.0f} Gflop/s, {bandwidth:.0f} GB/s</text>"
        )
    taken = []

    def place(width, x, y):
        """where a label of that width beside a point meets no other"""
        for dy in (0, 11, -11, 22, -22, 33, -33, 44, -44):
            for left in (x - 7 - width, x + 7):
                box = (left, y + dy - 6, left + width, y + dy + 5)
                if all(box[2] < b[0] or b[2] < box[0] or box[3] < b[1] or b[3] < box[1] for b in taken):
                    taken.append(box)
                    return left, y + dy + 4
        return x + 7, y + 4

    taken += [(px(x) - 4, py(y) - 4, px(x) + 4, py(y) + 4) for x, y in zip(xs, ys)]
    for r, x, y in zip(rows, xs, ys):
        name, k = r["id"].rsplit("/", 1)
        colour = colours.get(k, "#444")
        out.append(f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="3.5" fill="{colour}"><title>{r["id"]}: '
                   f'{r["ms_min"]:.3g} ms, at least {r["bound_ms"]:.3g} ms</title></circle>')
        label = name.split("/", 1)[-1]
        at = place(6.4 * len(label), px(x), py(y))
        out.append(f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" fill="{colour}">{label}</text>')
    out.append("</svg>")
    print("\n".join(out))


if len(sys.argv) != 2:
    sys.exit(__doc__)
main(sys.argv[1])
