/**
 * Bodies that move, as an animated GLB, which any viewer plays.
 *
 * Idea: a part whose vertices go their own ways has one morph target per frame after its first, and weights that fade
 * from each to the next. A part embedded in a lattice is a skin: one joint per lattice node, four weights per vertex,
 * so that many bodies share one mesh. A rigid part is a node that moves and turns; those of one shape share one mesh,
 * too, and one that has come to rest has only its last frame after that. Parts that are not there in a frame are scaled
 * to nothing. Y is up, as in glTF. What keeps its shape has normals, smooth except across creases; for the rest none
 * are written: viewers then shade triangles flat, which is right for every frame.
 *
 * What a glTF animation has no place for is in the document's `extras.impinge`: the number of an accessor with the
 * `times` of all frames, which parts were `asleep` as [node, first frame, frame after the last], `contacts` as the
 * number of points in each frame and an accessor with all of them, and what the caller adds. `impinge view` reads it.
 */

import { allFrom, GlbAnimation } from 'impinge/internal/formats/glb-animation.js';
import { GlbBuilder } from 'impinge/internal/formats/glb-builder.js';
import { creasedSurface } from './creased-surface.js';

const POSITIONS = 34962;
const INDICES = 34963;

export interface PartLook {
  readonly name: string;
  /** Red, green, blue from 0 to 1. */
  readonly colour: readonly [number, number, number];
  /** Visible from both sides, like cloth. Default false. */
  readonly doubleSided?: boolean;
}

/** A mesh that bodies in lattices share; weights of the four joints of each vertex sum to 1. */
export interface LatticeShape {
  readonly name: string;
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  readonly joints: Uint16Array;
  readonly weights: Float32Array;
  /** The lattice nodes at the time of `positions`. */
  readonly rest: Float32Array;
}

/** A mesh that rigid bodies share, about the moving point. */
export interface RigidSurface {
  readonly name: string;
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
}

interface FreePart extends PartLook {
  readonly kind: 'free';
  readonly indices: Uint32Array;
  /** The vertices of one that does not move. */
  readonly still?: ArrayLike<number>;
}

interface LatticePart extends PartLook {
  readonly kind: 'lattice';
  readonly shape: LatticeShape;
}

interface RigidPart extends PartLook {
  readonly kind: 'rigid';
  readonly shape: RigidSurface;
}

type Part = FreePart | LatticePart | RigidPart;

interface Track {
  readonly part: Part;
  readonly firstFrame: number;
  /**
   * One array per frame in which the part exists: positions of vertices or lattice nodes, or position and quaternion of
   * a rigid part.
   */
  readonly frames: Float32Array[];
  /** First frame asleep, frame after the last, and so on. */
  readonly asleep: number[];
}

/** What is known of a frame besides places. */
export interface FrameNotes {
  /** Parts that sleep. */
  readonly asleep?: ReadonlySet<number>;
  /** Places of contacts, three numbers each. */
  readonly contacts?: Float32Array;
}

/** The coordinates of all parts in those of the file: moved, turned by a quaternion and enlarged. */
export interface RootFrame {
  readonly translation: readonly number[];
  readonly rotation: readonly number[];
  readonly scale: readonly number[];
}

export class GlbRecording {
  readonly #tracks: Track[] = [];
  readonly #times: number[] = [];
  readonly #contacts: Float32Array[] = [];
  readonly #names = new Set<string>();
  readonly #root: RootFrame | undefined;
  readonly #extras: object;

  /** `root`: none, unless parts have coordinates of their own. `extras` are put beside ours. */
  constructor({ root, extras = {} }: { readonly root?: RootFrame; readonly extras?: object } = {}) {
    this.#root = root;
    this.#extras = extras;
  }

  get frameCount(): number {
    return this.#times.length;
  }

  /** A part with its own vertices, which appears with the next frame. */
  addPart(look: PartLook & Pick<FreePart, 'indices' | 'still'>): number {
    return this.#add({ kind: 'free', ...look });
  }

