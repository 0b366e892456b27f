/** Lines to look at: the boxes of a mesh's tree, the curves where two meshes meet, the way from one to the other. */
import {
  BufferAttribute,
  BufferGeometry,
  LineBasicMaterial,
  LineSegments,
  type Mesh as ThreeMesh,
} from 'three';
import { ImpingeError } from '../base/errors.js';
import { readKnown } from '../base/options.js';
import type { DistanceResult } from '../query/pair/results.js';
import { treeBoxes } from '../query/ray/tree-boxes.js';
import type { ContactsResult } from '../query/solid/contacts.js';
import { meshOf } from './mesh-of.js';

export interface LinesOptions {
  /** As three.js reads colours. */
  readonly color?: number | string;
}

/** Lines that are replaced as a whole, are never culled, and that no ray meets. */
class Lines extends LineSegments<BufferGeometry, LineBasicMaterial> {
  constructor(options: LinesOptions, color: number | string) {
    super(
      new BufferGeometry(),
      new LineBasicMaterial({ color: readKnown('lines', options, { color: true }).color ?? color }),
    );
    this.frustumCulled = false;
  }

  /** Display only: rays pass through. */
  override raycast(): void {}

  override dispose(): void {
    super.dispose?.(); // not in every version
    this.geometry.dispose();
    this.material.dispose();
  }

  /** Two points for each line, three numbers each. */
  protected draw(points: readonly number[]): void {
    this.geometry.dispose();
    this.geometry = new BufferGeometry();
    this.geometry.setAttribute('position', new BufferAttribute(Float32Array.from(points), 3));
    this.visible = points.length > 0;
  }
}

/** Corners of a box that its twelve edges join: bit k of a number is the side along axis k. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

/** The boxes of an object's tree at a depth, in the object's frame: add it to the object. */
export class TreeBoxes extends Lines {
  readonly object: ThreeMesh;

  constructor(object: ThreeMesh, depth = 6, options: LinesOptions = {}) {
    super(options, 0x2b6cb0);
    this.object = object;
    this.show(depth);
  }

  /** Draws the boxes of this depth, as they are now. */
  show(depth: number): void {
    const boxes = treeBoxes(meshOf(this.object), depth);
    const points: number[] = [];
    for (let at = 0; at < boxes.length; at += 6) {
      for (const corner of EDGES) {
        for (let k = 0; k < 3; k++) points.push(boxes[at + k + ((corner >> k) & 1 ? 3 : 0)]);
      }
    }
    this.draw(points);
  }
}

/**
 * Where two meshes meet, in the world: the curves of all regions, and from each the way to push, as long as it is deep.
 */
export class ContactLines extends Lines {
  constructor(options: LinesOptions = {}) {
    super(options, 0xd6336c);
    this.visible = false;
  }

  show(result: Pick<ContactsResult, 'regions'>): void {
    const { regions } = Object(result) as Partial<typeof result>;
    if (!Array.isArray(regions) || !regions.every((region) => Array.isArray(region?.curves))) {
      throw noResult('ContactLines', 'contacts');
    }
    const points: number[] = [];
    for (const { curves, point, normal, depth } of result.regions) {
      for (const { points: curve, closed } of curves) {
        const count = curve.length / 3;
        for (let i = 0; i < (closed ? count : count - 1); i++) {
          const next = (i + 1) % count;
          points.push(...curve.slice(3 * i, 3 * i + 3), ...curve.slice(3 * next, 3 * next + 3));
        }
      }
      if (depth > 0) points.push(...point, ...point.map((x, k) => x + depth * normal[k]));
    }
    this.draw(points);
  }
}

/** The shortest way between two meshes, in the world; invisible where there is none. */
export class DistanceLine extends Lines {
  constructor(options: LinesOptions = {}) {
    super(options, 0x2f9e44);
    this.visible = false;
  }

  show(result: DistanceResult): void {
    if (typeof result?.distance !== 'number') throw noResult('DistanceLine', 'distance');
    const { pointA, pointB } = result;
    this.draw(pointA?.length === 3 && pointB?.length === 3 ? [...pointA, ...pointB] : []);
  }
}

function noResult(name: string, query: string): ImpingeError {
  return new ImpingeError('bad-input', `${name} shows the result of ${query}`);
}
