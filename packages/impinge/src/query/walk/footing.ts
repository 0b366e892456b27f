/**
 * What a character can walk on: contacts that are flat enough.
 *
 * A round foot climbs low edges as if they were slopes. So where it touches an edge or a corner, the triangles there
 * count: what faces the motion must be flat enough itself, or it is a step.
 */
import type { Vec3 } from '../../math/pose.js';
import type { Scene } from '../../scene/scene.js';
import { cornersOf, toWorld } from '../shape/find-triangles.js';
import { trianglesInShape } from '../shape/meets-shape.js';
import { readPlace } from '../shape/mesh-place.js';
import type { ShapeContact } from '../shape/sweep-shape.js';
import { cross, dot, plus, unit } from './vectors.js';

/** Of cosines: more than rounding does to normals. */
const SAME = 1e-8;
/** Of the skin: how far from a contact triangles count as being there. */
const AT_CONTACT = 1 / 16;

export class Footing {
  readonly #up: Vec3;
  readonly #flattest: number;
  readonly #near: number;

  constructor(up: Vec3, maxSlope: number, skin: number) {
    this.#up = up;
    this.#flattest = Math.cos(maxSlope) - SAME;
    this.#near = AT_CONTACT * skin;
  }

  /** Whether a contact with this normal holds a character. */
  holds(normal: Vec3): boolean {
    return dot(normal, this.#up) >= this.#flattest;
  }

  /** Whether a motion in a direction goes up a contact as up a slope. */
  isSlope(contact: ShapeContact<Scene>, direction: Vec3): boolean {
    const { normal } = contact;
    if (!this.holds(normal)) return false;
    const against = -dot(normal, direction);
    if (against <= SAME || Math.abs(dot(this.#faceNormal(contact, contact.triangle), normal)) > 1 - SAME)
      return true;
    // the triangle that faces the motion most: at a border, none faces it as much as the contact does
    let steepest: Vec3 | undefined;
    for (const triangle of this.#trianglesAt(contact)) {
      const face = this.#faceNormal(contact, triangle);
      if (!steepest || dot(face, direction) < dot(steepest, direction)) steepest = face;
    }
    return steepest !== undefined && -dot(steepest, direction) >= against - SAME && this.holds(steepest);
  }

  /** Whether some of what is touched would hold a character itself. */
  isEdgeOfGround(contact: ShapeContact<Scene>): boolean {
    return this.#trianglesAt(contact).some((triangle) => this.holds(this.#faceNormal(contact, triangle)));
  }

  #trianglesAt({ object, point }: ShapeContact<Scene>): Uint32Array {
    return trianglesInShape(object.mesh, { centre: point, radius: this.#near }, { pose: object.pose });
  }

  /** Of a triangle of the object that is touched, to the side of the contact's normal. */
  #faceNormal({ object, normal }: ShapeContact<Scene>, triangle: number): Vec3 {
    const { mesh, pose } = object;
    const t = toWorld(cornersOf(mesh, triangle), mesh, readPlace(pose));
    const [a, b, c] = [0, 3, 6].map((i) => t.subarray(i, i + 3));
    const face = unit(cross(plus(b, a, -1), plus(c, a, -1)));
    return dot(face, normal) < 0 ? [-face[0], -face[1], -face[2]] : face;
  }
}
