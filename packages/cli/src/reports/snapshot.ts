/**
 * The picture of an issue, drawn in software: the boxes of its contacts over a ground grid as the viewpoint's camera
 * sees them, a mark at each clash, and in a corner where it is in the plan of the model.
 */
import type { Vec3 } from 'impinge';
import { type Camera, project } from './camera.js';
import type { Group } from './group-summary.js';
import { encodePng } from './png.js';
import type { ReportBox } from './report-data.js';

const WIDTH = 320;
const HEIGHT = 240;
/** Boxes and marks beyond these many are left out; the worst come first. */
const DRAWN_MAX = 100;

/** At most so many on each side of the middle. */
const GRID_LINES = 4;

const PALETTE = [
  0xf4f6f8, // background
  0xdde3e9, // grid
  0x9aa7b4, // outline of the plan
  0xffffff, // plan
  0xf2b8b0, // faces: top, left, right
  0xe39a90,
  0xd58277,
  0x7a271a, // edges
  0xd92d20, // mark
  0xffffff, // rim of the mark
];
const [GROUND, GRID, OUTLINE, PLAN, TOP, , , EDGE, MARK, RIM] = PALETTE.map((_, i) => i) as number[];

/** Box corners by bits x, y, z: the three faces a camera sees that looks along +x, +y and down. */
const FACES = [
  [4, 5, 7, 6], // top
  [0, 4, 6, 2], // at the least x
  [0, 1, 5, 4], // at the least y
];

export function drawSnapshot(group: Group, camera: Camera, model: ReportBox): Uint8Array {
  const canvas = new Canvas(WIDTH, HEIGHT);
  const place = (p: Vec3): Vec3 => {
    const [right, up, depth] = project(camera, p);
    return [WIDTH / 2 + (right * HEIGHT) / 2, HEIGHT / 2 - (up * HEIGHT) / 2, depth];
  };
  drawGround(canvas, group.box, camera, place);
  const shown = group.clashes.slice(0, DRAWN_MAX);
  const far = (box: ReportBox) => place(middle(box))[2];
  for (const { box } of [...shown].sort((p, q) => far(q.box) - far(p.box))) drawBox(canvas, box, place);
  for (const { point } of [...shown].reverse()) {
    const [x, y] = place(point);
    canvas.disc(x, y, 6, RIM);
    canvas.disc(x, y, 4.5, MARK);
  }
  drawPlan(canvas, group.point, model);
  return encodePng({ width: WIDTH, height: HEIGHT, pixels: canvas.pixels, palette: PALETTE });
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

/** Pixels that are palette indices; what lies outside is cut off. */
class Canvas {
  readonly pixels: Uint8Array;
  readonly #width: number;
  readonly #height: number;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.pixels = new Uint8Array(width * height).fill(GROUND);
  }

  /** Both ends must be ahead of the camera. */
  line(p: Vec3, q: Vec3, colour: number): void {
    const steps = Math.min(4096, Math.ceil(Math.max(Math.abs(q[0] - p[0]), Math.abs(q[1] - p[1]), 1)));
    for (let i = 0; i <= steps; i++) {
      const t = i / steps;
      this.#set(Math.floor(p[0] + t * (q[0] - p[0])), Math.floor(p[1] + t * (q[1] - p[1])), colour);
    }
  }

  outline(corners: readonly Vec3[], colour: number): void {
    for (let i = 0; i < corners.length; i++) this.line(corners[i], corners[(i + 1) % corners.length], colour);
  }

  disc(x: number, y: number, radius: number, colour: number): void {
    const bottom = Math.min(this.#height - 1, y + radius);
    const right = Math.min(this.#width - 1, x + radius);
    for (let py = Math.max(0, Math.floor(y - radius)); py <= bottom; py++) {
      for (let px = Math.max(0, Math.floor(x - radius)); px <= right; px++) {
        if ((px + 0.5 - x) ** 2 + (py + 0.5 - y) ** 2 <= radius * radius) this.#set(px, py, colour);
      }
    }
  }

  /** Convex ones, row by row. */
  polygon(corners: readonly Vec3[], colour: number): void {
    const ys = corners.map(([, y]) => y);
    const last = Math.min(this.#height - 1, Math.floor(Math.max(...ys)));
    for (let y = Math.max(0, Math.floor(Math.min(...ys))); y <= last; y++) {
      let [from, to] = [Infinity, -Infinity];
      corners.forEach(([x0, y0], i) => {
        const [x1, y1] = corners[(i + 1) % corners.length];
        const middleY = y + 0.5;
        if (y0 < middleY === y1 < middleY) return;
        const x = x0 + ((middleY - y0) / (y1 - y0)) * (x1 - x0);
        from = Math.min(from, x);
        to = Math.max(to, x);
      });
      const end = Math.min(this.#width - 1, Math.floor(to));
      for (let x = Math.max(0, Math.floor(from)); x <= end; x++) this.#set(x, y, colour);
    }
  }

  #set(x: number, y: number, colour: number): void {
    if (x >= 0 && y >= 0 && x < this.#width && y < this.#height) this.pixels[y * this.#width + x] = colour;
  }
}
