/**
 * From hits in the numbers of the table to events in those of their surfaces.
 *
 * The buffers of the answer lie on the heap and are used again; hits of the kernels are put in order by kernels
 * (kernels/deform/events.ts) in the arena and copied over, those of brute force are written directly.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { COLUMN_BYTES, type EventColumns } from './event-order.js';
import { type HitList, VALUES } from './hit-list.js';
import { EDGE_EDGE, NO_FACE, VERTEX_FACE } from './layout.generated.js';
import type { SurfaceTable } from './surface-table.js';
import type { ContactEvents, DeformStats } from './types.js';

export class EventBuffers {
  #kinds = new Uint8Array(0);
  #surfaces = new Uint32Array(0);
  #vertices = new Uint32Array(0);
  #faces = new Uint32Array(0);
  #times = new Float64Array(0);
  #weights = new Float64Array(0);
  #normals = new Float64Array(0);

  /** Writes all hits in their order. Overwrites the result of earlier calls. */
  write(table: SurfaceTable, vertexFace: HitList, edgeEdge: HitList, stats: DeformStats): ContactEvents {
    this.#reserve(vertexFace.count + edgeEdge.count);
    this.#writeList(table, vertexFace, 0);
    this.#writeList(table, edgeEdge, vertexFace.count);
    return this.#answer(vertexFace.count, edgeEdge.count, stats);
  }

  /** Copies events that are in order already. Overwrites the result of earlier calls. */
  copy({ vertexFaceCount, edgeEdgeCount, addresses }: EventColumns, stats: DeformStats): ContactEvents {
    const count = vertexFaceCount + edgeEdgeCount;
    this.#reserve(count);
    const lists = [this.#surfaces, this.#vertices, this.#faces, this.#times, this.#weights, this.#normals];
    lists.forEach((list, i) => {
      const memory = list instanceof Uint32Array ? arena().u32() : arena().f64();
      const [at, bytes] = [addresses[i], COLUMN_BYTES[i] * count];
      list.set(memory.subarray(at / list.BYTES_PER_ELEMENT, (at + bytes) / list.BYTES_PER_ELEMENT));
    });
    return this.#answer(vertexFaceCount, edgeEdgeCount, stats);
  }

  #answer(vertexFaceCount: number, edgeEdgeCount: number, stats: DeformStats): ContactEvents {
    const count = vertexFaceCount + edgeEdgeCount;
    this.#kinds.fill(VERTEX_FACE, 0, vertexFaceCount).fill(EDGE_EDGE, vertexFaceCount, count);
    return {
      count,
      kinds: this.#kinds.subarray(0, count),
      surfaces: this.#surfaces.subarray(0, 2 * count),
      vertices: this.#vertices.subarray(0, 4 * count),
      faces: this.#faces.subarray(0, count),
      times: this.#times.subarray(0, count),
      weights: this.#weights.subarray(0, 2 * count),
      normals: this.#normals.subarray(0, 3 * count),
      stats,
    };
  }

  #reserve(count: number): void {
    if (count <= this.#kinds.length) return;
    const capacity = Math.max(256, Math.ceil(1.25 * count));
    this.#kinds = new Uint8Array(capacity);
    this.#surfaces = new Uint32Array(2 * capacity);
    this.#vertices = new Uint32Array(4 * capacity);
    this.#faces = new Uint32Array(capacity);
    this.#times = new Float64Array(capacity);
    this.#weights = new Float64Array(2 * capacity);
    this.#normals = new Float64Array(3 * capacity);
  }

  #writeList(table: SurfaceTable, hits: HitList, from: number): void {
    const { quads, faces, values } = hits;
    const { surfaceOfVertex, vertexBase, triangleBase, surfaces } = table;
    const order = hits.sorted();
    for (let k = 0, at = from; k < order.length; k++, at++) {
      const i = order[k];
      const face = faces[i];
      const own = face === NO_FACE ? 2 : 1; // number of vertices of the first element
      const a = surfaceOfVertex[quads[4 * i]];
      const b = surfaceOfVertex[quads[4 * i + 3]];
      this.#surfaces[2 * at] = surfaces[a].id;
      this.#surfaces[2 * at + 1] = surfaces[b].id;
      for (let c = 0; c < 4; c++) {
        this.#vertices[4 * at + c] = quads[4 * i + c] - vertexBase[c < own ? a : b];
      }
      this.#faces[at] = face === NO_FACE ? NO_FACE : face - triangleBase[b];
      this.#times[at] = values[VALUES * i];
      this.#weights[2 * at] = values[VALUES * i + 1];
      this.#weights[2 * at + 1] = values[VALUES * i + 2];
      for (let c = 0; c < 3; c++) this.#normals[3 * at + c] = values[VALUES * i + 3 + c];
    }
  }
}
