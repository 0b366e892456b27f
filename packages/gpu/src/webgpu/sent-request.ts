/**
 * The buffers on the device while a request is answered, for all stages that cull.
 *
 * Layout of the buffers (all STORAGE):
 * - `parts`, four u32 per part: object, first triangle in the pool of corners, triangles, the object's first
 *   part.
 * - `objects`, `CullingInput.partBase`: the first part of each object, and one more entry.
 * - `table`, `CullingInput.table` as it is.
 * - `placed`, nine f32 per slot: the corners in the frame, without the margin. Triangles of a mesh are in an order of
 *   their own (geometry-pool.ts): slots here are not those of the host. Slots past the end of a part are undefined.
 * - `boxes`, two vec4f (least, greatest), the margin included: first those of the parts, then, from entry
 *   `parts` on, those of the objects, which hold the object's colour (colour.wgsl.ts) as w of the least.
 * - `state`, u32: one word per object from `objectWord` on, per part from `partWord`, per slot from `slotWord`. DROPPED
 *   is set in the word of a dropped item. Words from `tallyWord` and `blockWord` on are for sorting (sort.wgsl.ts).
 * - `ids`, `InputObject.id` of each object.
 * Invariant: an object, part or triangle is left if neither its own word nor that of its part or object has DROPPED.
 * Between stages all other bits of the words are 0, or partners' colours (settle.wgsl.ts) with `split-tree`.
 */
import type { CullingInput, CullingRequest } from '../backend.js';

export interface SentRequest {
  readonly input: CullingInput;
  readonly request: CullingRequest;
  readonly objectCount: number;
  readonly partCount: number;
  readonly slotCount: number;
  readonly parts: GPUBuffer;
  readonly objects: GPUBuffer;
  readonly ids: GPUBuffer;
  readonly table: GPUBuffer;
  readonly placed: GPUBuffer;
  readonly boxes: GPUBuffer;
  readonly state: GPUBuffer;
  readonly objectWord: number;
  readonly partWord: number;
  readonly slotWord: number;
  readonly tallyWord: number;
  readonly blockWord: number;
}
