/**
 * The bodies of a simulation as a scene, where they are now: every question of impinge can be asked about it.
 *
 * Bodies that keep their shape are meshes with poses, which those of one shape share; soft ones have their vertices
 * set. It is brought up to date when it is asked for, and only where bodies have moved. Sensors and stored bodies are
 * not in it.
 */
import { IDENTITY, posePoint, type Vec3 } from 'impinge/internal/math/pose.js';
import { isClosed } from 'impinge/internal/mesh/closed.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { collide } from 'impinge/internal/query/pair/collide.js';
import { pointsInMesh } from 'impinge/internal/query/scene/ask-points.js';
import { contains } from 'impinge/internal/query/solid/containment.js';
import { Scene, type SceneObject } from 'impinge/internal/scene/scene.js';
import type { Body } from './body.js';
import type { PairFilter } from './pair-filter.js';
import { RigidBody } from './rigid-body.js';
import { writeMatrix } from './rotation.js';
import { Scenery } from './scenery.js';

/** More than rounding to float32 takes off a box, relative to its coordinates. */
const ROUNDING = 2 ** -22;

interface Placed {
  readonly mesh: Mesh;
  readonly object: SceneObject | undefined;
  readonly pose: Float64Array;
  /** The step that its vertices are from. */
  step: number;
}

export class WorldView {
  readonly #filter: PairFilter;
  readonly #scene = new Scene();
  readonly #placed = new Map<Body, Placed>();
  readonly #meshes = new Map<object, { readonly mesh: Mesh; uses: number }>();
  readonly #closed = new WeakMap<Mesh, boolean>();

  constructor(filter: PairFilter) {
    this.#filter = filter;
  }

  /** The scene of these bodies after so many steps. */
  sceneOf(bodies: readonly Body[], step: number): Scene {
    const there = new Set(bodies);
    for (const body of this.#placed.keys()) if (!there.has(body)) this.#leave(body);
    for (const body of bodies) if (body.indices.length > 0) this.#place(body, step);
    return this.#scene;
  }

  /**
   * Of the bodies in the scene, which was asked for, those that a body may note (pair-filter.ts), and that meet it, as
   * closed sets, or are inside it, or it inside them.
   */
  overlapping(body: Body): Body[] {
    const own = this.#placed.get(body);
    if (!own) return [];
    const { min, max, slack } = boxOf(body);
    return this.#scene
      .near({ min, max }, slack)
      .filter((object) => {
        const other = bodyOf(object);
        return other !== body && this.#filter.match(body, other) && this.#overlap(own, object);
      })
      .map(bodyOf);
  }

  /** Pairs of a sensor and a body in it, of which one can move. */
  *overlaps(bodies: readonly Body[], step: number): Generator<[Body, Body]> {
    const sensors = bodies.filter(({ touch }) => touch?.sensor);
    if (sensors.length > 0) this.sceneOf(bodies, step);
    for (const sensor of sensors)
      for (const other of this.overlapping(sensor))
        if (sensor.kind === 'dynamic' || other.kind === 'dynamic') yield [sensor, other];
  }

  dispose(): void {
    for (const body of this.#placed.keys()) this.#leave(body);
  }

  #overlap({ mesh: a, pose }: Placed, { mesh: b, pose: poseB }: SceneObject): boolean {
    const poses = { poseA: pose, poseB };
    const [closedA, closedB] = [this.#isClosed(a), this.#isClosed(b)];
    if (closedA && closedB) return contains(a, b, poses).relation !== 'disjoint';
    if (collide(a, b, { ...poses, mode: 'any' }).colliding) return true;
    // what does not meet a surface is inside it or not, piece by piece
    const inside = (solid: Mesh, place: Float64Array, other: Mesh, of: Float64Array) =>
      pointsInMesh(solid, worldPoints(other, of), { pose: place }).some((side) => side >= 0);
    return (closedA && inside(a, pose, b, poseB)) || (closedB && inside(b, poseB, a, pose));
  }

  #isClosed(mesh: Mesh): boolean {
    const known = this.#closed.get(mesh) ?? isClosed(mesh);
    this.#closed.set(mesh, known);
    return known;
  }

  #place(body: Body, step: number): void {
    const pose = poseOf(body);
    const placed = this.#placed.get(body);
    if (!placed) {
      const mesh = this.#meshOf(body);
      const options = { name: body.name, pose, userData: body };
      const object = body.touch?.sensor ? undefined : this.#scene.add(mesh, options);
      this.#placed.set(body, { mesh, object, pose, step });
      return;
    }
    if (pose.some((x, k) => x !== placed.pose[k])) {
      placed.pose.set(pose);
      placed.object?.move(pose);
    }
    if (!keepsShape(body) && body.kind !== 'fixed' && placed.step !== step)
      placed.mesh.setPositions(body.positions);
    placed.step = step;
  }

  #leave(body: Body): void {
    const { object } = this.#placed.get(body) as Placed;
    object?.remove();
    this.#placed.delete(body);
    const known = this.#meshes.get(keyOf(body));
    if (!known || --known.uses > 0) return;
    this.#meshes.delete(keyOf(body));
    known.mesh.dispose();
  }

  #meshOf(body: Body): Mesh {
    const { name, indices } = body;
    const key = keyOf(body);
    const positions =
      body instanceof RigidBody ? body.shape.positions : body instanceof Scenery ? body.rest : body.positions;
    const known = this.#meshes.get(key) ?? { mesh: Mesh.from({ name, positions, indices }), uses: 0 };
    known.uses++;
    this.#meshes.set(key, known);
    return known.mesh;
  }
}

function bodyOf({ userData }: SceneObject): Body {
  return userData as Body;
}

function keepsShape(body: Body): boolean {
  return body instanceof RigidBody || body instanceof Scenery;
}

function keyOf(body: Body): object {
  return body instanceof RigidBody ? body.shape : body;
}

/** Where the surface of a body as it was made is now; soft ones are where their vertices are. */
function poseOf(body: Body): Float64Array {
  const pose = IDENTITY.slice();
  if (body instanceof Scenery) pose.set(body.pose);
  if (!(body instanceof RigidBody)) return pose;
  const { centre, rotation } = body.state;
  const [x, y, z] = body.shape.mass.centre;
  writeMatrix(rotation, 0, pose, 0);
  for (let k = 0; k < 3; k++)
    pose[9 + k] = centre[k] - (pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z);
  return pose;
}

function boxOf({ positions }: Body): { min: Vec3; max: Vec3; slack: number } {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    min[i % 3] = Math.min(min[i % 3], positions[i]);
    max[i % 3] = Math.max(max[i % 3], positions[i]);
  }
  return { min, max, slack: ROUNDING * Math.max(...min.map(Math.abs), ...max.map(Math.abs)) };
}

/** The vertices of a mesh, where it is. */
function worldPoints({ storedPositions: x, origin }: Mesh, pose: Float64Array): Float64Array {
  const points = new Float64Array(x.length);
  for (let i = 0; i < x.length; i += 3)
    posePoint(pose, x[i] + origin[0], x[i + 1] + origin[1], x[i + 2] + origin[2], points, i);
  return points;
}
