/** The surfaces that bodies are made from: checked, and put on the float32 grid. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { type OptionNames, readKnown, shown } from 'impinge/internal/base/options.js';
import { type Point, readPoint } from 'impinge/internal/math/point.js';
import type { QuaternionLike } from 'impinge/internal/math/pose.js';
import { assertClosed, isClosed, orientationOf } from 'impinge/internal/mesh/closed.js';
import type { GeometryLike } from 'impinge/internal/mesh/geometry-input.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { steady } from 'impinge/internal/mesh/mesh-arrays.js';
import { firstAtPlace } from 'impinge/internal/mesh/places.js';

export interface SurfaceArrays {
  /** x, y, z of every vertex. Rounded to float32. */
  readonly positions: ArrayLike<number>;
  /** Three vertices of every triangle. */
  readonly indices: ArrayLike<number>;
  readonly name?: string;
}

/** Arrays, a mesh, or a three.js geometry. */
export type SurfaceSource = SurfaceArrays | Mesh | GeometryLike;

export interface CheckedSurface {
  readonly name: string;
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  readonly vertexCount: number;
}

/** A copy on the float32 grid, checked: finite coordinates, indices in range, at least one triangle. */
export function readSurface(source: SurfaceSource, fallbackName: string): CheckedSurface {
  const input = arraysOf(source, fallbackName);
  const {
    name = fallbackName,
    positions: places,
    indices: corners,
  } = Object(input) as Partial<SurfaceArrays>;
  if (typeof name !== 'string')
    throw new ImpingeError('bad-input', `${fallbackName}: its name must be a string`);
  const given = { positions: places && steady(places), indices: corners && steady(corners) };
  if (!given.positions || !given.indices) {
    throw new ImpingeError('bad-input', `${name}: positions and indices are needed`, { object: name });
  }
  const { indices: wanted } = given;
  const positions = Float64Array.from(given.positions, Math.fround);
  const count = positions.length / 3;
  if (!Number.isInteger(count) || wanted.length % 3 !== 0) {
    throw new ImpingeError(
      'bad-input',
      `${name}: ${positions.length} coordinates and ${wanted.length} indices are not multiples of 3`,
    );
  }
  if (wanted.length === 0) throw new ImpingeError('empty-mesh', `${name} has no triangles`);
  const bad = positions.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0) {
    const vertex = Math.floor(bad / 3);
    throw new ImpingeError(
      'non-finite',
      `${name}: vertex ${vertex} has ${'xyz'[bad % 3]} = ${positions[bad]}`,
      {
        object: name,
        vertex,
      },
    );
  }
  const indices = Uint32Array.from(wanted);
  const stray = indices.findIndex((v, i) => v >= count || wanted[i] !== v);
  if (stray >= 0) {
    const triangle = Math.floor(stray / 3);
    throw new ImpingeError(
      'index-out-of-range',
      `${name}: triangle ${triangle} refers to vertex ${wanted[stray]} of ${count}`,
      { object: name, triangle },
    );
  }
  return { name, positions, indices, vertexCount: count };
}

/** Of a mesh, in the coordinates of its input; of a geometry, the drawn triangles. */
function arraysOf(source: SurfaceSource, fallbackName: string): SurfaceArrays {
  const isGeometry = typeof source === 'object' && source !== null && 'attributes' in source;
  if (!isGeometry && !(source instanceof Mesh)) return source;
  const mesh = isGeometry ? Mesh.from(source) : source;
  try {
    const { storedPositions: positions, storedIndices: indices, origin, name } = mesh;
    const places = Float64Array.from(positions, (x, i) => x + origin[i % 3]);
    return { positions: places, indices: indices.slice(), name: name || fallbackName };
  } finally {
    if (isGeometry) mesh.dispose();
  }
}

/** Advice about triangles of one surface that meet because it is split into vertices at the same positions. */
export function seamAdvice(positions: ArrayLike<number>): string {
  const first = firstAtPlace(positions, 0);
  const split = first.findIndex((w, v) => w !== v);
  return split < 0
    ? ''
    : `; its vertices ${first[split]} and ${split} are at the same place: weld(mesh).mesh joins them`;
}

/**
 * The options with defaults; where a default is a number, the option must be one. `others`: the names of options
 * without a default.
 */
export function withDefaults<Defaults extends object, Options extends object>(
  call: string,
  defaults: Defaults,
  options: Options,
  others: OptionNames<Omit<Options, keyof Defaults>>,
): { [Name in keyof Defaults]: number } & Omit<Options, keyof Defaults> {
  const names = Object.fromEntries(
    [...Object.keys(defaults), ...Object.keys(others)].map((name) => [name, true]),
  );
  const all = { ...defaults, ...readKnown(call, options, names as OptionNames<Options>) };
  for (const [name, value] of Object.entries(all)) {
    if (name in defaults && typeof value !== 'number') checkOption(name, value as number, false);
  }
  return all as { [Name in keyof Defaults]: number } & Omit<Options, keyof Defaults>;
}

/** Throws unless an option is finite and inside its domain. */
export function checkOption(name: string, value: number, inside: boolean): number {
  if (Number.isFinite(value) && inside) return value;
  throw new ImpingeError(Number.isFinite(value) ? 'bad-option' : 'non-finite', `${name} is ${shown(value)}`, {
    value,
  });
}

/** Three finite numbers. */
export function readVector(name: string, value: Point | undefined): number[] {
  return readPoint(name, value, [0, 0, 0]);
}

/** A unit quaternion: four finite numbers that are not all zero, made one long. */
export function readTurn(name: string, value: ArrayLike<number> | QuaternionLike): number[] {
  const numbers =
    value && ('w' in Object(value) ? fourOf(value as QuaternionLike) : steady(value as ArrayLike<number>));
  if (numbers?.length !== 4)
    throw new ImpingeError(
      'bad-input',
      `${name} must be four numbers, or x, y, z and w, got ${shown(value)}`,
    );
  const all = Array.from(numbers, (x) => checkOption(name, x, true));
  const length = Math.hypot(...all);
  checkOption(`${name}: its length`, length, length > 0);
  return all.map((x) => x / length);
}

function fourOf({ x, y, z, w }: QuaternionLike): number[] {
  return [x, y, z, w];
}

/** Whether a surface bounds no solid, because it has borders. */
export function isOpen(surface: SurfaceArrays): boolean {
  const mesh = Mesh.from(surface);
  try {
    return !isClosed(mesh);
  } finally {
    mesh.dispose();
  }
}

/**
 * The triangles of a closed surface, facing outwards: reversed where they face inwards, unless that must be refused.
 * Throws if it bounds no solid.
 */
export function outwardIndices(
  name: string,
  positions: Float64Array,
  indices: Uint32Array,
  inward: 'turn' | 'refuse' = 'turn',
): Uint32Array {
  const mesh = Mesh.from({ positions, indices, name });
  try {
    assertClosed(mesh);
    const orientation = orientationOf(mesh);
    if (orientation === 0) {
      throw new ImpingeError('bad-input', `${name}: its triangles do not all face the same way`, {
        object: name,
      });
    }
    if (orientation < 0 && inward === 'refuse') {
      throw new ImpingeError('bad-input', `${name} is inside out: its triangles face inwards`, {
        object: name,
      });
    }
    return orientation > 0
      ? indices
      : indices.map((_, i) => indices[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]);
  } finally {
    mesh.dispose();
  }
}
