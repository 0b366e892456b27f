/**
 * A bunny falls through a dragon and breaks it. Paper: CULLIDE, "Breaking objects" and figure 6.
 *
 * In every frame the largest pieces that the bunny touches (a ball stands for it) are cut in two along a plane through
 * the place it strikes; small halves fly off, fall and lie on the floor, large ones stay where they are, a little
 * apart. Objects and their triangle counts change in every frame with contact. Pieces pass through each other: nothing
 * here looks for collisions.
 */
import type { SceneMesh } from '../deform/scene-mesh.js';
import { randomPose } from '../deform/turning.js';
import { Random, seedOf } from '../random.js';
import { centredScans, type ScanOptions } from './models.js';
import type { FrameChange, MovingObject, MovingScene } from './moving-scene.js';
import { split } from './pieces.js';
import { writeTurned } from './wandering.js';

export interface BreakingDragonOptions extends ScanOptions {
  /** Default 1. */
  readonly seed?: number;
}

const START_HEIGHT = 0.7;
const FLOOR = -0.6;
/** Per frame, and per frame squared. */
const FALL = 0.018;
const GRAVITY = 0.0006;
const BURST = 0.006;
/** Distance by which each half moves away from a cut. */
const GAP = 0.003;
/** Pieces that are a larger share of the dragon stay in place. */
const HEAVY = 0.08;
/** Of the ball that stands for the bunny. */
const REACH = 0.22;
const CUTS_PER_FRAME = 3;
/** Pieces of fewer triangles are not cut. */
const SMALLEST = 400;
/** One in this many triangles is tested against the bunny. */
const SAMPLE = 8;

type Shape = Pick<SceneMesh, 'positions' | 'indices'>;

interface Piece extends Shape {
  readonly id: number;
  readonly name: string;
  readonly rotation0: Float64Array;
  /** The middle in the piece's own coordinates, and its current position. */
  readonly middle: readonly number[];
  readonly centre: number[];
  readonly velocity: number[];
  readonly axis: readonly number[];
  readonly turnsPerFrame: number;
  readonly born: number;
  readonly standing: boolean;
}

const IDENTITY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

export function breakingDragon(options: BreakingDragonOptions = {}): MovingScene {
  const random = new Random(seedOf(options.seed ?? 1, 24));
  const [bunny, dragon] = centredScans(options);
  const heavy = HEAVY * dragon.indices.length;
  let frame = 0;
  let nextId = 2;
  const still = { axis: [0, 1, 0], turnsPerFrame: 0, born: 0, rotation0: IDENTITY, middle: [0, 0, 0] };
  const falling: Piece = {
    ...bunny,
    ...still,
    id: 0,
    turnsPerFrame: 0.003,
    centre: [0, START_HEIGHT, 0],
    velocity: [0, -FALL, 0],
    standing: false,
  };
  let pieces: Piece[] = [
    { ...dragon, ...still, id: 1, centre: [0, 0, 0], velocity: [0, 0, 0], standing: true },
  ];
  let poses = new Float64Array(0);
  let objects: MovingObject[] = [];
  const place = () => {
    const all = [falling, ...pieces];
    poses = new Float64Array(12 * all.length);
    objects = all.map((piece, i) => {
      const pose = poses.subarray(12 * i, 12 * i + 12);
      writePiecePose(piece, frame, pose);
      const { id, name, positions, indices } = piece;
      return { id, name, positions, indices, pose };
    });
  };
  place();
  return {
    get frame() {
      return frame;
    },
    get objects() {
      return objects;
    },
    get poses() {
      return poses;
    },
    step(): FrameChange {
      const struck = struckPieces(pieces, objects, falling.centre);
      const halves: Piece[] = [];
      const removed: number[] = [];
      for (const { piece, point } of struck) {
        const cut = cutPiece(piece, objects.find(({ id }) => id === piece.id)!.pose, point, random, frame);
        if (!cut) continue;
        removed.push(piece.id);
        for (const half of cut) {
          const standing = piece.standing && half.indices.length > heavy;
          halves.push({ ...half, standing, id: nextId, name: `piece ${nextId++}` });
        }
      }
      pieces = pieces.filter(({ id }) => !removed.includes(id));
      frame++;
      const moved = [falling, ...pieces].filter(({ standing }) => !standing).map(({ id }) => id);
      pieces.push(...halves);
      falling.centre[1] += falling.velocity[1];
      for (const piece of pieces) if (!piece.standing) fall(piece);
      place();
      removed.sort((a, b) => a - b);
      return { added: halves.map(({ id }) => id), removed, moved, deformed: [] };
    },
  };
}

