/**
 * A small model of a clash for the page to rotate: the two objects around their contact, cut off, simplified and
 * rounded to a grid, in a few kilobytes.
 *
 * Layout, little endian, raw deflate, base64: half a side of the box around the contact, in metres (float32); for each
 * of the two objects the numbers of vertices and triangles (2 uint16), all x, then all y, then all z (uint16, in steps
 * of the box / 4095), and the triangles' corners (uint16).
 */
import { deflateRawSync } from 'node:zlib';
import { CORNERS_MAX, cutBy } from './cut-polygon.js';
import type { ModelledClash, NamedObject, Painter } from './picture.js';
import type { ReportBox } from './report-box.js';
import type { ReportClash } from './report-data.js';
import type { Scenery } from './scenery.js';

/**
 * Half a side of the box, from the extent and the depth of the contact, so that it contains a surface; in metres, or as
 * a part of a small model.
 */
const PER_CONTACT = 1;
const PER_DEPTH = 1.6;
const LEAST = 0.35;
const MOST = 3;
const PART_OF_MODEL = 1 / 12;

/** Maximum number of triangles of an object that are read, and that are kept. */
const READ_MAX = 16_000;
const KEPT_MAX = 1500;

const STEPS = 4095;
/** Vertices within a cell are merged if there are too many triangles. Cells per side, from fine to coarse. */
const CELLS = [STEPS, 128, 96, 64, 48, 32, 24, 16, 12, 8];

/** All models of a page together, as base64. */
const PAGE_BYTES = 6e6;
/** Only the worst clashes have a model. */
const MODELS_MAX = 500;

/** One for each of the first clashes, empty if there is nothing to show. */
export async function clashModels(ranked: readonly ReportClash[], painter: Painter): Promise<string[]> {
  const texts: string[] = [];
  const shown = ranked.slice(0, MODELS_MAX).map(modelled);
  const models = painter.models(shown);
  let left = PAGE_BYTES;
  for (let i = 0; i < shown.length; i++) {
    const text = await models.of(i);
    left -= text.length;
    if (left < 0) break;
    texts.push(text);
  }
  models.end();
  return texts;
}

function modelled({ a, b, point, box, depth }: ReportClash): ModelledClash {
  const named = ({ file, id, path }: NamedObject) => ({ file, id, path });
  return { a: named(a), b: named(b), point, box, depth };
}

export async function clashModel(clash: ModelledClash, model: ReportBox, scenery: Scenery): Promise<string> {
  const half = halfSide(clash, model);
  const [x, y, z] = clash.point;
  const box: ReportBox = { min: [x - half, y - half, z - half], max: [x + half, y + half, z + half] };
  const parts: Uint8Array[] = [new Uint8Array(Float32Array.of(half).buffer)];
  let triangles = 0;
  for (const object of [clash.a, clash.b]) {
    const pieces: (readonly number[])[] = [];
    await scenery.near([object], box, READ_MAX, (corners) => pieces.push(cutToBox(corners, half)));
    const { vertices, corners } = simplified(pieces, half);
    parts.push(new Uint8Array(Uint16Array.of(vertices[0].length, corners.length / 3).buffer));
    for (const axis of vertices) parts.push(new Uint8Array(Uint16Array.from(axis).buffer));
    parts.push(new Uint8Array(Uint16Array.from(corners).buffer));
    triangles += corners.length / 3;
  }
  if (triangles === 0) return '';
  return deflateRawSync(Buffer.concat(parts)).toString('base64');
}

function halfSide({ box, depth }: ModelledClash, model: ReportBox): number {
  const part = Math.min(1, (diagonal(model) * PART_OF_MODEL) / LEAST) || 1;
  const contact = Math.min(MOST * part, PER_CONTACT * diagonal(box));
  return Math.max(LEAST * part, contact, PER_DEPTH * depth);
}

function diagonal({ min, max }: ReportBox): number {
  return Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}

/** Clips triangles, of nine numbers each, to a cube about the origin. */
function cutToBox(triangles: Float32Array, half: number): readonly number[] {
  const kept: number[] = [];
  let [polygon, cut] = [new Float64Array(3 * CORNERS_MAX), new Float64Array(3 * CORNERS_MAX)];
  for (let at = 0; at < triangles.length; at += 9) {
    let count = 3;
    let reachesOut = false;
    for (let i = 0; i < 9; i++) {
      polygon[i] = triangles[at + i];
      reachesOut ||= Math.abs(polygon[i]) > half;
    }
    for (let plane = 0; plane < 6 && count > 0 && reachesOut; plane++) {
      count = cutBy(polygon, count, cut, plane >> 1, plane & 1 ? 1 : -1, half);
      [polygon, cut] = [cut, polygon];
    }
    for (let v = 2; v < count; v++) {
      for (const corner of [0, v - 1, v])
        for (let k = 0; k < 3; k++) kept.push(Math.fround(polygon[3 * corner + k]));
    }
  }
  return kept;
}

interface Simplified {
  /** x, y, z. */
  readonly vertices: readonly [number[], number[], number[]];
  readonly corners: number[];
}

/** Rounds vertices to ever larger cells until few triangles are left. */
function simplified(pieces: readonly (readonly number[])[], half: number): Simplified {
  let found: Simplified = { vertices: [[], [], []], corners: [] };
  for (const cells of CELLS) {
    found = rounded(pieces, half, cells);
    if (found.corners.length <= 3 * KEPT_MAX) break;
  }
  return { ...found, corners: found.corners.slice(0, 3 * KEPT_MAX) };
}

function rounded(pieces: readonly (readonly number[])[], half: number, cells: number): Simplified {
  const vertices: [number[], number[], number[]] = [[], [], []];
  const corners: number[] = [];
  const numbers = new Map<number, number>();
  const seen = new Set<number>();
  const scale = cells / (2 * half);
  const cell = (x: number) => Math.min(cells, Math.max(0, Math.round((x + half) * scale)));
  const vertex = (triangles: readonly number[], at: number): number => {
    const [x, y, z] = [cell(triangles[at]), cell(triangles[at + 1]), cell(triangles[at + 2])];
    const key = (x * 4096 + y) * 4096 + z;
    let number = numbers.get(key);
    if (number === undefined) {
      numbers.set(key, (number = numbers.size));
      vertices[0].push(Math.round((x / cells) * STEPS));
      vertices[1].push(Math.round((y / cells) * STEPS));
      vertices[2].push(Math.round((z / cells) * STEPS));
    }
    return number;
  };
  for (const triangles of pieces) {
    for (let at = 0; at < triangles.length; at += 9) {
      const p = vertex(triangles, at);
      const q = vertex(triangles, at + 3);
      const r = vertex(triangles, at + 6);
      if (p === q || q === r || r === p) continue;
      const [least, most] = [Math.min(p, q, r), Math.max(p, q, r)];
      // 16 bits each: there are fewer than 3 · 16 000
      const key = (least * 65536 + (p + q + r - least - most)) * 65536 + most;
      if (seen.has(key)) continue;
      seen.add(key);
      corners.push(p, q, r);
      // too many; coarser cells follow
      if (corners.length > 3 * KEPT_MAX && cells > CELLS[CELLS.length - 1]) return { vertices, corners };
    }
  }
  return { vertices, corners };
}
