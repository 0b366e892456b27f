// Draws docs/figure.svg: the plant of the demonstration, checked by the library, with its clashes marked and listed.
import { writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { plant } from '../lab/scenes/dist/plant/index.js';
import {
  CLASH_KIND_TABLE,
  CLASH_KINDS,
  check,
  MemorySink,
  MemorySource,
  openStore,
  StoreWriter,
} from '../packages/model/dist/index.js';

const [WIDTH, HEIGHT] = [760, 500]; // of the picture
const PANEL = 416;
const SAMPLES = 2; // per pixel and direction
const SCALE = 15.8; // pixels per metre
const CENTRE = [12, 13.6, 5.4];
const GROUND = [248, 248, 240];
const COLOURS = {
  structure: [178, 184, 190],
  piping: [122, 160, 194],
  civil: [222, 216, 205],
  electrical: [196, 182, 134],
  boiler: [190, 160, 140],
  mechanical: [150, 178, 160],
  hvac: [176, 168, 196],
};
const LIGHT = [-0.4, -0.62, 0.68];
/** To the right, up, towards the eye, which looks from the south-east and above. */
const AXES = axes(-0.62, 0.62);

function axes(turn, tilt) {
  const right = [Math.cos(turn), Math.sin(turn), 0];
  const towards = [Math.cos(tilt) * Math.sin(turn), -Math.cos(tilt) * Math.cos(turn), Math.sin(tilt)];
  const up = [
    towards[1] * right[2] - towards[2] * right[1],
    towards[2] * right[0] - towards[0] * right[2],
    towards[0] * right[1] - towards[1] * right[0],
  ];
  return [right, up, towards];
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Pixels to the right and down, and metres towards the eye. */
function project(point) {
  const p = point.map((c, k) => c - CENTRE[k]);
  return [WIDTH / 2 + SCALE * dot(AXES[0], p), HEIGHT / 2 - SCALE * dot(AXES[1], p), dot(AXES[2], p)];
}

/** The whole plant in memory, and its clashes, the worst first. */
async function checkedPlant() {
  const shapes = [...plant({ triangles: 300_000 }).shapes()];
  const sink = new MemorySink();
  const writer = new StoreWriter(sink);
  for (const shape of shapes) await writer.add(shape);
  await writer.finish({ title: 'plant', metresPerUnit: 1, files: [], recipe: '' });
  const model = await openStore(new MemorySource(sink.bytes()));
  const clashes = [];
  for await (const clash of check(model, { clearance: 0.05 })) clashes.push(clash);
  const badness = ({ kind, depth, distance }) => (kind === 'clearance' ? -distance : depth);
  return { shapes, clashes: clashes.sort((p, q) => badness(q) - badness(p) || (p.id < q.id ? -1 : 1)) };
}

/** A picture of triangles: nearest sample wins, `SAMPLES`² of them are averaged. */
function render(shapes, colourOf) {
  const [w, h] = [WIDTH * SAMPLES, HEIGHT * SAMPLES];
  const depth = new Float32Array(w * h).fill(-Infinity);
  const colour = new Uint8Array(3 * w * h);
  for (let i = 0; i < w * h; i++) colour.set(GROUND, 3 * i);
  for (const { geometry, objects } of shapes) {
    for (const object of objects) {
      const base = colourOf(object);
      if (base) drawObject(geometry, object.pose, base);
    }
  }
  return shrink(colour, depth, w);

  function drawObject({ positions, indices }, pose, base) {
    const count = positions.length / 3;
    const seen = Array.from({ length: count }, (_, i) => {
      const [x, y, z] = positions.subarray(3 * i, 3 * i + 3);
      const world = pose
        ? [0, 1, 2].map((k) => pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z + pose[9 + k])
        : [x, y, z];
      const [u, v, d] = project(world);
      return { world, at: [u * SAMPLES, v * SAMPLES, d] };
    });
    for (let t = 0; t < indices.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => seen[indices[t + k]]);
      const n = normal(a.world, b.world, c.world);
      if (dot(n, AXES[2]) <= 0) continue; // solids: what faces away is hidden
      const shade = 0.5 + 0.5 * Math.max(0, dot(n, LIGHT) / Math.hypot(...n));
      fill(
        a.at,
        b.at,
        c.at,
        base.map((channel) => Math.round(channel * shade)),
      );
    }
  }

  function fill(a, b, c, rgb) {
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (area === 0) return;
    const [x0, x1] = span(a[0], b[0], c[0], w);
    const [y0, y1] = span(a[1], b[1], c[1], h);
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        const [px, py] = [x + 0.5, y + 0.5];
        const s = ((px - a[0]) * (c[1] - a[1]) - (py - a[1]) * (c[0] - a[0])) / area;
        const t = ((b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0])) / area;
        if (s < 0 || t < 0 || s + t > 1) continue;
        const d = a[2] + s * (b[2] - a[2]) + t * (c[2] - a[2]);
        if (d <= depth[y * w + x]) continue;
        depth[y * w + x] = d;
        colour.set(rgb, 3 * (y * w + x));
      }
    }
  }
}

function span(p, q, r, size) {
  return [Math.max(0, Math.floor(Math.min(p, q, r))), Math.min(size - 1, Math.ceil(Math.max(p, q, r)))];
}

