/**
 * Pieces on the GPU, in a few pairs of buffers, and the ranges of them to draw.
 *
 * three does not draw the ranges itself: a mesh per slab binds its buffers and its program with an empty range, and
 * then all its ranges are drawn in one call.
 */
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  GLBufferAttribute,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  RawShaderMaterial,
  Scene,
  Sphere,
  type WebGLRenderer,
} from 'three';
import { SLAB_BYTES, SLAB_INDICES, SLAB_VERTICES } from '../streaming/places.js';
import type { DrawList, DrawRanges, Upload } from '../streaming/protocol.js';
import type { BodySurface } from './types.js';

interface Slab {
  readonly mesh: Mesh;
  readonly positions: WebGLBuffer;
  readonly objects: WebGLBuffer;
  readonly indices: WebGLBuffer;
  all: DrawRanges;
  few: DrawRanges;
  /** Ranges of the next pass: from one index to before another. */
  chosen: { readonly ranges: DrawRanges; readonly from: number; readonly to: number };
}

type BufferName = 'positions' | 'objects' | 'indices';

/** Numbers per run of an upload. */
const RUN = 5;
const NONE: DrawRanges = { starts: new Int32Array(0), counts: new Int32Array(0) };

/** Missing in three's types. */
interface MultiDraw {
  multiDrawElementsWEBGL(
    mode: number,
    counts: Int32Array,
    countsFrom: number,
    type: number,
    starts: Int32Array,
    startsFrom: number,
    count: number,
  ): void;
}

export class SlabScene {
  readonly scene = new Scene();
  /** Number of draw calls so far. */
  calls = 0;
  readonly #gl: WebGL2RenderingContext;
  readonly #material = new RawShaderMaterial();
  #multiDraw: MultiDraw | null = null;
  #slabs: Slab[] = [];
  #bodies: Mesh[] = [];
  /** Of those that deform: their positions, by number. */
  readonly #shapes = new Map<number, BufferAttribute>();

  constructor(renderer: WebGLRenderer) {
    this.#gl = renderer.getContext() as WebGL2RenderingContext;
    this.scene.matrixWorldAutoUpdate = false;
    this.restore();
  }

  get bytes(): number {
    return SLAB_BYTES * this.#slabs.length;
  }

  /** Starts empty, as after a lost context. */
  restore(): void {
    this.#multiDraw = this.#gl.getExtension('WEBGL_multi_draw') as MultiDraw | null;
    this.scene.clear();
    for (const { mesh } of this.#slabs) mesh.geometry.dispose();
    this.#slabs = [];
    for (const body of this.#bodies) this.scene.add(body);
  }

  /** Sets surfaces that are drawn besides, numbered from `first` on. Those with the same triangles are one draw. */
  setBodies(surfaces: readonly BodySurface[], first: number): void {
    for (const body of this.#bodies) {
      body.geometry.dispose();
      body.removeFromParent();
    }
    this.#shapes.clear();
    const alike = new Map<BodySurface['positions'], number[]>();
    for (const [i, { positions }] of surfaces.entries()) {
      const numbers = alike.get(positions);
      if (numbers) numbers.push(first + i);
      else alike.set(positions, [first + i]);
    }
    this.#bodies = Array.from(alike.values(), (numbers) => {
      const { positions, indices, deforms } = surfaces[numbers[0] - first];
      const geometry = new InstancedBufferGeometry();
      const places = new BufferAttribute(deforms ? positions.slice() : positions, 3);
      if (deforms) for (const number of numbers) this.#shapes.set(number, places.setUsage(DynamicDrawUsage));
      geometry.setAttribute('position', places);
      geometry.setAttribute('object', new InstancedBufferAttribute(Uint32Array.from(numbers), 1));
      geometry.setIndex(new BufferAttribute(indices, 1));
      geometry.instanceCount = numbers.length;
      geometry.boundingSphere = new Sphere();
      const body = new Mesh(geometry, this.#material);
      body.frustumCulled = false;
      this.scene.add(body);
      return body;
    });
  }

  /** Deforms a body. */
  shapeBody(number: number, positions: Float32Array): void {
    const places = this.#shapes.get(number);
    if (!places) return;
    places.array.set(positions);
    places.needsUpdate = true;
  }

  upload({ runs, positions, objects, indices }: Upload): void {
    const gl = this.#gl;
    /**
     * Writes one of the three arrays to the slabs' buffers: values per cell, and the position of its cells in a run.
     */
    const write = (values: Float32Array | Uint32Array, per: number, cells: number, name: BufferName) => {
      let [from, bound] = [0, -1];
      for (let run = 0; run < runs.length; run += RUN) {
        const slab = runs[run];
        if (slab !== bound) gl.bindBuffer(gl.COPY_WRITE_BUFFER, this.#slab(slab)[name]);
        bound = slab;
        const [at, count] = [per * runs[run + cells], per * runs[run + cells + 1]];
        gl.bufferSubData(gl.COPY_WRITE_BUFFER, 4 * at, values as Float32Array<ArrayBuffer>, from, count);
        from += count;
      }
    };
    write(positions, 3, 1, 'positions');
    write(objects, 1, 1, 'objects');
    write(indices, 1, 3, 'indices');
    gl.bindBuffer(gl.COPY_WRITE_BUFFER, null);
  }

  setRanges({ slabs, few }: Pick<DrawList, 'slabs' | 'few'>): void {
    this.#slabs.forEach((slab, i) => {
      slab.all = slabs[i] ?? NONE;
      slab.few = few ? (few[i] ?? NONE) : slab.all;
    });
  }

