/**
 * Any number of triangles at constant density, for measuring how time grows.
 *
 * Idea: sheets folded to and fro, each of its own orientation in a cell of its own, so that everything but the number
 * of sheets stays the same. In the step, neighbouring layers of a sheet bulge towards each other and pass through
 * one another in places: the number of collisions grows with the number of triangles.
 */
import { Random, seedOf } from '../random.js';
import { cellOf, cubeSide } from './cells.js';
import type { ScenePose } from './scene-mesh.js';
import { circlePoint, randomPose, wave } from './turning.js';

/** A mesh at the two ends of a step; free of intersections at the first. */
export interface MovingMesh {
  readonly name: string;
  readonly indices: Uint32Array;
  readonly positionsT0: Float32Array;
  readonly positionsT1: Float32Array;
}

/** Quads. */
const WIDTH = 16;
const LAYER = 12;
const LAYERS = 4;
/** Quads in the half circle from a layer to the next. */
const BEND = 4;
const LENGTH = LAYERS * LAYER + (LAYERS - 1) * BEND;
const SHEET_VERTICES = (LENGTH + 1) * (WIDTH + 1);
const SHEET_TRIANGLES = 2 * LENGTH * WIDTH;
const EDGE = 0.01;
/** Vertices are off the square grid by up to half of this, so that those of neighbouring layers never coincide. */
const JITTER = 0.4 * EDGE;
/** Between layers: the half circle is BEND edges long. */
const LAYER_GAP = (2 * BEND * EDGE) / Math.PI;
/** In layer gaps; two neighbours meet where both have bulged by half. */
const BULGE = 0.62;
/** Side of the cube in which a sheet turns and moves. */
const CELL = 0.26;

/** n triangles in sheets of 1 920 (the last one cut off), a quarter of a metre apart. */
export function growth(n: number, seed = 1): MovingMesh {
  const sheets = Math.ceil(n / SHEET_TRIANGLES);
  const indices = sheetIndices(n, sheets);
  const positionsT0 = new Float32Array(3 * sheets * SHEET_VERTICES);
  const positionsT1 = new Float32Array(3 * sheets * SHEET_VERTICES);
  const columns = cubeSide(sheets);
  const profile = sheetProfile();
  for (let sheet = 0; sheet < sheets; sheet++) {
    const random = new Random(seedOf(seed, sheet));
    const [x, y, z] = cellOf(sheet, columns).map((c) => (c - (columns - 1) / 2) * CELL);
    const pose = randomPose(random, x, y, z);
    fillSheet(profile, pose, random, 3 * sheet * SHEET_VERTICES, positionsT0, positionsT1);
  }
  return { name: `growth ${n}`, indices, positionsT0, positionsT1 };
}

function sheetIndices(n: number, sheets: number): Uint32Array {
  const indices = new Uint32Array(3 * n);
  const stride = WIDTH + 1;
  let at = 0;
  for (let sheet = 0; sheet < sheets; sheet++) {
    for (let quad = 0; quad < LENGTH * WIDTH && at < indices.length; quad++) {
      const a = sheet * SHEET_VERTICES + Math.floor(quad / WIDTH) * stride + (quad % WIDTH);
      const corners = [a, a + 1, a + stride + 1, a, a + stride + 1, a + stride];
      for (let k = 0; k < 6 && at < indices.length; k++) indices[at++] = corners[k];
    }
  }
  return indices;
}

/** Position and height of every row across the folds, and its bulge (upwards in even layers). */
function sheetProfile(): { x: Float64Array; y: Float64Array; bulge: Float64Array } {
  const x = new Float64Array(LENGTH + 1);
  const y = new Float64Array(LENGTH + 1);
  const bulge = new Float64Array(LENGTH + 1);
  for (let row = 0; row <= LENGTH; row++) {
    const layer = Math.min(LAYERS - 1, Math.floor(row / (LAYER + BEND)));
    const along = row - layer * (LAYER + BEND);
    const forth = layer % 2 === 0 ? 1 : -1;
    const middle = (LAYERS - 1) / 2;
    if (along <= LAYER) {
      x[row] = forth * (along - LAYER / 2) * EDGE;
      y[row] = (layer - middle) * LAYER_GAP;
      bulge[row] = forth * wave(along / LAYER / 2) * BULGE * LAYER_GAP;
    } else {
      const [c, s] = circlePoint((along - LAYER) / BEND / 2);
      x[row] = forth * ((LAYER / 2) * EDGE + (s * LAYER_GAP) / 2);
      y[row] = (layer - middle + (1 - c) / 2) * LAYER_GAP;
    }
  }
  return { x, y, bulge };
}

function fillSheet(
  { x, y, bulge }: { x: Float64Array; y: Float64Array; bulge: Float64Array },
  pose: ScenePose,
  random: Random,
  at: number,
  positionsT0: Float32Array,
  positionsT1: Float32Array,
): void {
  const phase = random.next();
  const drift = [0, 1, 2].map(() => (random.next() - 0.5) * EDGE);
  const columnBulge = Float64Array.from({ length: WIDTH + 1 }, (_, i) => wave(phase + i / WIDTH));
  for (let row = 0; row <= LENGTH; row++) {
    for (let column = 0; column <= WIDTH; column++) {
      const across = (column - WIDTH / 2) * EDGE + (random.next() - 0.5) * JITTER;
      const along = x[row] + (random.next() - 0.5) * JITTER;
      const up = bulge[row] * columnBulge[column];
      for (let k = 0; k < 3; k++) {
        const start = pose[3 * k] * along + pose[3 * k + 1] * y[row] + pose[3 * k + 2] * across + pose[9 + k];
        positionsT0[at] = start;
        positionsT1[at++] = start + pose[3 * k + 1] * up + drift[k];
      }
    }
  }
}
