/**
 * The culler: holds objects, and answers which of them, and which of their triangles, meet or come close.
 *
 * A query becomes input (input-tables.ts) for a backend, which culls by boxes and, on request, by visibility; pairs
 * left open are decided exactly (exact.ts). So answers are the same on every device, by every method and at every
 * resolution. Queries are answered one after the other, each for the poses at the time of its call: objects may be
 * moved while one is under way, for the next. Other changes are refused until it is answered.
 * Paper: Govindaraju, Redon, Lin & Manocha 2003, "CULLIDE: interactive collision detection between complex models in
 * large environments using graphics hardware".
 */
import { DISPOSE } from 'impinge/internal/base/dispose.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readAtMost, readKnown, readLength } from 'impinge/internal/base/options.js';
import { toRigidPose } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import type { MeshInput } from 'impinge/internal/mesh/mesh-input.js';
import { CullerObject, MeshUses, named, naming, type ObjectHost } from './culled-object.js';
import { readOptions } from './culler-options.js';
import { CullingQuery } from './culling-query.js';
import { BackendChain } from './devices.js';
import { InputTables } from './input-tables.js';
import { type Poses, PoseTable } from './pose-table.js';
import type {
  BackendKind,
  ClosestPair,
  CulledCandidates,
  CulledObject,
  CulledObjectOptions,
  CulledPairs,
  CullerDistanceOptions,
  CullerOptions,
  CullerWithinOptions,
  CullingDevice,
  PotentiallyCollidingSet,
} from './types.js';

export class VisibilityCuller {
  readonly #chain: BackendChain;
  readonly #query: CullingQuery;
  readonly #host: ObjectHost;
  readonly #meshes = new MeshUses();
  readonly #poses = new PoseTable();
  readonly #tables: InputTables;
  /** In the order of their ids, with those removed since the last query. */
  #objects: CullerObject[] = [];
  #size = 0;
  #nextId = 0;
  #changed = false;
  /** Queries that are not answered yet, and the end of the last of them. */
  #waiting = 0;
  #tail: Promise<unknown> = Promise.resolve();
  /** The poses that the query under way is about. */
  #asked: Poses | undefined;
  #disposed = false;