  /** A body in a lattice. */
  addLattice(look: PartLook & { readonly shape: LatticeShape }): number {
    return this.#add({ kind: 'lattice', ...look });
  }

  /** A rigid body: its frames are seven numbers, the position of its point and its rotation (x, y, z, w). */
  addRigid(look: PartLook & { readonly shape: RigidSurface }): number {
    return this.#add({ kind: 'rigid', ...look });
  }

  /** No two parts have one name: viewers find objects by it. */
  #add(part: Part): number {
    let name = part.name;
    for (let i = 2; this.#names.has(name); i++) name = `${part.name} ${i}`;
    this.#names.add(name);
    this.#tracks.push({ part: { ...part, name }, firstFrame: this.frameCount, frames: [], asleep: [] });
    return this.#tracks.length - 1;
  }

  /** Adds a frame: the numbers of every existing part (copied). A part once omitted is gone. */
  addFrame(
    seconds: number,
    positions: ReadonlyMap<number, ArrayLike<number>>,
    { asleep, contacts }: FrameNotes = {},
  ): void {
    const now = this.frameCount;
    for (const [id, track] of this.#tracks.entries()) {
      const numbers = positions.get(id);
      if (numbers === undefined) continue;
      const { part, frames } = track;
      if (frames.length !== now - track.firstFrame) {
        throw new RangeError(`${part.name} was missing in a frame and came back`);
      }
      const still = part.kind === 'free' ? part.still : undefined;
      frames.push(still ? (frames[0] ?? Float32Array.from(still)) : Float32Array.from(numbers));
      if (!asleep?.has(id)) continue;
      if (track.asleep.at(-1) === now) track.asleep[track.asleep.length - 1]++;
      else track.asleep.push(now, now + 1);
    }
    if (contacts) this.#contacts[now] = contacts;
    this.#times.push(seconds);
  }

