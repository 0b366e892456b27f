/**
 * The GPU's state of every object: position and appearance. A change updates one small texture, no geometry. Numbers
 * after those of the store's objects are for bodies that are not in it; their vertices are in their own frames.
 */
import {
  DataTexture,
  FloatType,
  type IUniform,
  type PixelFormat,
  RedIntegerFormat,
  RGBAFormat,
  type Texture,
  UnsignedByteType,
} from 'three';
import type { Opened } from '../streaming/protocol.js';
import { OWN_COLOURS } from './palette.js';
import { COLUMNS, MOVE_TEXELS, Style } from './shaders.js';
import type { ObjectStyle } from './types.js';

/** The range of a byte. */
const STYLES = 256;
/** A pose. */
const AT_ORIGIN = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);

export class ObjectState {
  readonly count: number;
  readonly uniforms: Record<'origins' | 'styles' | 'ownColours' | 'palette' | 'moves', IUniform<Texture>>;
  hasGhosts = false;
  /** Whether any object is drawn as solid. */
  hasSolids = true;
  /** Bodies that are not in the store. */
  bodyCount = 0;
  readonly #opened: Opened;
  #origins: DataTexture;
  #styles: DataTexture;
  #own: DataTexture;
  readonly #palette: DataTexture;
  #moves: DataTexture;
  /** The styles that were set last, which may be more than there is room for. */
  #ofObject = new Uint8Array(0);
  /** Slots in the texture of moves, by object, and those that were given back. */
  readonly #slots = new Map<number, number>();
  readonly #free: number[] = [];

