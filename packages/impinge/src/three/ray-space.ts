/**
 * One raycaster's ray in the frame of one object after another: exactly the numbers three.js uses, and the intersection
 * it derives from a hit triangle. Distances along the ray differ from world distances by one factor.
 */
import {
  BackSide,
  type BufferGeometry,
  FrontSide,
  type Intersection,
  Matrix4,
  Ray,
  type Raycaster,
  type Side,
  type Mesh as ThreeMesh,
  Triangle,
  Vector2,
  Vector3,
} from 'three';
import { arena } from '../base/arena.js';
import type { Mesh } from '../mesh/mesh.js';
import { castFirst, castUnsorted, type Hit, readHit } from '../query/ray/cast.js';
import { Mode } from '../query/ray/layout.generated.js';
import { NO_TRIANGLE, RayBlock } from '../query/ray/ray-block.js';

/**
 * Relative slack: distances are compared in the world, as three.js computes them, so the kernel must find every
 * candidate.
 */
const SLACK = 1e-9;

/** A query's mesh, and the object it belongs to. */
export interface Target {
  readonly object: ThreeMesh;
  readonly mesh: Mesh;
  readonly matrixWorld: Matrix4;
  readonly geometry: BufferGeometry;
  /** The first index, or vertex where there are none, of the mesh's first triangle. */
  readonly start: number;
  /** Vertices are at the object's deformed positions rather than the geometry's. */
  readonly deformed: boolean;
}

/** By triangles. Mostly there are few of them, for which a general sort takes longer than finding them did. */
function inOrder(hits: Hit[]): Hit[] {
  if (hits.length > 32) return hits.sort((p, q) => p.triangle - q.triangle);
  for (let i = 1; i < hits.length; i++) {
    const hit = hits[i];
    let at = i;
    for (; at > 0 && hits[at - 1].triangle > hit.triangle; at--) hits[at] = hits[at - 1];
    hits[at] = hit;
  }
  return hits;
}

/** Whether the numbers that rays walk over are those of the geometry. */
function isStored({ mesh, geometry, deformed }: Target): boolean {
  const [x, y, z] = mesh.origin;
  const position = geometry.attributes['position'];
  return !deformed && x === 0 && y === 0 && z === 0 && position.array instanceof Float32Array;
}

export class RaySpace {
  readonly #raycaster: Raycaster;
  readonly #inverse = new Matrix4();
  readonly #ray = new Ray();
  readonly #a = new Vector3();
  readonly #b = new Vector3();
  readonly #c = new Vector3();
  readonly #normal = new Vector3();
  readonly #point = new Vector3();
  /** A length along the ray in the object's frame, for one of 1 in the world. */
  #shrink = 1;

  constructor(raycaster: Raycaster) {
    this.#raycaster = raycaster;
  }

  /** Takes the ray into an object's frame; false where it is none there. */
  enter(matrixWorld: Matrix4): boolean {
    const { ray } = this.#raycaster;
    const { elements: m } = this.#inverse.copy(matrixWorld).invert();
    const { x, y, z } = ray.direction;
    const u = m[0] * x + m[4] * y + m[8] * z;
    const v = m[1] * x + m[5] * y + m[9] * z;
    const w = m[2] * x + m[6] * y + m[10] * z;
    this.#shrink = Math.sqrt((u * u + v * v + w * w) / (x * x + y * y + z * z));
    const { origin, direction } = this.#ray.copy(ray).applyMatrix4(this.#inverse);
    const sum = origin.x + origin.y + origin.z + direction.x + direction.y + direction.z;
    return this.#shrink > 0 && sum - sum === 0;
  }

  /** The first triangle that may count up to a distance in the world. */
  castFirst(mesh: Mesh, faces: number, atMost: number): Hit | undefined {
    const block = RayBlock.take();
    try {
      this.#write(mesh, block, atMost);
      castFirst(mesh, block, 1, Mode.first, faces);
      const hit = readHit(block, 0);
      return hit.triangle === NO_TRIANGLE ? undefined : hit;
    } finally {
      block.release();
    }
  }

  /** All of them, by their numbers. */
  castAll(mesh: Mesh, faces: number, atMost: number): Hit[] {
    const hits: Hit[] = [];
    const block = RayBlock.take();
    try {
      this.#write(mesh, block, atMost);
      castUnsorted(mesh, block, faces, hits);
      return inOrder(hits);
    } finally {
      block.release();
    }
  }

