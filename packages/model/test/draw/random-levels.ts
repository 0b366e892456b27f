/** Levels of nothing in particular: cells of the plane instead of triangles, grouped at random, with random errors. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { IDENTITY } from 'impinge/internal/math/pose.js';
import type { DrawCamera } from '../../src/draw/camera.js';
import type { LevelModel } from '../../src/draw/types.js';

const NONE = 0xffffffff;

interface Piece {
  readonly cells: readonly number[];
  readonly triangles: number;
  readonly out: number;
  readonly in: number;
  readonly level: number;
  readonly group: number;
  into: number;
}

export interface RandomLevels extends LevelModel {
  readonly cellsOfShape: readonly (readonly number[])[];
  readonly cells: readonly (readonly number[])[];
}

const SIDE = 8;
export const CELLS = SIDE * SIDE;

/** Shapes of 64 cells, each in one or several objects. Without ties no two steps of a shape have the same error. */
export function randomLevels(seed: number, shapes = 2, objects = 3, ties = true): RandomLevels {
  const random = new SeededRandom(seed);
  const integer = (n: number) => Math.floor(n * random.next());
  let groups = 0;
  const all: Piece[][] = [];
  for (let shape = 0; shape < shapes; shape++) {
    const exact: Piece[] = chunks(
      shuffled(
        Array.from({ length: CELLS }, (_, i) => i),
        integer,
        1,
      ),
      () => 1 + integer(6),
    ).map((cells) => ({
      cells,
      triangles: 10 * cells.length,
      out: 0,
      in: 0,
      level: 0,
      group: NONE,
      into: NONE,
    }));
    const pieces = [...exact];
    let current = exact;
    for (let level = 0; current.length > 1 && level < 6; level++) {
      const next: Piece[] = [];
      for (const members of chunks(shuffled(current, integer, 3), () => 1 + integer(5))) {
        if (integer(8) === 0) {
          next.push(...members); // could hardly be simplified
          continue;
        }
        const group = groups++;
        for (const member of members) member.into = group;
        const cells = members.flatMap((member) => member.cells);
        const growth = () => (ties ? integer(3) / 8 : 0.4 * random.next());
        const errors = (from: readonly Piece[]) => ({
          out: Math.max(...from.map(({ out }) => out)) + growth(),
          in: Math.max(...from.map((piece) => piece.in)) + growth(),
        });
        const count = members.reduce((sum, { triangles }) => sum + triangles, 0);
        let last = members;
        if (integer(4) > 0) {
          const triangles = Math.ceil(count / 2);
          last = [{ cells, triangles, ...errors(members), level: 2 * level + 1, group, into: group }];
          pieces.push(...last);
        }
        const end = errors(last);
        const parts = chunks(cells, () => 1 + Math.ceil(cells.length * random.next()));
        for (const part of parts) {
          const triangles = Math.ceil(count / 4 / parts.length);
          const piece = { cells: part, triangles, ...end, level: 2 * level + 2, group, into: NONE };
          pieces.push(piece);
          next.push(piece);
        }
      }
      current = next;
    }
    all.push(pieces);
  }
  const flat = all.flat();
  const objectShape = Uint32Array.from({ length: objects }, (_, i) => (i < shapes ? i : integer(shapes)));
  const objectPose = new Float64Array(12 * objects);
  for (let object = 0; object < objects; object++) {
    objectPose.set(IDENTITY, 12 * object);
    objectPose.set([40 * random.next(), 40 * random.next(), 10 * random.next()], 12 * object + 9);
    if (object % 2 === 1) objectPose.set([0, -1, 0, 1, 0, 0, 0, 0, 1], 12 * object);
  }
  const first = [0];
  for (const pieces of all) first.push(first[first.length - 1] + pieces.length);
  return {
    directory: {
      shapeFirstPiece: Uint32Array.from(first),
      pieceTriangles: Uint32Array.from(flat, ({ triangles }) => triangles),
      pieceOut: Float64Array.from(flat, ({ out }) => out),
      pieceIn: Float64Array.from(flat, (piece) => piece.in),
      pieceBox: Float64Array.from(flat.flatMap(({ cells }) => boxOf(cells))),
      pieceLevel: Uint32Array.from(flat, ({ level }) => level),
      pieceGroup: Uint32Array.from(flat, ({ group }) => group),
      pieceInto: Uint32Array.from(flat, ({ into }) => into),
      objectShape,
      objectPose,
    },
    cells: flat.map(({ cells }) => cells),
    cellsOfShape: all.map((pieces) =>
      pieces.filter(({ level }) => level === 0).flatMap(({ cells }) => cells),
    ),
  };
}

/** Cell i is a cube of the plane's grid, a little higher or lower. */
function boxOf(cells: readonly number[]): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const cell of cells) {
    [cell % SIDE, Math.floor(cell / SIDE), (cell * 7) % 3].forEach((x, k) => {
      box[k] = Math.min(box[k], x);
      box[k + 3] = Math.max(box[k + 3], x + 1);
    });
  }
  return box;
}

/** Not far from where they were: neighbours tend to stay together. */
function shuffled<T>(items: readonly T[], integer: (n: number) => number, reach: number): T[] {
  return items
    .map((item, i) => ({ item, at: i + integer(2 * reach + 1) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function chunks<T>(items: readonly T[], size: () => number): T[][] {
  const out: T[][] = [];
  for (let at = 0; at < items.length; ) out.push(items.slice(at, (at += size())));
  return out;
}

/** A camera that looks down from somewhere above the plane, or from within it. */
export function randomCamera(seed: number): DrawCamera {
  const random = new SeededRandom(seed);
  const angle = 2 * Math.PI * random.next();
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [width, height] = [640, 480];
  const translation = [60 * random.next() - 10, 60 * random.next() - 10, 30 * random.next() ** 2];
  // turned about the vertical, then looking straight down or along the plane
  const rotation = random.next() < 0.5 ? [c, -s, 0, s, c, 0, 0, 0, 1] : [c, 0, s, s, 0, -c, 0, 1, 0];
  const projection = random.next() < 0.2 ? orthographic(20, 15) : perspective(50, width / height);
  return { pose: { rotation, translation }, projection, width, height };
}

/** As three.js has them. */
export function perspective(fov: number, aspect: number): number[] {
  const f = 1 / Math.tan((fov * Math.PI) / 360);
  const [near, far] = [0.1, 1000];
  return [
    ...[f / aspect, 0, 0, 0, 0, f, 0, 0],
    ...[0, 0, (near + far) / (near - far), -1, 0, 0, (2 * near * far) / (near - far), 0],
  ];
}

export function orthographic(halfWidth: number, halfHeight: number): number[] {
  return [1 / halfWidth, 0, 0, 0, 0, 1 / halfHeight, 0, 0, 0, 0, -0.002, 0, 0, 0, -1, 1];
}
