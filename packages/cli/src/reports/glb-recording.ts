/**
 * A simulation as an animated GLB, which any viewer plays.
 *
 * Idea: a part whose vertices go their own ways has one morph target per frame after its first, and weights that
 * fade from each to the next. A part embedded in a lattice is a skin: one joint per lattice node, four weights per
 * vertex, so that many bodies share one mesh. Parts that are not there in a frame are scaled to nothing.
 * Y is up, as in glTF. No normals are written: viewers then shade triangles flat, which is right for every frame.
 */
import type { FileHandle } from 'node:fs/promises';
import { GlbBuilder } from './glb-builder.js';

const POSITIONS = 34962;
const INDICES = 34963;

export interface PartLook {
  readonly name: string;
  /** Red, green, blue from 0 to 1. */
  readonly colour: readonly [number, number, number];
  /** Seen from both sides, as cloth is. Default false. */
  readonly doubleSided?: boolean;
}

/** A mesh that bodies in lattices share; weights of the four joints of each vertex sum to 1. */
export interface LatticeShape {
  readonly name: string;
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  readonly joints: Uint16Array;
  readonly weights: Float32Array;
  /** The lattice nodes as they were when `positions` were. */
  readonly rest: Float32Array;
}

interface FreePart extends PartLook {
  readonly kind: 'free';
  readonly indices: Uint32Array;
  readonly moves: boolean;
}

interface LatticePart extends PartLook {
  readonly kind: 'lattice';
  readonly shape: LatticeShape;
}

interface Track {
  readonly part: FreePart | LatticePart;
  readonly firstFrame: number;
  /** Positions of vertices or lattice nodes, one array per frame in which the part is there. */
  readonly frames: Float32Array[];
}

export class GlbRecording {
  readonly #tracks: Track[] = [];
  readonly #secondsPerFrame: number;
  #frameCount = 0;

  constructor(secondsPerFrame: number) {
    this.#secondsPerFrame = secondsPerFrame;
  }

  get frameCount(): number {
    return this.#frameCount;
  }

  /** A part with its own vertices; `moves: false` keeps only the first frame. It appears with the next frame. */
  addPart(look: PartLook & { readonly indices: Uint32Array; readonly moves: boolean }): number {
    return this.#add({ kind: 'free', ...look });
  }

  /** A body in a lattice. */
  addLattice(look: PartLook & { readonly shape: LatticeShape }): number {
    return this.#add({ kind: 'lattice', ...look });
  }

