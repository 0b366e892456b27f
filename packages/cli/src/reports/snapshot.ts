/**
 * The picture of an issue, drawn in software from the viewpoint's camera: the two sides, each shining through the
 * other, pale surroundings, a mark at each clash, and a small plan with the position in the model. Solids are filled
 * and hatched where the section cuts them: a closed surface that is first seen from inside encloses the point where
 * the ray enters the section. Without geometry, the boxes of the contacts are drawn.
 *
 * Memory: what can be seen is projected once, and drawn in bands.
 */
import type { Vec3 } from 'impinge';
import { type Camera, project } from './camera.js';
import { Canvas } from './canvas.js';
import { DepthLayer, INSIDE, SHADES } from './depth-layer.js';
import { drawLocation } from './location-plan.js';
import type { IssueView, Subject } from './picture.js';
import { COLOUR, cutColour, FACE_OF, IS_PALE, PALETTE, SHADE_OF, surfaceColour } from './picture-palette.js';
import { encodePng } from './png.js';
import type { ReportBox } from './report-box.js';
import type { Scenery, Triangles } from './scenery.js';
import { SectionEntry } from './section-entry.js';

export const PICTURE_WIDTH = 1280;
export const PICTURE_HEIGHT = 960;
const BANDS = 8;
const BAND_ROWS = PICTURE_HEIGHT / BANDS;
/** Maximum number on each side of the centre. */
const GRID_LINES = 4;

/** Maximum number of triangles of each side, and of the surroundings. */
const TRIANGLES_MAX = 16_000;
const AROUND_TRIANGLES_MAX = 6_000;
const PLAN_TRIANGLES_MAX = 24_000;

/** Radii of marks, in pixels. */
const MARK = 9;
const RIM = 12;
/** Hatches repeat after this many pixels, and are this wide. */
const HATCH_STEP = 14;
const HATCH_WIDTH = 3;
/** Steps of shade from one pixel to the next that show an edge. */
const EDGE_STEP = 2;

/** Box corners by bits x, y, z: the three faces visible to a camera that looks along +x, +y and down. */
const FACES = [
  { corners: [4, 5, 7, 6], colour: COLOUR.top },
  { corners: [0, 4, 6, 2], colour: COLOUR.left }, // at the minimum x
  { corners: [0, 1, 5, 4], colour: COLOUR.right }, // at the minimum y
];

/** The layers of a picture, reused for the next: the two sides, and the surroundings. */
export type Layers = readonly [hub: DepthLayer, other: DepthLayer, around: DepthLayer];

export function snapshotLayers(): Layers {
  const layer = () => new DepthLayer(PICTURE_WIDTH, PICTURE_HEIGHT, BAND_ROWS);
  return [layer(), layer(), layer()];
}

export async function drawSnapshot(
  layers: Layers,
  subject: Subject,
  view: IssueView,
  model: ReportBox,
  scenery: Scenery | undefined,
): Promise<Uint8Array> {
  const canvas = new Canvas(PICTURE_WIDTH, PICTURE_HEIGHT, COLOUR.ground);
  const { camera } = view;
  const place = (p: Vec3): Vec3 => {
    const [right, up, depth] = project(camera, p);
    const [x, y] = [PICTURE_WIDTH + right * PICTURE_HEIGHT, PICTURE_HEIGHT - up * PICTURE_HEIGHT];
    return [x / 2, y / 2, depth];
  };
  const shown = subject.contacts;
  if (!scenery || !(await drawSurfaces(layers, canvas, subject, view, scenery))) {
    drawGround(canvas, subject.box, camera, place);
    const far = (box: ReportBox) => place(middle(box))[2];
    for (const { box } of [...shown].sort((p, q) => far(q.box) - far(p.box))) drawBox(canvas, box, place);
  }
  for (const { point } of [...shown].reverse()) {
    const [x, y] = place(point);
    canvas.disc(x, y, RIM, COLOUR.rim);
    canvas.disc(x, y, MARK, COLOUR.mark);
  }
  if (!subject.isPlan) drawLocation(canvas, subject.point, model, scenery?.plan(model));
  const { pixels } = canvas;
  return encodePng({ width: PICTURE_WIDTH, height: PICTURE_HEIGHT, pixels, palette: PALETTE });
}

