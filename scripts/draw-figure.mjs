// Draws docs/figure.svg with the library's own answers: the triangles that meet, and the closest points.
import { writeFileSync } from 'node:fs';
import { collide, distance, Mesh } from '../packages/impinge/dist/index.js';
import { icosphere, torus, torusKnot, wavySheet } from '../scenes/index.mjs';

const WIDTH = 960;
const HEIGHT = 360;
const COLOURS = { a: [125, 160, 195], b: [214, 205, 190], hit: [214, 60, 40] };
const LIGHT = [0.35, 0.45, 0.82];

/** Turns and tilts a point for the view: x to the right, y up, z towards the eye. */
function view([x, y, z], turn = 0.5, tilt = 1.05) {
  const u = Math.cos(turn) * x - Math.sin(turn) * y;
  const v = Math.sin(turn) * x + Math.cos(turn) * y;
  return [u, Math.cos(tilt) * v + Math.sin(tilt) * z, Math.cos(tilt) * z - Math.sin(tilt) * v];
}

/** The triangles of a mesh, ready to be painted; those of a closed one that face away are not seen. */
function faces({ positions, indices }, colour, hits, { closed = true, move = (p) => p } = {}) {
  const all = Array.from({ length: indices.length / 3 }, (_, t) => {
    const corners = [0, 1, 2].map((k) => {
      const v = 3 * indices[3 * t + k];
      return view(move([positions[v], positions[v + 1], positions[v + 2]]));
    });
    return { corners, colour: hits.has(t) ? COLOURS.hit : colour };
  });
  return closed ? all.filter(({ corners }) => normal(corners)[2] > 0) : all;
}

function normal([p, q, r]) {
  const u = q.map((c, k) => c - p[k]);
  const v = r.map((c, k) => c - p[k]);
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

function paint(triangles, { x, y, scale }) {
  const depth = ({ corners }) => corners[0][2] + corners[1][2] + corners[2][2];
  return triangles
    .sort((s, t) => depth(s) - depth(t))
    .map(({ corners, colour }) => {
      const n = normal(corners);
      const facing = Math.abs(n[0] * LIGHT[0] + n[1] * LIGHT[1] + n[2] * LIGHT[2]) / Math.hypot(...n);
      const shade = colour.map((c) => Math.round(c * (0.5 + 0.5 * facing)));
      const hex = shade.map((c) => c.toString(16).padStart(2, '0')).join('');
      // in tenths, and relative to the first corner: half the bytes
      const [p, q, r] = corners.map((c) =>
        [10 * (x + scale * c[0]), 10 * (y - scale * c[1])].map(Math.round),
      );
      return `<path color="#${hex}" d="M${p}l${q[0] - p[0]},${q[1] - p[1]},${r[0] - q[0]},${r[1] - q[1]}z"/>`;
    });
}

function crossing() {
  const knot = torusKnot(2, 3, 0.36, 0.085, 140, 14);
  const sheet = wavySheet(30, 30, 0.06, 2);
  const { pairs, pairCount } = collide(Mesh.from(sheet), Mesh.from(knot));
  const hitsOf = (side) => new Set(pairs.filter((_, i) => i % 2 === side));
  const triangles = [
    ...faces(sheet, COLOURS.b, hitsOf(0), { closed: false }),
    ...faces(knot, COLOURS.a, hitsOf(1)),
  ];
  return {
    art: paint(triangles, { x: 250, y: 170, scale: 330 }),
    caption: `collide(): ${pairCount} pairs of triangles meet`,
    x: 250,
  };
}

function apart() {
  const ring = torus(0.34, 0.12, 48, 18);
  const ball = icosphere(8, 0.2);
  const translation = [0.66, 0.05, 0.22];
  const found = distance(Mesh.from(ring), Mesh.from(ball), { pose: { translation } });
  const at = { x: 640, y: 210, scale: 330 };
  const move = (p) => p.map((c, k) => c + translation[k]);
  const art = paint(
    [...faces(ring, COLOURS.a, new Set()), ...faces(ball, COLOURS.b, new Set(), { move })],
    at,
  );
  const [p, q] = [found.pointA, found.pointB].map((point) => {
    const [u, v] = view(point);
    return [10 * (at.x + at.scale * u), 10 * (at.y - at.scale * v)].map(Math.round);
  });
  art.push(`<path d="M${p}L${q}" stroke="#d63c28" stroke-width="30"/>`);
  art.push(...[p, q].map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="50" fill="#d63c28"/>`));
  return { art, caption: `distance(): ${found.distance.toFixed(4)}, with the closest points`, x: 700 };
}

const parts = [crossing(), apart()];
const svg = [
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">`,
  '<title>Left: a knot through a sheet, the triangles that meet in red. Right: the closest points of a ring and a ball.</title>',
  `<rect width="${WIDTH}" height="${HEIGHT}" rx="12" fill="#f7f6f3"/>`,
  '<g transform="scale(.1)" fill="currentColor" stroke="currentColor" stroke-width="4" stroke-linejoin="round">',
  ...parts.flatMap(({ art }) => art),
  '</g>',
  '<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="15" fill="#333" text-anchor="middle">',
  ...parts.map(({ caption, x }) => `<text x="${x}" y="340">${caption}</text>`),
  '</g>',
  '</svg>',
];
writeFileSync(new URL('../docs/figure.svg', import.meta.url), `${svg.join('\n')}\n`);