/**
 * The largest pieces with a triangle within reach of the bunny, and the nearest point of each in its own coordinates.
 */
function struckPieces(pieces: readonly Piece[], objects: readonly MovingObject[], bunny: readonly number[]) {
  const struck: { piece: Piece; point: number[] }[] = [];
  for (const piece of pieces) {
    const { positions: p, indices } = piece;
    if (indices.length < 3 * SMALLEST) continue;
    const { pose } = objects.find(({ id }) => id === piece.id)!;
    const away = [0, 1, 2].map((k) => bunny[k] - pose[9 + k]);
    const ball = [0, 1, 2].map((k) => pose[k] * away[0] + pose[3 + k] * away[1] + pose[6 + k] * away[2]);
    let nearest = -1;
    let least = REACH * REACH;
    for (let i = 0; i < indices.length; i += 3 * SAMPLE) {
      const v = 3 * indices[i];
      const [x, y, z] = [p[v] - ball[0], p[v + 1] - ball[1], p[v + 2] - ball[2]];
      const distanceSq = x * x + y * y + z * z;
      if (distanceSq < least) {
        least = distanceSq;
        nearest = v;
      }
    }
    if (nearest >= 0) struck.push({ piece, point: [p[nearest], p[nearest + 1], p[nearest + 2]] });
  }
  struck.sort((a, b) => b.piece.indices.length - a.piece.indices.length || a.piece.id - b.piece.id);
  return struck.slice(0, CUTS_PER_FRAME);
}

/** Two halves that fly apart, cut at a random position between the middle and the impact. */
function cutPiece(
  piece: Piece,
  pose: Float64Array,
  point: readonly number[],
  random: Random,
  frame: number,
): Omit<Piece, 'id' | 'name' | 'standing'>[] | undefined {
  const turned = randomPose(random, 0, 0, 0);
  const normal = [turned[0], turned[3], turned[6]];
  const share = random.next();
  const through = [0, 1, 2].map((k) => piece.middle[k] + share * (point[k] - piece.middle[k]));
  const d = normal[0] * through[0] + normal[1] * through[1] + normal[2] * through[2];
  return split(piece, normal, d)?.map((half, side) => {
    const middle = meanOf(half.positions);
    const away = side === 0 ? -1 : 1;
    const apart = away * BURST * (0.5 + random.next());
    const axis = randomPose(random, 0, 0, 0);
    return {
      ...half,
      middle,
      centre: [0, 1, 2].map(
        (k) => rotated(pose, middle, k) + pose[9 + k] + away * GAP * rotated(pose, normal, k),
      ),
      velocity: [0, 1, 2].map(
        (k) => (piece.standing ? 0 : piece.velocity[k]) + apart * rotated(pose, normal, k),
      ),
      rotation0: pose.slice(0, 9),
      axis: [axis[0], axis[3], axis[6]],
      turnsPerFrame: 0.004 * (2 * random.next() - 1),
      born: frame,
    };
  });
}

function fall({ centre, velocity }: Piece): void {
  velocity[1] -= GRAVITY;
  for (let k = 0; k < 3; k++) centre[k] += velocity[k];
  if (centre[1] >= FLOOR) return;
  // it lands and slides on a little
  centre[1] = FLOOR;
  velocity[0] *= 0.8;
  velocity[1] *= -0.3;
  velocity[2] *= 0.8;
}

function writePiecePose(piece: Piece, frame: number, out: Float64Array): void {
  const turns = piece.standing ? 0 : (frame - piece.born) * piece.turnsPerFrame;
  writeTurned(piece.rotation0, piece.axis, turns, out, 0);
  for (let k = 0; k < 3; k++) out[9 + k] = piece.centre[k] - rotated(out, piece.middle, k);
}

function rotated(pose: ArrayLike<number>, v: readonly number[], k: number): number {
  return pose[3 * k] * v[0] + pose[3 * k + 1] * v[1] + pose[3 * k + 2] * v[2];
}

function meanOf(positions: Float32Array): number[] {
  const sum = [0, 0, 0];
  for (let i = 0; i < positions.length; i++) sum[i % 3] += positions[i];
  return sum.map((value) => (3 * value) / positions.length);
}
