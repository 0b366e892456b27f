/**
 * The picture of an issue, drawn in software from the viewpoint's camera: the two sides, each shining through the
 * other, pale surroundings, a mark at each clash, and a small plan with the position in the model. Without geometry,
 * the boxes of the contacts are drawn.
 */
import type { Vec3 } from 'impinge';
import { type Camera, project } from './camera.js';
import { Canvas } from './canvas.js';
import { DepthLayer, SHADES } from './depth-layer.js';
import type { IssueView, Subject } from './picture.js';
import { encodePng } from './png.js';
import type { ReportBox } from './report-box.js';
import type { Scenery } from './scenery.js';

const WIDTH = 320;
const HEIGHT = 240;
/** Maximum number on each side of the centre. */
const GRID_LINES = 4;

/** Maximum number of triangles of each side, and of the surroundings. */
const TRIANGLES_MAX = 16_000;
const AROUND_TRIANGLES_MAX = 6_000;

const HUB = 0xd92d20;
const OTHER = 0x2e6fdb;
const PALE = 0xccd5de;
/** Opacity of surfaces behind others. */
const THROUGH = 0.3;

const DRAWING = [
  0xf4f6f8, // background
  0xdde3e9, // grid
  0x9aa7b4, // outline of the plan
  0xffffff, // plan
  0xf2b8b0, // faces: top, left, right
  0xe39a90,
  0xd58277,
  0x7a271a, // edges
  0x16202b, // mark
  0xffffff, // rim of the mark
];
const [GROUND, GRID, OUTLINE, PLAN, TOP, , , EDGE, MARK, RIM] = DRAWING.map((_, i) => i) as number[];

/** Palette entries after those of the drawing: shades of each surface, alone and in front of the other. */
const SURFACES: readonly (readonly [front: number, back: number | undefined, darkest: number])[] = [
  [HUB, undefined, 0.35],
  [HUB, OTHER, 0.35],
  [OTHER, undefined, 0.35],
  [OTHER, HUB, 0.35],
  [PALE, undefined, 0.75],
];
const [HUB_ALONE, HUB_BEFORE, OTHER_ALONE, OTHER_BEFORE, AROUND] = SURFACES.map(
  (_, i) => DRAWING.length + SHADES * i,
) as number[];

const PALETTE: readonly number[] = [
  ...DRAWING,
  ...SURFACES.flatMap(([front, back, darkest]) =>
    Array.from({ length: SHADES }, (_, i) => {
      const light = darkest + ((1 - darkest) * i) / (SHADES - 1);
      const lit = mixed(front, 0x000000, 1 - light);
      return back === undefined ? lit : mixed(lit, back, THROUGH);
    }),
  ),
];

function mixed(p: number, q: number, share: number): number {
  const channel = (shift: number) =>
    Math.round((1 - share) * ((p >> shift) & 255) + share * ((q >> shift) & 255)) << shift;
  return channel(16) | channel(8) | channel(0);
}

/** Box corners by bits x, y, z: the three faces visible to a camera that looks along +x, +y and down. */
const FACES = [
  [4, 5, 7, 6], // top
  [0, 4, 6, 2], // at the minimum x
  [0, 1, 5, 4], // at the minimum y
];

/** The layers of a picture, reused for the next: the two sides, and the surroundings. */
export type Layers = readonly [hub: DepthLayer, other: DepthLayer, around: DepthLayer];

export function snapshotLayers(): Layers {
  const layer = () => new DepthLayer(WIDTH, HEIGHT);
  return [layer(), layer(), layer()];
}

export async function drawSnapshot(
  layers: Layers,
  subject: Subject,
  view: IssueView,
  model: ReportBox,
  scenery: Scenery | undefined,
): Promise<Uint8Array> {
  const canvas = new Canvas(WIDTH, HEIGHT, GROUND);
  const { camera } = view;
  const place = (p: Vec3): Vec3 => {
    const [right, up, depth] = project(camera, p);
    return [WIDTH / 2 + (right * HEIGHT) / 2, HEIGHT / 2 - (up * HEIGHT) / 2, depth];
  };
  const shown = subject.contacts;
  if (!scenery || !(await drawSurfaces(layers, canvas, subject, view, scenery))) {
    drawGround(canvas, subject.box, camera, place);
    const far = (box: ReportBox) => place(middle(box))[2];
    for (const { box } of [...shown].sort((p, q) => far(q.box) - far(p.box))) drawBox(canvas, box, place);
  }
  for (const { point } of [...shown].reverse()) {
    const [x, y] = place(point);
    canvas.disc(x, y, 4.5, RIM);
    canvas.disc(x, y, 3, MARK);
  }
  drawPlan(canvas, subject.point, model);
  return encodePng({ width: WIDTH, height: HEIGHT, pixels: canvas.pixels, palette: PALETTE });
}

