/** The geometry of a stored model around an issue, limited to what its picture can show. */
import type { StoredModel } from '@impinge/model';
import { type PieceArrays, readPieces } from '@impinge/model';
import { BoxTree } from '@impinge/model/internal/store/box-tree.js';
import type { Vec3 } from 'impinge';
import { withRoom } from '../formats/growing.js';
import type { ModelOutline } from '../wire/report.js';
import { type DensityMap, densityMap, modelOutline } from './model-outline.js';
import type { NamedObject } from './picture.js';
import { PieceShelf } from './piece-shelf.js';
import type { ReportBox } from './report-box.js';

/** Counts the objects between two points, in metres, up to `most`. */
export type InTheWay = (from: Vec3, to: Vec3, most: number) => number;

/**
 * Nine numbers per triangle of one object, in metres from the centre of the requested box; valid only during the call.
 */
export type Triangles = (corners: Float32Array, isClosed: boolean) => void;

/** Maximum number of pieces per request, and of pieces read at once, which are in memory together. */
const PIECES_MAX = 64;
const READ_AT_ONCE = 16;
/** Cache for the next picture, which often shows the same objects. */
const KEPT_BYTES = 8 << 20;
/** Buffer for pieces that are read at once; larger reads allocate their own. */
const SCRATCH_BYTES = 4 << 20;

export class Scenery {
  readonly #model: StoredModel;
  readonly #metres: number;
  /** Of objects near any request, by number. */
  readonly #keys = new Map<number, string>();
  #tree: BoxTree | undefined;
  #near: { readonly box: ReportBox; readonly objects: readonly number[] } | undefined;
  #plan: DensityMap | undefined;
  readonly #shelf = new PieceShelf(KEPT_BYTES);
  /** The read buffer, while unused. */
  #scratch: Uint8Array<ArrayBuffer> | undefined;
  /** Vertices in metres and corners of one piece, reused for the next. */
  #world = new Float32Array(0);
  #corners = new Float32Array(0);

  constructor(model: StoredModel) {
    this.#model = model;
    this.#metres = model.meta.metresPerUnit;
  }