/** Of each row, the first pixel that is not ground, and the one after the last. */
interface Shown {
  readonly first: Int32Array;
  readonly end: Int32Array;
}

/** Returns whether there was anything to draw. */
async function drawSurfaces(
  layers: Layers,
  canvas: Canvas,
  { hubs, others, isPlan }: Subject,
  { camera, section }: IssueView,
  scenery: Scenery,
): Promise<boolean> {
  const half = [0, 1, 2].map((k) => (section.max[k] - section.min[k]) / 2) as unknown as Vec3;
  const centre = middle(section);
  const [hub, other, around] = layers.map((layer): Triangles => {
    layer.look(camera, centre, half);
    return (corners, isClosed) => layer.add(corners, isClosed);
  });
  await scenery.near(hubs, section, TRIANGLES_MAX, hub);
  await scenery.near(others, section, TRIANGLES_MAX, other);
  const most = isPlan ? PLAN_TRIANGLES_MAX : AROUND_TRIANGLES_MAX;
  await scenery.nearOthers([...hubs, ...others], section, most, around);
  const entry = new SectionEntry(camera, centre, half, PICTURE_WIDTH, PICTURE_HEIGHT);
  const shown = { first: new Int32Array(PICTURE_HEIGHT), end: new Int32Array(PICTURE_HEIGHT) };
  let drawn = false;
  for (let row = 0; row < PICTURE_HEIGHT; row += BAND_ROWS) {
    for (const layer of layers) layer.draw(row);
    drawn = composeBand(canvas.pixels, row, layers, entry, shown) || drawn;
  }
  if (drawn) drawEdges(canvas.pixels, shown);
  return drawn;
}

/** Keys of what a layer shows at a pixel: 0 where it is empty, else its shade plus one. */
const KEYS = 1 + SHADES + INSIDE;
/** Added to the entry of a table where the colour depends on the pixel, too; twice where its hatch falls. */
const HATCHED = 256;

/** The colour of a pixel by the keys of both sides and whether the hub is nearer, and by that of what is around. */
const SIDES = sideColours();
const AROUND = Uint16Array.from({ length: KEYS }, (_, key) => {
  if (key === 0) return COLOUR.ground;
  return key <= INSIDE ? surfaceColour('around') + key - 1 : HATCHED + cutColour('around');
});

function sideColours(): Uint16Array {
  const colours = new Uint16Array(2 * KEYS * KEYS);
  for (let h = 0; h < KEYS; h++) {
    for (let o = 0; o < KEYS; o++) {
      for (const isNearer of [0, 1])
        colours[(h * KEYS + o) * 2 + isNearer] = sideColour(h, o, isNearer === 1);
    }
  }
  return colours;
}

/** The point where the ray enters the section is in front of everything in it. */
function sideColour(h: number, o: number, isHubNearer: boolean): number {
  const [hubIsCut, otherIsCut] = [h > INSIDE, o > INSIDE];
  if (hubIsCut && otherIsCut) return HATCHED + cutColour('both');
  if (hubIsCut) return HATCHED + cutColour(o > 0 ? 'hubBefore' : 'hub');
  if (otherIsCut) return 2 * HATCHED + cutColour(h > 0 ? 'otherBefore' : 'other');
  if (isHubNearer) return surfaceColour(o > 0 ? 'hubBefore' : 'hub') + h - 1;
  return surfaceColour(h > 0 ? 'otherBefore' : 'other') + o - 1;
}

/**
 * Combines the layers of some rows, as far as they are not empty; returns whether either side is visible. By tables: a
 * branch that the first pictures do not take would be compiled anew when it is taken.
 */
