/** Backends for tests of what is around them: one that culls nothing, and one that fails. */
import { ImpingeError, type ImpingeErrorCode } from 'impinge/internal/base/errors.js';
import { intersectsTriangleTriangle } from 'impinge/internal/geometry/intersect/triangle-triangle.js';
import { relativePose } from 'impinge/internal/math/pose.js';
import { PairReader } from 'impinge/internal/mesh/pair-reader.js';
import { storedPose } from 'impinge/internal/mesh/stored-pose.js';
import {
  type Backend,
  type BackendResult,
  type CullingInput,
  type CullingRequest,
  Row,
  TABLE_STRIDE,
} from '../src/backend.js';
import type { BackendKind, CullingDevice } from '../src/types.js';

/** A backend may stand in for a device. */
export const asDevice = (backend: Backend): CullingDevice => backend as unknown as CullingDevice;

/** Drops nothing; every second pair that meets (of different objects) it knows for certain, all else is in doubt. */
export class EveryPair implements Backend {
  readonly kind: BackendKind;
  readonly description = 'all pairs';
  readonly asked: { readonly input: CullingInput; readonly request: CullingRequest }[] = [];
  disposed = 0;
  /** Requests wait for this. */
  gate: Promise<void> | undefined;

  constructor(kind: BackendKind = 'cpu') {
    this.kind = kind;
  }

  async ask(input: CullingInput, request: CullingRequest): Promise<BackendResult> {
    this.asked.push({ input: { ...input, table: input.table.slice() }, request });
    const poses = input.objects.map(({ pose }) => pose.slice());
    if (this.gate) await this.gate;
    // poses of a request stay, whatever moves meanwhile
    input.objects.forEach(({ pose }, o) => {
      if (pose.some((x, i) => x !== poses[o][i])) throw new Error(`object ${o} was moved under way`);
    });
    const meeting: number[] = [];
    const doubtful: number[] = [];
    if (request.kind === 'pairs') {
      input.objects.forEach((_, a) => {
        for (let b = a; b < input.objects.length; b++) this.#compare(input, a, b, request, meeting, doubtful);
      });
    }
    return {
      objects: Uint32Array.from(input.objects.keys()),
      meeting: shuffled(meeting),
      doubtful: shuffled(doubtful),
      stages: [],
      candidates: (meeting.length + doubtful.length) / 2,
      ms: { calls: 0, wait: 0 },
    };
  }

  #compare(
    input: CullingInput,
    a: number,
    b: number,
    request: CullingRequest,
    meeting: number[],
    doubtful: number[],
  ): void {
    if (a === b && input.table[TABLE_STRIDE * a + Row.self] !== 1) return;
    const [first, second] = [input.objects[a], input.objects[b]];
    const pose = storedPose(first.mesh, second.mesh, relativePose(first.pose, second.pose));
    const reader = new PairReader(first.mesh, second.mesh, pose);
    for (let s = 0; s < first.mesh.triangleCount; s++) {
      for (let t = a === b ? s + 1 : 0; t < second.mesh.triangleCount; t++) {
        const corners = reader.read(s, t);
        const certain =
          a !== b &&
          request.distance === 0 &&
          (s + t) % 2 === 0 &&
          intersectsTriangleTriangle(corners, 0, corners, 9);
        const slots = [input.partSize * input.partBase[a] + s, input.partSize * input.partBase[b] + t];
        (certain ? meeting : doubtful).push(...slots);
      }
    }
  }

  dispose(): void {
    this.disposed++;
  }
}

/** Pairs in another order. */
function shuffled(pairs: number[]): Uint32Array {
  const out = new Uint32Array(pairs.length);
  const count = pairs.length / 2;
  for (let i = 0; i < count; i++) {
    const j = (i * 7919 + 13) % count;
    const from = count % 7919 === 0 ? i : j;
    out[2 * i] = pairs[2 * from];
    out[2 * i + 1] = pairs[2 * from + 1];
  }
  return out;
}

/** Answers `works` requests, then fails. */
export class Failing implements Backend {
  readonly kind: BackendKind;
  readonly description: string;
  readonly #code: ImpingeErrorCode | 'other';
  readonly #works: number;
  readonly #inner = new EveryPair();
  asked = 0;
  disposed = 0;

  constructor(kind: BackendKind, code: ImpingeErrorCode | 'other', works = 0) {
    this.kind = kind;
    this.description = `fake ${kind}`;
    this.#code = code;
    this.#works = works;
  }

  async ask(input: CullingInput, request: CullingRequest): Promise<BackendResult> {
    if (this.asked++ < this.#works) return this.#inner.ask(input, request);
    if (this.#code === 'other') throw new TypeError('a mistake');
    throw new ImpingeError(this.#code, `it failed with ${this.#code}`);
  }

  dispose(): void {
    this.disposed++;
  }
}