  /**
   * Selects the ranges of the next pass: of all or of few, from number `from` on, up to about `most` indices. Returns
   * the number of the first remaining range, or undefined.
   */
  choose(isFew = false, from = 0, most = Infinity): number | undefined {
    let [first, indices] = [0, 0];
    let left: number | undefined;
    for (const slab of this.#slabs) {
      const ranges = isFew ? slab.few : slab.all;
      const { length } = ranges.counts;
      const begin = Math.min(length, Math.max(0, from - first));
      let end = begin;
      for (; end < length && indices < most; end++) indices += ranges.counts[end];
      if (end < length) left ??= first + end;
      slab.chosen = { ranges, from: begin, to: end };
      slab.mesh.visible = end > begin;
      first += length;
    }
    return left;
  }

  dispose(): void {
    for (const { geometry } of this.#bodies) geometry.dispose();
    for (const { mesh, positions, objects, indices } of this.#slabs) {
      mesh.geometry.dispose();
      for (const buffer of [positions, objects, indices]) this.#gl.deleteBuffer(buffer);
    }
    this.scene.clear();
    this.#slabs = [];
    this.#material.dispose();
  }

  #slab(number: number): Slab {
    while (this.#slabs.length <= number) this.#add();
    return this.#slabs[number];
  }

  #add(): void {
    const gl = this.#gl;
    const buffer = (target: number, bytes: number) => {
      const made = gl.createBuffer();
      gl.bindBuffer(target, made);
      gl.bufferData(target, bytes, gl.STATIC_DRAW);
      return made;
    };
    // a buffer is for indices from its first binding on; three's binding is restored
    const bound = gl.getParameter(gl.VERTEX_ARRAY_BINDING);
    gl.bindVertexArray(null);
    const indices = buffer(gl.ELEMENT_ARRAY_BUFFER, 4 * SLAB_INDICES);
    gl.bindVertexArray(bound);
    const positions = buffer(gl.COPY_WRITE_BUFFER, 12 * SLAB_VERTICES);
    const objects = buffer(gl.COPY_WRITE_BUFFER, 4 * SLAB_VERTICES);
    const geometry = new BufferGeometry();
    const attribute = (from: WebGLBuffer, type: number, size: number, count: number) =>
      new GLBufferAttribute(from, type, size, 4, count) as unknown as BufferAttribute;
    geometry.setAttribute('position', attribute(positions, gl.FLOAT, 3, SLAB_VERTICES));
    geometry.setAttribute('object', attribute(objects, gl.UNSIGNED_INT, 1, SLAB_VERTICES));
    geometry.setIndex(attribute(indices, gl.UNSIGNED_INT, 1, SLAB_INDICES));
    geometry.setDrawRange(0, 0);
    geometry.boundingSphere = new Sphere();
    const mesh = new Mesh(geometry, this.#material);
    mesh.frustumCulled = false;
    mesh.visible = false;
    const chosen = { ranges: NONE, from: 0, to: 0 };
    const slab: Slab = { mesh, positions, objects, indices, all: NONE, few: NONE, chosen };
    mesh.onAfterRender = () => this.#draw(slab);
    this.#slabs.push(slab);
    this.scene.add(mesh);
  }

  #draw({ chosen: { ranges, from, to } }: Slab): void {
    const gl = this.#gl;
    const { starts, counts } = ranges;
    const type = gl.UNSIGNED_INT;
    if (this.#multiDraw) {
      this.#multiDraw.multiDrawElementsWEBGL(gl.TRIANGLES, counts, from, type, starts, from, to - from);
      this.calls++;
      return;
    }
    for (let i = from; i < to; i++) gl.drawElements(gl.TRIANGLES, counts[i], type, starts[i]);
    this.calls += to - from;
  }
}