  /** Devices are tried in the order given; after them the CPU, unless it is among them. */
  constructor(device: CullingDevice | readonly CullingDevice[], options: CullerOptions = {}) {
    const read = readOptions(options);
    this.#chain = new BackendChain(device, read.onFallback);
    this.#tables = new InputTables(read.partSize);
    this.#query = new CullingQuery(read, this.#chain, this.#tables, () => this.#assertLive());
    this.#host = {
      beforeChange: () => this.#beforeChange(),
      beforeMove: () => this.#assertLive(),
      poseOf: ({ position }) => {
        const { poses } = this.#asked ?? this.#poses.current;
        return poses.subarray(12 * position, 12 * position + 12);
      },
      place: ({ position }, pose) => this.#poses.write(position, pose),
      layOutAgain: () => {
        this.#changed = true;
      },
      remove: () => {
        this.#size--;
        this.#changed = true;
      },
      take: (shape) => this.#meshes.take(shape),
      release: (mesh) => this.#meshes.release(mesh),
    };
  }

  /** Number of objects. */
  get size(): number {
    return this.#size;
  }
  /** The kind of device in use, or to be used from the first query on. */
  get backend(): BackendKind {
    return this.#chain.kind;
  }
  /** In the order of their ids. */
  get objects(): readonly CulledObject[] {
    return this.#objects.filter(({ removed }) => !removed);
  }

  /**
   * Adds an object. A mesh may serve several; one made here, of arrays or a geometry, is disposed with its last object.
   */
  add(shape: Mesh | MeshInput, options: CulledObjectOptions = {}): CulledObject {
    this.#beforeChange();
    const { pose: asked, self } = readKnown('add', options, { pose: true, self: true });
    const id = this.#nextId;
    const pose = naming(id, () => toRigidPose(asked));
    const mesh = naming(id, () => this.#meshes.take(shape));
    const position = this.#objects.length;
    this.#poses.reserve(position + 1);
    this.#poses.write(position, pose);
    const object = new CullerObject(this.#host, id, position, mesh, self === true);
    this.#objects.push(object);
    this.#nextId++;
    this.#size++;
    this.#changed = true;
    return object;
  }

  /**
   * Moves all objects: twelve numbers each, in the order of their ids, nine of a rotation in rows and three of a
   * translation. If one is refused, none is moved.
   */
  moveAll(poses: Float64Array): void {
    this.#assertLive();
    if (!(poses instanceof Float64Array) || poses.length !== 12 * this.#size) {
      throw new ImpingeError(
        'bad-input',
        `moveAll: a Float64Array of 12 numbers for each of ${this.#size} objects is needed, got ${poses?.length}`,
      );
    }
    if (this.#objects.length !== this.#size) this.#compact();
    this.#poses.writeAll(poses, this.#size, (position, error) => {
      throw named(this.#objects[position].id, error);
    });
  }

  /** The objects that may collide. Objects tested against themselves are always included. */
  async potentiallyCollidingSet(): Promise<PotentiallyCollidingSet> {
    return this.#enqueue((poses) => this.#query.objects(poses));
  }

  /** The pairs of triangles that meet: the same, to the bit, as by `collide` of each two objects. */
  async collide(): Promise<CulledPairs> {
    return this.#enqueue((poses) => this.#query.pairs(poses, 0));
  }

  /** The pairs of triangles no farther apart than `distance`; in doubt, a pair is among them. */
  async within(options: CullerWithinOptions): Promise<CulledPairs> {
    const distance = readLength('distance', readKnown('within', options, { distance: true }).distance);
    return this.#enqueue((poses) => this.#query.pairs(poses, distance));
  }

  /**
   * The pairs of triangles that no stage drops: all pairs within `distance`, and possibly more. For callers that decide
   * pairs themselves.
   */
  async candidates(options: CullerWithinOptions): Promise<CulledCandidates> {
    const distance = readLength('distance', readKnown('candidates', options, { distance: true }).distance);
    return this.#enqueue((poses) => this.#query.candidates(poses, distance));
  }

  /** The closest two triangles of different objects, of several the first; none if they are farther than `atMost`. */
  async distance(options: CullerDistanceOptions = {}): Promise<ClosestPair | undefined> {
    const atMost = readAtMost('atMost', readKnown('distance', options, { atMost: true }).atMost ?? Infinity);
    return this.#enqueue((poses) => this.#query.closest(poses, atMost));
  }

  /** Gives up the device's memory and the meshes made here. A query under way is rejected when it ends. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    const release = () => {
      this.#chain.dispose();
      this.#meshes.releaseAll();
    };
    if (this.#waiting === 0) release();
    else void this.#tail.then(release);
  }

  [DISPOSE](): void {
    this.dispose();
  }

  #assertLive(): void {
    if (this.#disposed) throw new ImpingeError('disposed', 'the culler was disposed');
  }

  #beforeChange(): void {
    this.#assertLive();
    if (this.#waiting > 0) {
      throw new ImpingeError(
        'busy',
        'the culler is busy with a query: until it is answered, objects can only be moved',
      );
    }
  }

  /** Closes the gaps of objects that were removed. */
  #compact(): void {
    let kept = 0;
    for (const object of this.#objects) {
      if (object.removed) continue;
      if (object.position !== kept) this.#poses.shift(object.position, kept);
      object.position = kept;
      this.#objects[kept++] = object;
    }
    this.#objects.length = kept;
  }

  /** Lets a query wait for its turn with the poses of now. */
  #enqueue<T>(run: (poses: Poses) => Promise<T>): Promise<T> {
    this.#assertLive();
    if (this.#changed) {
      this.#compact();
      this.#tables.layOut(this.#objects.slice());
      this.#changed = false;
    }
    const poses = this.#poses.borrow();
    this.#waiting++;
    const begin = async () => {
      try {
        this.#assertLive();
        this.#asked = poses;
        return await run(poses);
      } finally {
        this.#asked = undefined;
        this.#poses.giveBack(poses);
        this.#waiting--;
      }
    };
    // at once if it can: then the device is at work before the call returns
    const answer = this.#waiting === 1 ? begin() : this.#tail.then(begin);
    this.#tail = answer.catch(() => {});
    return answer;
  }
}