  /** The file, in pieces. */
  chunks(): readonly Uint8Array[] {
    const glb = new GlbBuilder();
    const animation = new GlbAnimation(glb, Float32Array.from(this.#times));
    const materials = new Map<string, number>();
    const shapes = new Map<LatticeShape, WrittenShape>();
    const surfaces = new Map<RigidSurface, WrittenSurface>();
    const roots: number[] = [];
    const asleep: number[][] = [];
    for (const track of this.#tracks) {
      if (track.frames.length === 0) continue;
      const material = materialOf(glb, materials, track.part);
      const { part } = track;
      const node =
        part.kind === 'free'
          ? writeFree(glb, animation, track, part, material)
          : part.kind === 'rigid'
            ? writeRigid(glb, animation, track, part, material, surfaces)
            : writeLattice(glb, animation, track, part, material, shapes);
      const last = track.firstFrame + track.frames.length;
      if (track.firstFrame > 0 || last < this.frameCount) animation.show(node, track.firstFrame, last);
      for (let i = 0; i < track.asleep.length; i += 2)
        asleep.push([node, track.asleep[i], track.asleep[i + 1]]);
      roots.push(node);
    }
    const root = this.#root && GlbBuilder.add(glb.nodes, { ...this.#root, children: roots });
    return glb.chunks({
      scenes: [{ nodes: root === undefined ? roots : [root] }],
      animations: animation.finish(),
      extras: { impinge: { version: 1, ...this.#notes(glb, animation.times), asleep, ...this.#extras } },
    });
  }

  #notes(glb: GlbBuilder, times: number): object {
    const counts = this.#times.map((_, f) => (this.#contacts[f]?.length ?? 0) / 3);
    const all = new Float32Array(3 * counts.reduce((sum, count) => sum + count, 0));
    let at = 0;
    for (const points of Object.values(this.#contacts)) {
      all.set(points, at);
      at += points.length;
    }
    if (at === 0) return { times, ...(this.#contacts.length > 0 && { contacts: { counts } }) };
    return { times, contacts: { counts, points: glb.accessor(all, 'VEC3') } };
  }
}

function materialOf(glb: GlbBuilder, known: Map<string, number>, look: PartLook): number {
  const key = `${look.colour.join()} ${look.doubleSided ?? false}`;
  let material = known.get(key);
  if (material === undefined) {
    material = GlbBuilder.add(glb.materials, {
      pbrMetallicRoughness: {
        baseColorFactor: [...look.colour.map(linearOf), 1],
        metallicFactor: 0,
        roughnessFactor: 0.8,
      },
      ...(look.doubleSided ? { doubleSided: true } : {}),
    });
    known.set(key, material);
  }
  return material;
}

/** Colours are given in sRGB; materials need linear values. */
function linearOf(shown: number): number {
  return shown <= 0.04045 ? shown / 12.92 : ((shown + 0.055) / 1.055) ** 2.4;
}

function writeFree(
  glb: GlbBuilder,
  animation: GlbAnimation,
  { frames, firstFrame }: Track,
  part: FreePart,
  material: number,
): number {
  const base = frames[0];
  if (part.still || frames.length === 1) {
    const surface = creasedPrimitive(glb, base, part.indices);
    const mesh = GlbBuilder.add(glb.meshes, { name: part.name, primitives: [{ ...surface, material }] });
    return GlbBuilder.add(glb.nodes, { name: part.name, mesh });
  }
  const primitive = {
    attributes: { POSITION: glb.accessor(base, 'VEC3', { bounds: true, target: POSITIONS }) },
    indices: glb.accessor(part.indices, 'SCALAR', { target: INDICES }),
    material,
  };
  const targets = frames.slice(1).map((frame) => {
    const delta = frame.map((x, i) => x - base[i]);
    return { POSITION: glb.accessor(delta, 'VEC3', { bounds: true, target: POSITIONS }) };
  });
  const mesh = GlbBuilder.add(glb.meshes, {
    name: part.name,
    primitives: [{ ...primitive, targets }],
    weights: targets.map(() => 0),
  });
  const node = GlbBuilder.add(glb.nodes, { name: part.name, mesh });
  animation.morph(node, allFrom(firstFrame, frames.length));
  return node;
}

/** The shared part of rigid parts of one shape in the document. */
interface WrittenSurface {
  readonly primitive: object;
  /** Material → mesh. */
  readonly meshes: Map<number, number>;
}

function writeRigid(
  glb: GlbBuilder,
  animation: GlbAnimation,
  { frames, firstFrame }: Track,
  { name, shape }: RigidPart,
  material: number,
  surfaces: Map<RigidSurface, WrittenSurface>,
): number {
  const written = surfaces.get(shape) ?? {
    primitive: creasedPrimitive(glb, shape.positions, shape.indices),
    meshes: new Map(),
  };
  surfaces.set(shape, written);
  const mesh =
    written.meshes.get(material) ??
    GlbBuilder.add(glb.meshes, { name: shape.name, primitives: [{ ...written.primitive, material }] });
  written.meshes.set(material, mesh);
  const [translation, rotation] = [frames[0].subarray(0, 3), frames[0].subarray(3)].map((x) => Array.from(x));
  const node = GlbBuilder.add(glb.nodes, { name, mesh, translation, rotation });
  if (frames.length === 1) return node;
  const last = frames[frames.length - 1];
  let moving = frames.length - 1;
  while (moving > 0 && sameNumbers(frames[moving - 1], last)) moving--;
  // with the first frame at rest, from which on it stays
  const count = Math.min(moving + 1, frames.length - 1);
  const kept = [...frames.slice(0, count), last];
  const [places, turns] = [new Float32Array(3 * kept.length), new Float32Array(4 * kept.length)];
  for (const [f, frame] of kept.entries()) {
    places.set(frame.subarray(0, 3), 3 * f);
    turns.set(frame.subarray(3), 4 * f);
  }
  const times = { from: firstFrame, count, last: firstFrame + frames.length - 1 };
  animation.move(node, times, places);
  animation.turn(node, times, turns);
  return node;
}

function sameNumbers(a: Float32Array, b: Float32Array): boolean {
  return a.every((x, i) => x === b[i]);
}

/** Positions, normals and triangles of a part that keeps its shape. */
function creasedPrimitive(glb: GlbBuilder, positions: Float32Array, indices: Uint32Array): object {
  const surface = creasedSurface(positions, indices);
  return {
    attributes: {
      POSITION: glb.accessor(surface.positions, 'VEC3', { bounds: true, target: POSITIONS }),
      NORMAL: glb.accessor(surface.normals, 'VEC3', { target: POSITIONS }),
    },
    indices: glb.accessor(surface.indices, 'SCALAR', { target: INDICES }),
  };
}

function writeLattice(
  glb: GlbBuilder,
  animation: GlbAnimation,
  { frames, firstFrame }: Track,
  part: LatticePart,
  material: number,
  shapes: Map<LatticeShape, WrittenShape>,
): number {
  const { shape } = part;
  const count = shape.rest.length / 3;
  const joints = Array.from({ length: count }, (_, j) => {
    const translation = Array.from(frames[0].subarray(3 * j, 3 * j + 3));
    const joint = GlbBuilder.add(glb.nodes, { translation });
    const path = new Float32Array(3 * frames.length);
    for (const [f, frame] of frames.entries()) path.set(frame.subarray(3 * j, 3 * j + 3), 3 * f);
    if (frames.length > 1) animation.move(joint, allFrom(firstFrame, frames.length), path);
    return joint;
  });
  const written = shapes.get(shape) ?? writeShape(glb, shape);
  shapes.set(shape, written);
  const skin = GlbBuilder.add(glb.skins, { joints, inverseBindMatrices: written.bindMatrices });
  const mesh =
    written.meshes.get(material) ??
    GlbBuilder.add(glb.meshes, { name: shape.name, primitives: [{ ...written.primitive, material }] });
  written.meshes.set(material, mesh);
  const body = GlbBuilder.add(glb.nodes, { name: part.name, mesh, skin });
  // the node of a skin is placed by its joints alone: visibility is set on the node around both
  return GlbBuilder.add(glb.nodes, { children: [body, ...joints] });
}

/** The shared part of bodies of one shape in the document. */
interface WrittenShape {
  readonly bindMatrices: number;
  readonly primitive: object;
  /** Material → mesh: one mesh per colour, on the same numbers. */
  readonly meshes: Map<number, number>;
}

function writeShape(glb: GlbBuilder, shape: LatticeShape): WrittenShape {
  const primitive = {
    attributes: {
      POSITION: glb.accessor(shape.positions, 'VEC3', { bounds: true, target: POSITIONS }),
      JOINTS_0: glb.accessor(shape.joints, 'VEC4', { target: POSITIONS }),
      WEIGHTS_0: glb.accessor(shape.weights, 'VEC4', { target: POSITIONS }),
    },
    indices: glb.accessor(shape.indices, 'SCALAR', { target: INDICES }),
  };
  return {
    primitive,
    bindMatrices: glb.accessor(inverseTranslations(shape.rest), 'MAT4'),
    meshes: new Map(),
  };
}

/** From rest positions to joints: a vertex then moves by the mean displacement of its joints. */
function inverseTranslations(rest: Float32Array): Float32Array {
  const matrices = new Float32Array((16 * rest.length) / 3);
  for (let j = 0; j < rest.length / 3; j++) {
    for (let k = 0; k < 4; k++) matrices[16 * j + 5 * k] = 1;
    for (let k = 0; k < 3; k++) matrices[16 * j + 12 + k] = -rest[3 * j + k];
  }
  return matrices;
}