/** Returns whether there was anything to draw. */
async function drawSurfaces(
  layers: Layers,
  canvas: Canvas,
  { hubs, others }: Subject,
  { camera, section }: IssueView,
  scenery: Scenery,
): Promise<boolean> {
  const half = [0, 1, 2].map((k) => (section.max[k] - section.min[k]) / 2) as unknown as Vec3;
  for (const layer of layers) layer.look(camera, middle(section), half);
  const [hub, other, around] = layers;
  await scenery.near(hubs, section, TRIANGLES_MAX, (corners) => hub.draw(corners));
  await scenery.near(others, section, TRIANGLES_MAX, (corners) => other.draw(corners));
  await scenery.nearOthers([...hubs, ...others], section, AROUND_TRIANGLES_MAX, (corners) =>
    around.draw(corners),
  );
  return composed(canvas.pixels, hub, other, around);
}

/** Combines the layers; returns whether either side is visible. */
function composed(pixels: Uint8Array, hub: DepthLayer, other: DepthLayer, around: DepthLayer): boolean {
  const [hubs, others, rest] = [hub.nearness, other.nearness, around.nearness];
  let drawn = false;
  for (let i = 0; i < pixels.length; i++) {
    const h = hubs[i];
    const o = others[i];
    if (h > 0 || o > 0) {
      drawn = true;
      if (h >= o) pixels[i] = (o > 0 ? HUB_BEFORE : HUB_ALONE) + hub.shade[i];
      else pixels[i] = (h > 0 ? OTHER_BEFORE : OTHER_ALONE) + other.shade[i];
    } else if (rest[i] > 0) pixels[i] = AROUND + around.shade[i];
  }
  return drawn;
}

function middle({ min, max }: ReportBox): Vec3 {
  return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
}

function drawGround(canvas: Canvas, box: ReportBox, { eye }: Camera, place: (p: Vec3) => Vec3): void {
  const centre = middle(box);
  const reach = Math.hypot(eye[0] - centre[0], eye[1] - centre[1], eye[2] - centre[2]) / 2;
  const decade = 10 ** Math.floor(Math.log10(reach));
  const step = decade * ([0.5, 1, 2].find((part) => reach / (part * decade) <= GRID_LINES) ?? 5);
  const [x0, y0] = [Math.round(centre[0] / step) * step, Math.round(centre[1] / step) * step];
  const count = Math.floor(reach / step);
  const z = box.min[2];
  for (let i = -count; i <= count; i++) {
    canvas.line(place([x0 + i * step, y0 - reach, z]), place([x0 + i * step, y0 + reach, z]), GRID);
    canvas.line(place([x0 - reach, y0 + i * step, z]), place([x0 + reach, y0 + i * step, z]), GRID);
  }
}

function drawBox(canvas: Canvas, { min, max }: ReportBox, place: (p: Vec3) => Vec3): void {
  const corner = (bits: number) =>
    place([bits & 1 ? max[0] : min[0], bits & 2 ? max[1] : min[1], bits & 4 ? max[2] : min[2]]);
  FACES.forEach((face, i) => {
    const outline = face.map(corner);
    canvas.polygon(outline, TOP + i);
    canvas.outline(outline, EDGE);
  });
}

/** The model from above, x to the right and y up, with a mark. */
function drawPlan(canvas: Canvas, point: Vec3, { min, max }: ReportBox): void {
  const scale = 68 / Math.max(max[0] - min[0], max[1] - min[1], 1e-9);
  const [width, height] = [(max[0] - min[0]) * scale, (max[1] - min[1]) * scale];
  const [left, bottom] = [WIDTH - 12 - width, HEIGHT - 12];
  const outline: Vec3[] = [
    [left, bottom, 0],
    [left + width, bottom, 0],
    [left + width, bottom - height, 0],
    [left, bottom - height, 0],
  ];
  canvas.polygon(outline, PLAN);
  canvas.outline(outline, OUTLINE);
  canvas.disc(left + (point[0] - min[0]) * scale, bottom - (point[1] - min[1]) * scale, 4, MARK);
}