function composeBand(
  pixels: Uint8Array,
  row: number,
  layers: Layers,
  entry: SectionEntry,
  shown: Shown,
): boolean {
  const [hub, other, around] = layers;
  const [hubs, others, rest] = [hub.nearness, other.nearness, around.nearness];
  const [hubShades, otherShades, restShades] = [hub.shade, other.shade, around.shade];
  let drawn = 0;
  for (let k = 0; k < BAND_ROWS; k++) {
    const y = row + k;
    const first = Math.min(hub.first[k], other.first[k], around.first[k]);
    const end = Math.max(hub.end[k], other.end[k], around.end[k]);
    shown.first[y] = first;
    shown.end[y] = end;
    for (let x = first, i = PICTURE_WIDTH * k + first; x < end; x++, i++) {
      const h = hubs[i];
      const o = others[i];
      const hubKey = h > 0 ? hubShades[i] + 1 : 0;
      const otherKey = o > 0 ? otherShades[i] + 1 : 0;
      drawn |= hubKey | otherKey;
      const colour =
        (hubKey | otherKey) === 0
          ? AROUND[rest[i] > 0 ? restShades[i] + 1 : 0]
          : SIDES[(hubKey * KEYS + otherKey) * 2 + (h >= o ? 1 : 0)];
      pixels[PICTURE_WIDTH * y + x] = colour < HATCHED ? colour : cutFace(colour, x, y, entry);
    }
  }
  return drawn !== 0;
}

/** The colour of a cut face at a pixel; the two sides are hatched in different directions. */
function cutFace(hatched: number, x: number, y: number, entry: SectionEntry): number {
  const along = hatched < 2 * HATCHED ? x + y : x - y + PICTURE_HEIGHT;
  return (hatched % HATCHED) + 2 * entry.axisAt(x, y) + (along % HATCH_STEP < HATCH_WIDTH ? 1 : 0);
}

/**
 * Draws a line wherever a surface ends or bends. Backwards, so that neighbours are still as they were; most are equal,
 * and are compared four at a time.
 */
function drawEdges(pixels: Uint8Array, { first, end }: Shown): void {
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
  for (let y = PICTURE_HEIGHT - 1; y > 0; y--) {
    const row = PICTURE_WIDTH * y;
    const from = row + Math.min(first[y], first[y - 1]);
    const to = row + Math.min(PICTURE_WIDTH - 1, Math.max(end[y], end[y - 1] - 1));
    for (let at = to; at >= from; at--) {
      const here = pixels[at];
      const left = pixels[at > row ? at - 1 : at];
      if ((at & 3) === 3) {
        const word = at >> 2;
        const isFlat = words[word] === words[word - PICTURE_WIDTH / 4] && words[word] === 0x01010101 * here;
        if (isFlat && at - 4 >= row && pixels[at - 4] === here) {
          at -= 3;
          continue;
        }
      }
      const above = pixels[at - PICTURE_WIDTH];
      if ((here === left && here === above) || (isSame(here, left) && isSame(here, above))) continue;
      pixels[at] = IS_PALE[here] && IS_PALE[left] && IS_PALE[above] ? COLOUR.paleEdge : COLOUR.edge;
    }
  }
}

function isSame(here: number, there: number): boolean {
  return FACE_OF[here] === FACE_OF[there] && Math.abs(SHADE_OF[here] - SHADE_OF[there]) < EDGE_STEP;
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
    const [x, y] = [x0 + i * step, y0 + i * step];
    canvas.line(place([x, y0 - reach, z]), place([x, y0 + reach, z]), COLOUR.grid);
    canvas.line(place([x0 - reach, y, z]), place([x0 + reach, y, z]), COLOUR.grid);
  }
}

function drawBox(canvas: Canvas, { min, max }: ReportBox, place: (p: Vec3) => Vec3): void {
  const corner = (bits: number) =>
    place([bits & 1 ? max[0] : min[0], bits & 2 ? max[1] : min[1], bits & 4 ? max[2] : min[2]]);
  for (const { corners, colour } of FACES) {
    const outline = corners.map(corner);
    canvas.polygon(outline, colour);
    canvas.outline(outline, COLOUR.boxEdge);
  }
}
