/**
 * What is written to the card for pieces: those that lie side by side there in one go, and many of them in one message. A
 * message costs the page about as much as ten small pieces do.
 */
import type { PieceArrays } from 'impinge/draw';
import { bake } from './bake.js';
import type { ObjectOrigins } from './object-origins.js';
import { INDEX_BYTES, type Place, VERTEX_BYTES } from './places.js';
import type { Upload } from './protocol.js';

export interface CardItem {
  readonly object: number;
  readonly arrays: PieceArrays;
}

interface PlacedItem extends CardItem {
  readonly place: Place;
}

/** A message is closed when it has so much: the page must be able to pause between two. */
const MESSAGE_BYTES = 2 ** 19;

/** Of those that have a place. */
export function uploadsOf(
  items: readonly CardItem[],
  places: readonly (Place | undefined)[],
  origins: ObjectOrigins,
  poseOf: (object: number) => Float64Array,
): Upload[] {
  const uploads: Upload[] = [];
  let [open, bytes]: [PlacedItem[], number] = [[], 0];
  const close = () => {
    if (open.length > 0) uploads.push(uploadOf(open, origins, poseOf));
    [open, bytes] = [[], 0];
  };
  items.forEach((item, i) => {
    const place = places[i];
    if (!place) return;
    open.push({ ...item, place });
    bytes += VERTEX_BYTES * place.vertices + INDEX_BYTES * place.indices;
    if (bytes >= MESSAGE_BYTES) close();
  });
  close();
  return uploads;
}

function uploadOf(
  items: readonly PlacedItem[],
  { origin, origins }: ObjectOrigins,
  poseOf: (object: number) => Float64Array,
): Upload {
  const [vertices, indexCount] = (['vertices', 'indices'] as const).map((name) =>
    items.reduce((sum, { place }) => sum + place[name], 0),
  );
  const positions = new Float32Array(3 * vertices);
  const objects = new Uint32Array(vertices);
  const indices = new Uint32Array(indexCount);
  const runs: number[] = [];
  let [vertexFrom, indexFrom]: [number, number] = [0, 0];
  items.forEach(({ object, arrays, place }, i) => {
    const from = origin.map((x, k) => x + origins[4 * object + k]);
    const to = { positions, objects, indices, vertexAt: place.vertexAt, vertexFrom, indexFrom };
    bake(arrays, object, poseOf(object), from, to);
    vertexFrom += place.vertices;
    indexFrom += place.indices;
    if (follows(items[i - 1]?.place, place)) {
      runs[runs.length - 3] += place.vertices;
      runs[runs.length - 1] += place.indices;
    } else runs.push(place.slab, place.vertexAt, place.vertices, place.indexAt, place.indices);
  });
  return { kind: 'upload', runs: Uint32Array.from(runs), positions, objects, indices };
}

function follows(before: Place | undefined, place: Place): boolean {
  return (
    before !== undefined &&
    before.slab === place.slab &&
    before.vertexAt + before.vertices === place.vertexAt &&
    before.indexAt + before.indices === place.indexAt
  );
}
