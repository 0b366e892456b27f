/**
 * The background of the page's maps: the density of the model seen from above and from the front, its storeys and grid
 * axes. Computed from the directory of a store alone.
 */
import { deflateRawSync } from 'node:zlib';
import type { StoredModel } from '@impinge/model';
import type { ModelOutline, OutlineMap } from '../wire/report.js';
import { oneLine } from '../wire/text.js';

/** The longer side of a map, in cells. */
const CELLS = 240;
/** Numbers of boxes in a cell at which the next darker shade starts. */
const SHADES = [1, 3, 8, 20];
const NAMES_MAX = 100;
/** Where no file says how high a storey is, it is this quantile of the bottoms of its objects. */
const LOWEST = 0.1;

/** `box`: the extent of the maps, in metres. */
export function modelOutline(
  model: StoredModel,
  box: { readonly min: ArrayLike<number>; readonly max: ArrayLike<number> },
): ModelOutline {
  const metres = model.meta.metresPerUnit;
  const axes = model.meta.files
    .flatMap(({ grids = [] }) => grids.flatMap((grid) => grid.axes))
    .slice(0, NAMES_MAX)
    .map(
      ({ tag, point, along }) =>
        [
          oneLine(tag, 20),
          rounded(metres * point[0]),
          rounded(metres * point[1]),
          rounded(along[0]),
          rounded(along[1]),
        ] as const,
    );
  return {
    plan: packed(densityMap(model, box, 1)),
    elevation: packed(densityMap(model, box, 2)),
    storeys: storeysOf(model),
    axes,
  };
}

/** Shades, 0 to 4, row by row from below. */
export interface DensityMap {
  readonly columns: number;
  readonly rows: number;
  readonly cells: Uint8Array;
}

function packed({ columns, rows, cells }: DensityMap): OutlineMap {
  return { columns, rows, cells: deflateRawSync(cells, { level: 9 }).toString('base64') };
}

/** x to the right, the other axis up. */
export function densityMap(
  model: StoredModel,
  { min, max }: { readonly min: ArrayLike<number>; readonly max: ArrayLike<number> },
  up: 1 | 2,
): DensityMap {
  const metres = model.meta.metresPerUnit;
  const size = Math.max(max[0] - min[0], max[up] - min[up]);
  const columns = cellsOf(max[0] - min[0], size);
  const rows = cellsOf(max[up] - min[up], size);
  // differences where boxes start and end; sums over both axes give the counts
  const changes = new Int32Array((columns + 1) * (rows + 1));
  const { placedBox } = model.directory;
  for (let at = 0; at < placedBox.length; at += 6) {
    const [x0, x1] = cellRange(placedBox, at, 0, metres, min[0], max[0], columns);
    const [y0, y1] = cellRange(placedBox, at, up, metres, min[up], max[up], rows);
    changes[y0 * (columns + 1) + x0]++;
    changes[y0 * (columns + 1) + x1]--;
    changes[y1 * (columns + 1) + x0]--;
    changes[y1 * (columns + 1) + x1]++;
  }
  const cells = new Uint8Array(columns * rows);
  const above = new Int32Array(columns + 1);
  for (let y = 0; y < rows; y++) {
    let sum = 0;
    for (let x = 0; x < columns; x++) {
      above[x] += changes[y * (columns + 1) + x];
      sum += above[x];
      cells[y * columns + x] = SHADES.filter((count) => sum >= count).length;
    }
  }
  return { columns, rows, cells };
}

function cellsOf(length: number, size: number): number {
  return Math.max(1, Math.min(CELLS, Math.ceil((CELLS * length) / size))) || 1;
}

/** The half-open range of cells of a box along an axis. */
function cellRange(
  boxes: Float64Array,
  at: number,
  axis: number,
  metres: number,
  min: number,
  max: number,
  count: number,
): [number, number] {
  const scale = count / Math.max(max - min, 1e-12);
  const cell = (x: number) => Math.min(count - 1, Math.max(0, Math.floor((metres * x - min) * scale)));
  return [cell(boxes[at + axis]), cell(boxes[at + 3 + axis]) + 1];
}

function storeysOf(model: StoredModel): [string, number][] {
  const metres = model.meta.metresPerUnit;
  const stated = new Map<string, [string, number]>();
  for (const { name, elevation } of model.meta.files.flatMap(({ storeys = [] }) => storeys)) {
    const storey: [string, number] = [oneLine(name, 60), rounded(metres * elevation)];
    if (stated.size < NAMES_MAX) stated.set(storey.join('\0'), storey);
  }
  const known = new Set(model.meta.files.flatMap(({ storeys = [] }) => storeys.map(({ name }) => name)));
  const estimated = estimatedStoreys(model, known);
  return [...stated.values(), ...estimated].sort((p, q) => p[1] - q[1]);
}

/** Those without these names. */
function estimatedStoreys(model: StoredModel, without: ReadonlySet<string>): [string, number][] {
  const heights = new Map<string, number[]>();
  for (let object = 0; object < model.objectCount; object++) {
    const storey = model.text(object, 'storey');
    if (storey === '' || without.has(storey)) continue;
    const known = heights.get(storey);
    const height = model.meta.metresPerUnit * model.box(object)[2];
    if (known) known.push(height);
    else if (heights.size < NAMES_MAX) heights.set(storey, [height]);
  }
  return [...heights].map(([name, all]): [string, number] => {
    const sorted = Float64Array.from(all).sort();
    return [oneLine(name, 60), rounded(sorted[Math.floor(LOWEST * (sorted.length - 1))])];
  });
}

function rounded(x: number): number {
  return Number(x.toFixed(3)) + 0;
}
