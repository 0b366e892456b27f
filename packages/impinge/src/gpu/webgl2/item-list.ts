/** What is drawn at a level, and what is left of it. */

/**
 * Items of one kind and the groups that are dropped together: all of an object, of a part, or the item itself.
 *
 * Invariant: entries rise by object, those of a group are next to each other.
 */
export interface ItemSet {
  /** Boxes, margin included (six numbers: least, greatest), or triangles without it (nine: the corners). */
  readonly kind: 'boxes' | 'triangles';
  readonly data: Float32Array;
  /** One entry each for what is to be drawn: its place in `data`, its object, its group. */
  readonly items: Uint32Array;
  readonly objects: Uint32Array;
  readonly groups: Uint32Array;
  readonly groupCount: number;
  /** Per object. */
  readonly codes: Uint32Array;
  readonly margins: Float32Array;
}

/** Numbers of an entry as the shaders read it. */
const ENTRY_STRIDE = 4;

/** The entries that are left. */
export class LiveList {
  /** Item, code, group, bits of the margin. */
  readonly entries: Uint32Array;
  /** Per entry. */
  readonly objects: Uint32Array;
  /** Per group: 1 if it is left. */
  readonly kept: Uint8Array;
  count: number;
  objectCount = 0;
  readonly #codes: Uint32Array;

  constructor(set: ItemSet) {
    this.count = set.items.length;
    this.entries = new Uint32Array(ENTRY_STRIDE * this.count);
    this.objects = set.objects.slice();
    this.kept = new Uint8Array(set.groupCount);
    this.#codes = set.codes;
    const margins = new Uint32Array(set.margins.slice().buffer);
    for (let i = 0; i < this.count; i++) {
      this.entries[ENTRY_STRIDE * i] = set.items[i];
      this.entries[ENTRY_STRIDE * i + 2] = set.groups[i];
      this.entries[ENTRY_STRIDE * i + 3] = set.kind === 'boxes' ? 0 : margins[set.objects[i]];
      this.kept[set.groups[i]] = 1;
    }
    this.#number();
  }

  item(entry: number): number {
    return this.entries[ENTRY_STRIDE * entry];
  }

  group(entry: number): number {
    return this.entries[ENTRY_STRIDE * entry + 2];
  }

  /** How many bits tell the objects apart. */
  get bits(): number {
    return Math.max(1, 32 - Math.clz32(this.objectCount - 1));
  }

  /** Drops the groups for which `drop` holds; returns how many. */
  drop(drop: (group: number) => boolean): number {
    let dropped = 0;
    for (let g = 0; g < this.kept.length; g++) {
      if (this.kept[g] === 1 && drop(g)) {
        this.kept[g] = 0;
        dropped++;
      }
    }
    if (dropped === 0) return 0;
    let to = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.kept[this.group(i)] === 0) continue;
      this.entries.copyWithin(ENTRY_STRIDE * to, ENTRY_STRIDE * i, ENTRY_STRIDE * (i + 1));
      this.objects[to++] = this.objects[i];
    }
    this.count = to;
    this.#number();
    return dropped;
  }

  /** Numbers the objects that are left in the order of their codes: fewer bits, and near is still near. */
  #number(): void {
    const left: number[] = [];
    for (let i = 0; i < this.count; i++) {
      if (i === 0 || this.objects[i] !== this.objects[i - 1]) left.push(this.objects[i]);
    }
    left.sort((a, b) => this.#codes[a] - this.#codes[b]);
    const rank = new Uint32Array(this.#codes.length);
    left.forEach((object, code) => {
      rank[object] = code;
    });
    for (let i = 0, code = 0; i < this.count; i++) {
      if (i === 0 || this.objects[i] !== this.objects[i - 1]) code = rank[this.objects[i]];
      this.entries[ENTRY_STRIDE * i + 1] = code;
    }
    this.objectCount = left.length;
  }
}

/** About how large items are in a view. */
export interface Footprint {
  /** How many points test each item, so that none of them loops for long. A guess is enough (test-shader.ts). */
  readonly points: Uint16Array;
  /** Of all items together. */
  readonly pixels: number;
}

export function footprintOf(set: ItemSet, view: Float32Array, resolution: number): Footprint {
  const stride = set.kind === 'boxes' ? 6 : 9;
  const { data, items, objects, margins } = set;
  const points = new Uint16Array(data.length / stride);
  let pixels = 0;
  const [ux, uy, uz, us, vx, vy, vz, vs] = view.map(Math.abs) as unknown as number[];
  for (let i = 0; i < items.length; i++) {
    const at = stride * items[i];
    let x = Math.abs(data[at + 3] - data[at]);
    let y = Math.abs(data[at + 4] - data[at + 1]);
    let z = Math.abs(data[at + 5] - data[at + 2]);
    let margin = 0;
    if (stride === 9) {
      x += Math.abs(data[at + 6] - data[at]);
      y += Math.abs(data[at + 7] - data[at + 1]);
      z += Math.abs(data[at + 8] - data[at + 2]);
      margin = 2 * margins[objects[i]];
    }
    const width = Math.min(resolution, ux * x + uy * y + uz * z + us * margin + 2);
    const height = Math.min(resolution, vx * x + vy * y + vz * z + vs * margin + 2);
    pixels += width * height;
    points[items[i]] = Math.max(1, Math.min(height, Math.ceil((width * height) / PIXELS_PER_POINT)));
  }
  return { points, pixels };
}

/** Fewer make more vertices, more make longer loops. */
const PIXELS_PER_POINT = 256;