  #write(mesh: Mesh, block: RayBlock, atMost: number): void {
    const { origin, direction } = this.#ray;
    const { near } = this.#raycaster;
    const numbers = arena().f64();
    const at = block.rays >>> 3;
    numbers[at] = origin.x - mesh.origin[0];
    numbers[at + 1] = origin.y - mesh.origin[1];
    numbers[at + 2] = origin.z - mesh.origin[2];
    numbers[at + 3] = direction.x;
    numbers[at + 4] = direction.y;
    numbers[at + 5] = direction.z;
    numbers[at + 6] = near > 0 ? near * this.#shrink * (1 - SLACK) : 0;
    numbers[at + 7] = atMost * this.#shrink * (1 + SLACK);
  }

  /** A triangle that is met, as three.js describes it; undefined where it does not count for three.js. */
  intersection(target: Target, hit: Hit, side: Side, materialIndex: number): Intersection | undefined {
    const { object, matrixWorld, geometry, start } = target;
    const { index, attributes } = geometry;
    const at = start + 3 * hit.triangle;
    const a = index ? index.getX(at) : at;
    const b = index ? index.getX(at + 1) : at + 1;
    const c = index ? index.getX(at + 2) : at + 2;
    if (hit.corners !== 0 && isStored(target)) this.#read(hit);
    else {
      this.#place(target, a, this.#a);
      this.#place(target, b, this.#b);
      this.#place(target, c, this.#c);
    }
    const local = this.#meetingPoint(side, hit.u, hit.v);
    if (local === undefined) return undefined;
    const { near, far, ray } = this.#raycaster;
    const point = local.clone().applyMatrix4(matrixWorld);
    const distance = ray.origin.distanceTo(point);
    if (distance < near || distance > far) return undefined;
    const barycoord = new Vector3();
    Triangle.getBarycoord(local, this.#a, this.#b, this.#c, barycoord);
    const found: Intersection = { distance, point, object };
    const { uv, uv1, normal } = attributes;
    if (uv) found.uv = Triangle.getInterpolatedAttribute(uv, a, b, c, barycoord, new Vector2());
    if (uv1) found.uv1 = Triangle.getInterpolatedAttribute(uv1, a, b, c, barycoord, new Vector2());
    if (normal) {
      found.normal = Triangle.getInterpolatedAttribute(normal, a, b, c, barycoord, new Vector3());
      if (found.normal.dot(this.#ray.direction) > 0) found.normal.multiplyScalar(-1);
    }
    const face = { a, b, c, normal: new Vector3(), materialIndex };
    Triangle.getNormal(this.#a, this.#b, this.#c, face.normal);
    found.face = face;
    found.barycoord = barycoord;
    found.faceIndex = Math.floor(at / 3);
    return found;
  }

  /** The corners from the tree, where the kernel has just read them. */
  #read({ corners, row }: Hit): void {
    const floats = arena().f32();
    const step = row >>> 2;
    let at = corners >>> 2;
    for (const corner of [this.#a, this.#b, this.#c]) {
      corner.set(floats[at], floats[at + step], floats[at + 2 * step]);
      at += 3 * step;
    }
  }

  #place({ object, geometry, deformed }: Target, vertex: number, out: Vector3): void {
    if (deformed) object.getVertexPosition(vertex, out);
    else out.fromBufferAttribute(geometry.attributes['position'], vertex);
  }

  /**
   * Where three.js has the ray meet the corners. A ray at an edge may miss by its rounding, though it does meet the
   * triangle: then the point of these weights.
   */
  #meetingPoint(side: Side, u: number, v: number): Vector3 | undefined {
    const a = this.#a;
    const ray = this.#ray;
    const met =
      side === BackSide
        ? ray.intersectTriangle(this.#c, this.#b, a, true, this.#point)
        : ray.intersectTriangle(a, this.#b, this.#c, side === FrontSide, this.#point);
    if (met) return met;
    const across = this.#normal
      .subVectors(this.#b, a)
      .cross(this.#point.subVectors(this.#c, a))
      .dot(ray.direction);
    if (across === 0 || (side === FrontSide && across > 0) || (side === BackSide && across < 0))
      return undefined;
    const place = this.#point.copy(a).multiplyScalar(1 - u - v);
    return place.addScaledVector(this.#b, u).addScaledVector(this.#c, v);
  }
}