function normal(a, b, c) {
  const u = b.map((x, k) => x - a[k]);
  const v = c.map((x, k) => x - a[k]);
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

/** Averages samples, and darkens them where the depth jumps, as a draughtsman draws outlines. */
function shrink(colour, depth, w) {
  const pixels = new Uint8Array(3 * WIDTH * HEIGHT);
  const each = SAMPLES * SAMPLES;
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const sum = [0, 0, 0];
      for (let k = 0; k < each; k++) {
        const i = (y * SAMPLES + Math.floor(k / SAMPLES)) * w + x * SAMPLES + (k % SAMPLES);
        const right = depth[i + 1] ?? depth[i];
        const below = depth[i + w] ?? depth[i];
        const edge = Math.max(Math.abs(depth[i] - right), Math.abs(depth[i] - below)) > 0.35 ? 0.72 : 1;
        for (let c = 0; c < 3; c++) sum[c] += colour[3 * i + c] * edge;
      }
      // five bits each are enough for the eye, and compress twice as well
      const rgb = sum.map((total) => Math.min(255, Math.round(total / each / 8) * 8));
      pixels.set(rgb, 3 * (y * WIDTH + x));
    }
  }
  return pixels;
}

function png(pixels) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2, 0, 0, 0], 8); // eight bits, RGB
  const stride = 3 * WIDTH;
  const rows = Array.from({ length: HEIGHT }, (_, y) => [
    Buffer.of(2), // each byte less the one above it
    Buffer.from(pixels.subarray(y * stride, (y + 1) * stride)).map((byte, i) =>
      y === 0 ? byte : byte - pixels[(y - 1) * stride + i],
    ),
  ]);
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows.flat()), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const { shapes, clashes } = await checkedPlant();
const kindOf = new Map(clashes.flatMap(({ kind, a, b }) => [a, b].map(({ id }) => [id, kind])));
const inkOf = (kind) => CLASH_KIND_TABLE[kind].colour.light;
const rgbOf = (ink) => [1, 3, 5].map((i) => Number.parseInt(ink.slice(i, i + 2), 16));
const picture = render(shapes, ({ id, type, discipline }) => {
  if (discipline === 'civil') return type === 'slab' ? COLOURS.civil : undefined; // walls would hide the rest
  const kind = kindOf.get(id);
  return kind ? rgbOf(inkOf(kind)) : COLOURS[discipline];
});

const marks = clashes.map(({ kind, point }) => {
  const [x, y] = project(point).map((c) => c.toFixed(1));
  return `<circle cx="${x}" cy="${y}" r="6.5" fill="${inkOf(kind)}" stroke="#fff" stroke-width="2"/>`;
});
/** A name without its number. */
const shortName = ({ name }) => name.replace(/ U\d\d-L\d-\d+$/, '');
const length = (metres) => (metres >= 1 ? `${metres.toFixed(2)} m` : `${Math.round(metres * 1000)} mm`);
const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ' ');
const objects = shapes.reduce((sum, shape) => sum + shape.objects.length, 0);
const triangles = shapes.reduce(
  (sum, { geometry, objects: { length: n } }) => sum + (n * geometry.indices.length) / 3,
  0,
);
const counts = CLASH_KINDS.map((kind) => ({
  kind,
  n: clashes.filter((clash) => clash.kind === kind).length,
}));
const chips = counts
  .filter(({ n }) => n > 0)
  .map(({ kind, n }, i) => {
    const x = 24 + 95 * i;
    return `<g transform="translate(${x} 104)"><rect width="87" height="62" rx="7" fill="#fff" stroke="#dde3e9"/><rect width="4" height="62" rx="2" fill="${inkOf(kind)}"/><text x="16" y="29" font-size="23" font-weight="700">${n}</text><text x="16" y="50" font-size="13" fill="#5b6672">${kind}</text></g>`;
  });
const lines = clashes.slice(0, 8).map(({ kind, depth, distance, a, b }, i) => {
  const y = 216 + 30 * i;
  const size = length(kind === 'clearance' ? distance : depth);
  return `<rect x="24" y="${y - 15}" width="58" height="21" rx="5" fill="none" stroke="${inkOf(kind)}"/><text x="53" y="${y}" font-size="12.5" text-anchor="middle" fill="${inkOf(kind)}">${kind}</text><text x="150" y="${y}" font-size="13" font-weight="700" text-anchor="end">${size}</text><text x="162" y="${y}" font-size="13">${shortName(a)} / ${shortName(b)}</text>`;
});

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH + PANEL} ${HEIGHT}" role="img" font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif" fill="#1b2430">
<title>A generated plant of 300 000 triangles with its ${clashes.length} clashes marked, and the worst of them listed.</title>
<rect width="${WIDTH + PANEL}" height="${HEIGHT}" rx="12" fill="rgb(${GROUND})"/>
<image width="${WIDTH}" height="${HEIGHT}" href="data:image/png;base64,${png(picture).toString('base64')}"/>
${marks.join('\n')}
<g transform="translate(${WIDTH} 0)">
<text x="24" y="58" font-size="25" font-weight="700">${clashes.length} clashes</text>
<text x="24" y="84" font-size="14" fill="#5b6672">${grouped(objects)} objects, ${grouped(triangles)} triangles</text>
${chips.join('\n')}
${lines.join('\n')}
<text x="24" y="472" font-size="13" font-family="ui-monospace, Menlo, Consolas, monospace" fill="#5b6672">impinge check plant.impinge --clearance 50mm</text>
</g>
</svg>
`;
writeFileSync(new URL('../docs/figure.svg', import.meta.url), svg);