  constructor(opened: Opened) {
    this.#opened = opened;
    this.count = opened.origins.length / 4;
    const rows = Math.ceil(this.count / COLUMNS);
    const origins = new Float32Array(4 * COLUMNS * rows);
    origins.set(opened.origins);
    this.#origins = new DataTexture(origins, COLUMNS, rows, RGBAFormat, FloatType);
    this.#styles = bytesByObject(rows);
    this.#own = bytesByObject(rows);
    const palette = new Uint8Array(4 * STYLES * 2);
    OWN_COLOURS.forEach((colour, i) => {
      palette.set(paletteEntry(colour, 255), 4 * (STYLES + i));
    });
    this.#palette = new DataTexture(palette, STYLES, 2, RGBAFormat, UnsignedByteType);
    this.#moves = new DataTexture(new Float32Array(4 * COLUMNS), COLUMNS, 1, RGBAFormat, FloatType);
    this.uniforms = {
      origins: { value: this.#origins },
      styles: { value: this.#styles },
      ownColours: { value: this.#own },
      palette: { value: this.#palette },
      moves: { value: this.#moves },
    };
    this.upload();
  }

  get bytes(): number {
    return Object.values(this.uniforms).reduce((sum, { value }) => sum + bytesIn(value as DataTexture), 0);
  }

  /** Uploads everything again, after a lost context. */
  upload(): void {
    for (const { value } of Object.values(this.uniforms)) value.needsUpdate = true;
  }

  /** How many bodies there are besides the store's objects, at the origin until they are moved. */
  setBodies(count: number): void {
    for (let i = 0; i < this.bodyCount; i++) this.move(this.count + i, null);
    this.bodyCount = count;
    const rows = Math.ceil((this.count + count) / COLUMNS);
    this.#origins = this.#grown('origins', rows);
    this.#styles = this.#grown('styles', rows);
    this.#own = this.#grown('ownColours', rows);
    fill(this.#styles, this.#ofObject);
    for (let i = 0; i < count; i++) this.move(this.count + i, AT_ORIGIN);
  }

  setOwnColours(ofObject: Uint8Array): void {
    fill(this.#own, ofObject);
  }

  /** Returns which objects are hidden, or null if none is. */
  setStyles(styles: readonly ObjectStyle[], ofObject: Uint8Array): Uint8Array | null {
    const palette = this.#palette.image.data as Uint8Array;
    const isHidden = new Uint8Array(STYLES);
    styles.slice(0, STYLES).forEach(({ hidden, ghost, colour }, i) => {
      const [own, value] = [colour === undefined || colour === null, colour ?? 0];
      const bits = (hidden ? Style.hidden : 0) | (ghost ? Style.ghost : 0) | (own ? 0 : Style.coloured);
      palette.set(paletteEntry(value, bits), 4 * i);
      isHidden[i] = hidden ? 1 : 0;
    });
    this.#palette.needsUpdate = true;
    this.#ofObject = ofObject.slice();
    fill(this.#styles, ofObject);
    const isUsed = new Uint8Array(STYLES);
    for (const style of ofObject) isUsed[style] = 1;
    const used = styles.filter((_, i) => isUsed[i] === 1);
    this.hasGhosts = used.some(({ hidden, ghost }) => ghost && !hidden);
    this.hasSolids = used.length === 0 || used.some(({ hidden, ghost }) => !ghost && !hidden);
    const ofStore = ofObject.subarray(0, this.count);
    return isHidden.includes(1) ? ofStore.map((style) => isHidden[style]) : null;
  }

  /**
   * Moves an object. With its vertices v relative to o, along the model's axes, its stored pose R, t and its new pose
   * R', t', a point is at R'Rᵀ(v + o − t) + t'. For bodies, R is the identity and o = t: any R' will do.
   */
  move(object: number, pose: Float64Array | null): void {
    const origins = this.#origins.image.data as Float32Array;
    let slot = this.#slots.get(object);
    if (!pose) {
      if (slot === undefined) return;
      this.#slots.delete(object);
      this.#free.push(slot);
      origins[4 * object + 3] = 0;
      this.#origins.needsUpdate = true;
      return;
    }
    if (slot === undefined) {
      slot = this.#free.pop() ?? this.#slots.size;
      this.#slots.set(object, slot);
      const rows = Math.ceil((MOVE_TEXELS * (slot + 1)) / COLUMNS);
      if (rows > this.#moves.image.height) this.#moves = this.#grown('moves', 2 * rows);
      origins[4 * object + 3] = slot + 1;
      this.#origins.needsUpdate = true;
    }
    const { origin, step, poses } = this.#opened;
    const isBody = object >= this.count;
    const old = isBody ? AT_ORIGIN : poses.subarray(12 * object, 12 * object + 12);
    const moves = this.#moves.image.data as Float32Array;
    const way = [0, 1, 2].map((k) => (isBody ? 0 : origin[k] + origins[4 * object + k] - old[9 + k]));
    for (let row = 0; row < 3; row++) {
      // R'Rᵀ, row by row
      const turn = [0, 1, 2].map(
        (k) =>
          pose[3 * row] * old[3 * k] +
          pose[3 * row + 1] * old[3 * k + 1] +
          pose[3 * row + 2] * old[3 * k + 2],
      );
      const to = turn[0] * way[0] + turn[1] * way[1] + turn[2] * way[2] + pose[9 + row] - origin[row];
      const whole = step * Math.round(to / step);
      moves.set([...turn, to - whole], 16 * slot + 4 * row);
      moves[16 * slot + 12 + row] = whole;
    }
    this.#moves.needsUpdate = true;
  }

  /** A texture with at least this many rows, in the place of one that has the same in its first rows. */
  #grown(name: 'origins' | 'styles' | 'ownColours' | 'moves', rows: number): DataTexture {
    const old = this.uniforms[name].value as DataTexture;
    const { data, width, height } = old.image as {
      data: Uint8Array | Float32Array;
      width: number;
      height: number;
    };
    if (rows <= height) return old;
    const grown =
      data instanceof Float32Array
        ? new Float32Array((data.length / height) * rows)
        : new Uint8Array(width * rows);
    grown.set(data);
    const texture = new DataTexture(grown, width, rows, old.format as PixelFormat, old.type);
    texture.internalFormat = old.internalFormat;
    texture.needsUpdate = true;
    old.dispose();
    this.uniforms[name].value = texture;
    return texture;
  }

  dispose(): void {
    for (const { value } of Object.values(this.uniforms)) value.dispose();
  }
}

function paletteEntry(colour: number, bits: number): [number, number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255, bits];
}

function bytesByObject(rows: number): DataTexture {
  const data = new Uint8Array(COLUMNS * rows);
  const texture = new DataTexture(data, COLUMNS, rows, RedIntegerFormat, UnsignedByteType);
  texture.internalFormat = 'R8UI';
  return texture;
}

function fill(texture: DataTexture, values: Uint8Array): void {
  const data = texture.image.data as Uint8Array;
  data.set(values.subarray(0, data.length));
  texture.needsUpdate = true;
}

function bytesIn(texture: DataTexture): number {
  return (texture.image.data as Uint8Array).byteLength;
}