  #add(part: FreePart | LatticePart): number {
    this.#tracks.push({ part, firstFrame: this.#frameCount, frames: [] });
    return this.#tracks.length - 1;
  }

  /** One more frame: the positions of every part that is there (copied). A part once left out is gone. */
  addFrame(positions: ReadonlyMap<number, ArrayLike<number>>): void {
    for (const [id, track] of this.#tracks.entries()) {
      const now = positions.get(id);
      if (now === undefined) continue;
      if (track.frames.length !== this.#frameCount - track.firstFrame) {
        throw new RangeError(`${track.part.name} was left out of a frame and is back`);
      }
      const still = track.part.kind === 'free' && !track.part.moves && track.frames.length > 0;
      track.frames.push(still ? track.frames[0] : Float32Array.from(now));
    }
    this.#frameCount++;
  }

  async write(file: FileHandle): Promise<void> {
    const glb = new GlbBuilder();
    const animation = new Animation(glb, this.#frameCount, this.#secondsPerFrame);
    const materials = new Map<string, number>();
    const shapes = new Map<LatticeShape, WrittenShape>();
    const roots: number[] = [];
    for (const track of this.#tracks) {
      if (track.frames.length === 0) continue;
      const material = materialOf(glb, materials, track.part);
      const node =
        track.part.kind === 'free'
          ? writeFree(glb, animation, track, track.part, material)
          : writeLattice(glb, animation, track, track.part, material, shapes);
      const last = track.firstFrame + track.frames.length;
      if (track.firstFrame > 0 || last < this.#frameCount) animation.show(node, track.firstFrame, last);
      roots.push(node);
    }
    await glb.write(file, roots, animation.finish());
  }
}

function materialOf(glb: GlbBuilder, known: Map<string, number>, look: PartLook): number {
  const key = `${look.colour.join()} ${look.doubleSided ?? false}`;
  let material = known.get(key);
  if (material === undefined) {
    material = GlbBuilder.add(glb.materials, {
      pbrMetallicRoughness: {
        baseColorFactor: [...look.colour, 1],
        metallicFactor: 0,
        roughnessFactor: 0.8,
      },
      ...(look.doubleSided ? { doubleSided: true } : {}),
    });
    known.set(key, material);
  }
  return material;
}

function writeFree(
  glb: GlbBuilder,
  animation: Animation,
  { frames, firstFrame }: Track,
  part: FreePart,
  material: number,
): number {
  const base = frames[0];
  const primitive = {
    attributes: { POSITION: glb.accessor(base, 'VEC3', { bounds: true, target: POSITIONS }) },
    indices: glb.accessor(part.indices, 'SCALAR', { target: INDICES }),
    material,
  };
  if (!part.moves || frames.length === 1) {
    const mesh = GlbBuilder.add(glb.meshes, { name: part.name, primitives: [primitive] });
    return GlbBuilder.add(glb.nodes, { name: part.name, mesh });
  }
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
  animation.morph(node, firstFrame, frames.length);
  return node;
}

function writeLattice(
  glb: GlbBuilder,
  animation: Animation,
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
    if (frames.length > 1) animation.move(joint, firstFrame, path);
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
  // the node of a skin is placed by its joints alone: showing and hiding goes by the node around both
  return GlbBuilder.add(glb.nodes, { children: [body, ...joints] });
}

/** What bodies of one shape share in the document. */
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

/** From rest places to joints: a vertex then moves by the mean of how far its joints went. */
function inverseTranslations(rest: Float32Array): Float32Array {
  const matrices = new Float32Array((16 * rest.length) / 3);
  for (let j = 0; j < rest.length / 3; j++) {
    for (let k = 0; k < 4; k++) matrices[16 * j + 5 * k] = 1;
    for (let k = 0; k < 3; k++) matrices[16 * j + 12 + k] = -rest[3 * j + k];
  }
  return matrices;
}

/** One animation of everything, with one clock. */
class Animation {
  readonly #glb: GlbBuilder;
  readonly #channels: object[] = [];
  readonly #samplers: object[] = [];
  readonly #times: Float32Array;
  readonly #inputs = new Map<string, number>();

  constructor(glb: GlbBuilder, frameCount: number, secondsPerFrame: number) {
    this.#glb = glb;
    this.#times = Float32Array.from({ length: frameCount }, (_, f) => f * secondsPerFrame);
  }

  /** Frame f of the part is its own shape: weight f − 1 is 1 then, and fades linearly to its neighbours. */
  morph(node: number, firstFrame: number, frameCount: number): void {
    const targets = frameCount - 1;
    const weights = new Float32Array(frameCount * targets);
    for (let f = 1; f < frameCount; f++) weights[f * targets + f - 1] = 1;
    this.#channel(node, 'weights', this.#input(firstFrame, frameCount), weights, 'SCALAR', 'LINEAR');
  }

  move(node: number, firstFrame: number, path: Float32Array): void {
    this.#channel(node, 'translation', this.#input(firstFrame, path.length / 3), path, 'VEC3', 'LINEAR');
  }

  /** There from one frame until before another. */
  show(node: number, from: number, to: number): void {
    const scales = new Float32Array(3 * this.#times.length);
    scales.fill(1, 3 * from, 3 * to);
    this.#channel(node, 'scale', this.#input(0, this.#times.length), scales, 'VEC3', 'STEP');
  }

  finish(): object[] {
    return this.#channels.length === 0
      ? []
      : [{ name: 'simulation', channels: this.#channels, samplers: this.#samplers }];
  }

  #input(from: number, count: number): number {
    const key = `${from} ${count}`;
    let input = this.#inputs.get(key);
    if (input === undefined) {
      input = this.#glb.accessor(this.#times.slice(from, from + count), 'SCALAR', { bounds: true });
      this.#inputs.set(key, input);
    }
    return input;
  }

  #channel(
    node: number,
    path: string,
    input: number,
    numbers: Float32Array,
    type: 'SCALAR' | 'VEC3',
    interpolation: string,
  ): void {
    const output = this.#glb.accessor(numbers, type);
    const sampler = GlbBuilder.add(this.#samplers, { input, output, interpolation });
    this.#channels.push({ sampler, target: { node, path } });
  }
}
