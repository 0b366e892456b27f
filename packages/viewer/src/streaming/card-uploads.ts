/** What is written to the card for pieces: those that lie side by side there in one go. */
import type { PieceArrays } from 'impinge/draw';
import { bake } from './bake.js';
import type { ObjectOrigins } from './object-origins.js';
import type { Place } from './places.js';
import type { Upload } from './protocol.js';

export interface CardItem {
  readonly object: number;
  readonly arrays: PieceArrays;
}

/** Of those that have a place. */
export function uploadsOf(
  items: readonly CardItem[],
  places: readonly (Place | undefined)[],
  origins: ObjectOrigins,
  poseOf: (object: number) => Float64Array,
): Upload[] {
  const uploads: Upload[] = [];
  for (let from = 0; from < items.length; ) {
    let to = from + 1;
    while (to < items.length && follows(places[to - 1], places[to])) to++;
    if (places[from]) {
      uploads.push(uploadOf(items.slice(from, to), places.slice(from, to) as Place[], origins, poseOf));
    }
    from = to;
  }
  return uploads;
}

function uploadOf(
  items: readonly CardItem[],
  places: readonly Place[],
  { origin, origins }: ObjectOrigins,
  poseOf: (object: number) => Float64Array,
): Upload {
  const [first, last] = [places[0], places[places.length - 1]];
  const vertices = last.vertexAt + last.vertices - first.vertexAt;
  const positions = new Float32Array(3 * vertices);
  const objects = new Uint32Array(vertices);
  const indices = new Uint32Array(last.indexAt + last.indices - first.indexAt);
  items.forEach(({ object, arrays }, i) => {
    const { vertexAt, indexAt } = places[i];
    const from = origin.map((x, k) => x + origins[4 * object + k]);
    const [vertexFrom, indexFrom] = [vertexAt - first.vertexAt, indexAt - first.indexAt];
    const to = { positions, objects, indices, vertexAt, vertexFrom, indexFrom };
    bake(arrays, object, poseOf(object), from, to);
  });
  const { slab, vertexAt, indexAt } = first;
  return { kind: 'upload', slab, vertexAt, positions, objects, indexAt, indices };
}

function follows(before: Place | undefined, place: Place | undefined): boolean {
  return (
    before !== undefined &&
    place !== undefined &&
    before.slab === place.slab &&
    before.vertexAt + before.vertices === place.vertexAt &&
    before.indexAt + before.indices === place.indexAt
  );
}
