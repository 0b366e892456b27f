/**
 * The GPU's state of every object: position and appearance. A change updates one small texture, no geometry. One number
 * more than the store has objects is for a body that is not in it; its vertices are in its own frame.
 */
import {
  DataTexture,
  FloatType,
  type IUniform,
  RedIntegerFormat,
  RGBAFormat,
  type Texture,
  UnsignedByteType,
} from 'three';
import type { Opened } from '../streaming/protocol.js';
import { OWN_COLOURS } from './palette.js';
import { COLUMNS, MOST_MOVED, Style } from './shaders.js';
import type { ObjectStyle } from './types.js';

/** The range of a byte; the last one is that of the body. */
const STYLES = 256;
const BODY_STYLE = STYLES - 1;
const BODY_COLOUR = 0xf08c00;

/** A pose. */
export const AT_ORIGIN = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);

export class ObjectState {
  readonly count: number;
  readonly uniforms: Record<'origins' | 'styles' | 'ownColours' | 'palette' | 'moves', IUniform<Texture>>;
  hasGhosts = false;
  /** Whether any object is drawn as solid. */
  hasSolids = true;
  /** Whether there is a body, which is always solid. */
  hasBody = false;
  readonly #opened: Opened;
  readonly #origins: DataTexture;
  readonly #styles: DataTexture;
  readonly #own: DataTexture;
  readonly #palette: DataTexture;
  readonly #moves: DataTexture;
  /** Slots in the texture of moves, by object. */
  readonly #slots = new Map<number, number>();

  constructor(opened: Opened) {
    this.#opened = opened;
    this.count = opened.origins.length / 4;
    const rows = Math.ceil((this.count + 1) / COLUMNS);
    const origins = new Float32Array(4 * COLUMNS * rows);
    origins.set(opened.origins);
    this.#origins = new DataTexture(origins, COLUMNS, rows, RGBAFormat, FloatType);
    this.#styles = bytesByObject(rows);
    this.#own = bytesByObject(rows);
    (this.#styles.image.data as Uint8Array)[this.count] = BODY_STYLE;
    const palette = new Uint8Array(4 * STYLES * 2);
    palette.set(paletteEntry(BODY_COLOUR, Style.coloured), 4 * BODY_STYLE);
    OWN_COLOURS.forEach((colour, i) => {
      palette.set(paletteEntry(colour, 255), 4 * (STYLES + i));
    });
    this.#palette = new DataTexture(palette, STYLES, 2, RGBAFormat, UnsignedByteType);
    const moves = new Float32Array(4 * 4 * MOST_MOVED);
    this.#moves = new DataTexture(moves, 4 * MOST_MOVED, 1, RGBAFormat, FloatType);
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

  setOwnColours(ofObject: Uint8Array): void {
    fill(this.#own, ofObject);
  }

  /** Returns which objects are hidden, or null if none is. */
  setStyles(styles: readonly ObjectStyle[], ofObject: Uint8Array): Uint8Array | null {
    const palette = this.#palette.image.data as Uint8Array;
    const isHidden = new Uint8Array(STYLES);
    styles.slice(0, BODY_STYLE).forEach(({ hidden, ghost, colour }, i) => {
      const [own, value] = [colour === undefined || colour === null, colour ?? 0];
      const bits = (hidden ? Style.hidden : 0) | (ghost ? Style.ghost : 0) | (own ? 0 : Style.coloured);
      palette.set(paletteEntry(value, bits), 4 * i);
      isHidden[i] = hidden ? 1 : 0;
    });
    this.#palette.needsUpdate = true;
    fill(this.#styles, ofObject);
    const isUsed = new Uint8Array(STYLES);
    for (const style of ofObject) isUsed[style] = 1;
    const used = styles.filter((_, i) => isUsed[i] === 1);
    this.hasGhosts = used.some(({ hidden, ghost }) => ghost && !hidden);
    this.hasSolids = used.length === 0 || used.some(({ hidden, ghost }) => !ghost && !hidden);
    return isHidden.includes(1) ? ofObject.map((style) => isHidden[style]) : null;
  }

  /**
   * Moves an object. With its vertices v relative to o, along the model's axes, its stored pose R, t and its new pose
   * R', t', a point is at R'Rᵀ(v + o − t) + t'. Returns false if too many others are moved already.
   */
  move(object: number, pose: Float64Array | null): boolean {
    const origins = this.#origins.image.data as Float32Array;
    if (!pose) {
      if (this.#slots.delete(object)) {
        origins[4 * object + 3] = 0;
        this.#origins.needsUpdate = true;
      }
      return true;
    }
    let slot = this.#slots.get(object);
    if (slot === undefined) {
      const taken = new Set(this.#slots.values());
      slot = 0;
      while (taken.has(slot)) slot++;
      if (slot === MOST_MOVED) return false;
      this.#slots.set(object, slot);
      origins[4 * object + 3] = slot + 1;
      this.#origins.needsUpdate = true;
    }
    const { origin, step, poses } = this.#opened;
    const isBody = object === this.count;
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
    return true;
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
