/** The inset of a picture: the model from above, x to the right and y up, with a mark where the picture is. */
import type { Vec3 } from 'impinge';
import type { Canvas } from './canvas.js';
import type { DensityMap } from './model-outline.js';
import { COLOUR } from './picture-palette.js';
import type { ReportBox } from './report-box.js';

/** The longer side, the distance from the corner of the picture, and the room around the plan, in pixels. */
const SIDE = 264;
const MARGIN = 24;
const ROOM = 10;
const MARK = 9;
const RIM = 12;

/** Frames with their maps as they were drawn first: the same in every picture but for the mark. */
const drawn = new WeakMap<DensityMap, Uint8Array>();

/** Without a map, the extent of the model is shown. */
export function drawLocation(
  canvas: Canvas,
  point: Vec3,
  { min, max }: ReportBox,
  map: DensityMap | undefined,
): void {
  const scale = SIDE / Math.max(max[0] - min[0], max[1] - min[1], 1e-9);
  const [width, height] = [(max[0] - min[0]) * scale, (max[1] - min[1]) * scale];
  const [left, bottom] = [canvas.width - MARGIN - ROOM - width, canvas.height - MARGIN - ROOM];
  const frame = rectangle(left - ROOM, bottom - height - ROOM, left + width + ROOM, bottom + ROOM);
  const [[x0, y0], , [x1, y1]] = frame.map((corner) => corner.map(Math.floor));
  const known = map && drawn.get(map);
  if (known) canvas.paste(known, x0, y0, x1 + 1 - x0);
  else {
    canvas.polygon(frame, COLOUR.plan0);
    if (map) drawMap(canvas, map, left, bottom, width, height);
    canvas.outline(map ? frame : rectangle(left, bottom - height, left + width, bottom), COLOUR.outline);
    // with its outline, every pixel of it is set
    if (map) drawn.set(map, canvas.copyOf(x0, y0, x1 + 1 - x0, y1 + 1 - y0));
  }
  const [x, y] = [left + (point[0] - min[0]) * scale, bottom - (point[1] - min[1]) * scale];
  canvas.disc(x, y, RIM, COLOUR.rim);
  canvas.disc(x, y, MARK, COLOUR.mark);
}

function drawMap(
  canvas: Canvas,
  { columns, rows, cells }: DensityMap,
  left: number,
  bottom: number,
  width: number,
  height: number,
): void {
  for (let y = 0; y < height; y++) {
    const row = Math.min(rows - 1, Math.floor((y / height) * rows));
    for (let x = 0; x < width; x++) {
      const shade = cells[row * columns + Math.min(columns - 1, Math.floor((x / width) * columns))];
      if (shade > 0) canvas.dot(Math.floor(left + x), Math.floor(bottom - y), COLOUR.plan0 + shade);
    }
  }
}

function rectangle(x0: number, y0: number, x1: number, y1: number): Vec3[] {
  return [
    [x0, y0, 0],
    [x1, y0, 0],
    [x1, y1, 0],
    [x0, y1, 0],
  ];
}