  /** The background of the maps of this box. */
  outline(box: ReportBox): ModelOutline {
    return modelOutline(this.#model, box);
  }

  /** The model from above, within this box; the same for every picture. */
  plan(box: ReportBox): DensityMap {
    this.#plan ??= densityMap(this.#model, box, 1);
    return this.#plan;
  }

  /** Counts the other objects between two points of a box, by their boxes. */
  obstacles(but: readonly NamedObject[], box: ReportBox): InTheWay {
    const { objectBox } = this.#model.directory;
    const near = this.#within(box);
    const own = new Set(but.map(keyOf));
    return (from, to, most) => {
      const p = from.map((x) => x / this.#metres);
      const q = to.map((x) => x / this.#metres);
      let count = 0;
      for (const object of near) {
        if (!meetsSegment(objectBox, 6 * object, p, q) || own.has(this.#keyOf(object))) continue;
        if (++count >= most) break;
      }
      return count;
    };
  }

  /** Hands out the triangles of these objects near the box, the nearest pieces first, up to `budget`. */
  near(objects: readonly NamedObject[], box: ReportBox, budget: number, take: Triangles): Promise<void> {
    const keys = new Set(objects.map(keyOf));
    const numbers = this.#within(box).filter((object) => keys.has(this.#keyOf(object)));
    return this.#read(numbers, box, budget, take);
  }

  /** The same for all other objects. */
  nearOthers(but: readonly NamedObject[], box: ReportBox, budget: number, take: Triangles): Promise<void> {
    return this.#read(this.#besides(but, box), box, budget, take);
  }

  #besides(but: readonly NamedObject[], box: ReportBox): number[] {
    const keys = new Set(but.map(keyOf));
    return this.#within(box).filter((object) => !keys.has(this.#keyOf(object)));
  }

  /** Cached, since successive requests are often for the same box. */
  #within(box: ReportBox): readonly number[] {
    if (this.#near?.box === box) return this.#near.objects;
    this.#tree ??= new BoxTree(this.#model.directory.objectBox);
    const asked = this.#inUnits(box);
    const objects: number[] = [];
    this.#tree.some(
      (boxes, at) => boxesMeet(boxes, at, asked),
      (object) => objects.push(object) < 0,
    );
    objects.sort((p, q) => p - q);
    this.#near = { box, objects };
    return objects;
  }

  #keyOf(object: number): string {
    let key = this.#keys.get(object);
    if (key === undefined) {
      const text = (name: keyof NamedObject) => this.#model.text(object, name);
      key = keyOf({ file: text('file'), id: text('id'), path: text('path') });
      this.#keys.set(object, key);
    }
    return key;
  }

  #inUnits({ min, max }: ReportBox): Float64Array {
    return Float64Array.from([...min, ...max], (x) => x / this.#metres);
  }

  async #read(objects: readonly number[], box: ReportBox, budget: number, take: Triangles): Promise<void> {
    const { directory } = this.#model;
    const asked = this.#inUnits(box);
    const placed: { object: number; piece: number; far: number }[] = [];
    for (const object of objects) {
      const first = directory.objectFirstPlaced[object];
      for (let k = 0; k < this.#model.pieceCountOf(object); k++) {
        const at = 6 * (first + k);
        if (!boxesMeet(directory.placedBox, at, asked)) continue;
        const piece = this.#model.firstPiece(object) + k;
        placed.push({ object, piece, far: distanceSq(directory.placedBox, at, asked) });
      }
    }
    placed.sort((p, q) => p.far - q.far || p.object - q.object || p.piece - q.piece);
    // taken from the cache: another request may start while this one waits
    const scratch = this.#scratch ?? new Uint8Array(SCRATCH_BYTES);
    this.#scratch = undefined;
    let left = budget;
    let some: { object: number; piece: number }[] = [];
    const flush = async () => {
      const wanted = [...new Set(some.map(({ piece }) => piece))];
      const read = new Map<number, PieceArrays>();
      for (;;) {
        // repeated, since a concurrent request may have evicted pieces
        const missing = wanted.filter((piece) => !read.has(piece) && !this.#shelf.get(piece));
        if (missing.length === 0) break;
        const place = read.size === 0 ? { scratch } : {};
        for (const one of await readPieces(this.#model, missing, place)) read.set(one.piece, one);
      }
      for (const { object, piece } of some) {
        const corners = this.#cornersWithin(object, read.get(piece) ?? this.#shelf.get(piece)!, asked);
        take(corners, this.#model.isClosed(object));
      }
      for (const one of read.values()) this.#shelf.put(one);
      some = [];
    };
    for (const one of placed.slice(0, PIECES_MAX)) {
      left -= directory.pieceTriangles[one.piece];
      if (left < 0) break;
      if (some.push(one) === READ_AT_ONCE) await flush();
    }
    if (some.length > 0) await flush();
    this.#scratch = scratch;
  }

  /** The corners of the triangles whose boxes intersect the requested one. */
  #cornersWithin(
    object: number,
    { origin, positions, indices }: PieceArrays,
    asked: Float64Array,
  ): Float32Array {
    const m = this.#model.pose(object);
    const metres = this.#metres;
    const world = (this.#world = withRoom(this.#world, positions.length));
    const half = [0, 1, 2].map((axis) => (metres * (asked[3 + axis] - asked[axis])) / 2);
    for (let v = 0; v < positions.length; v += 3) {
      const x = positions[v] + origin[0];
      const y = positions[v + 1] + origin[1];
      const z = positions[v + 2] + origin[2];
      for (let k = 0; k < 3; k++) {
        const p = m[3 * k] * x + m[3 * k + 1] * y + m[3 * k + 2] * z + m[9 + k];
        world[v + k] = metres * (p - (asked[k] + asked[3 + k]) / 2);
      }
    }
    const corners = (this.#corners = withRoom(this.#corners, 3 * indices.length));
    let length = 0;
    for (let t = 0; t < indices.length; t += 3) {
      const [p, q, r] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
      let outside = false;
      for (let k = 0; k < 3; k++) {
        const [a, b, c] = [world[p + k], world[q + k], world[r + k]];
        outside ||= Math.min(a, b, c) > half[k] || Math.max(a, b, c) < -half[k];
      }
      if (outside) continue;
      for (const v of [p, q, r]) {
        corners[length++] = world[v];
        corners[length++] = world[v + 1];
        corners[length++] = world[v + 2];
      }
    }
    return corners.subarray(0, length);
  }
}

function keyOf({ file, id, path }: NamedObject): string {
  return `${file}\0${id}\0${path}`;
}

/** Whether the box at `boxes[at ..]` intersects `asked`. */
function boxesMeet(boxes: Float64Array, at: number, asked: Float64Array): boolean {
  for (let k = 0; k < 3; k++) {
    if (boxes[at + k] > asked[3 + k] || boxes[at + 3 + k] < asked[k]) return false;
  }
  return true;
}

/** Squared distance between the centre of the requested box and a box. */
function distanceSq(boxes: Float64Array, at: number, asked: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const middle = (asked[k] + asked[3 + k]) / 2;
    sum += Math.max(0, boxes[at + k] - middle, middle - boxes[at + 3 + k]) ** 2;
  }
  return sum;
}

/** Whether the box at `boxes[at ..]` intersects the segment from p to q. */
function meetsSegment(boxes: Float64Array, at: number, p: readonly number[], q: readonly number[]): boolean {
  let from = 0;
  let to = 1;
  for (let k = 0; k < 3; k++) {
    const low = boxes[at + k];
    const high = boxes[at + 3 + k];
    const d = q[k] - p[k];
    if (d === 0) {
      if (p[k] < low || p[k] > high) return false;
      continue;
    }
    const s = (low - p[k]) / d;
    const t = (high - p[k]) / d;
    from = Math.max(from, Math.min(s, t));
    to = Math.min(to, Math.max(s, t));
    if (from > to) return false;
  }
  return true;
}
