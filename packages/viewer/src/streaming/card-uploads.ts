/**
 * Uploads of pieces: adjacent ones in one run, and many in one message, even if they were read separately. A message
 * costs the page about as much as ten small pieces.
 */
import type { PieceArrays } from '@impinge/model';
import { bake } from './bake.js';
import type { ObjectOrigins } from './object-origins.js';
import { bytesOf, type Place } from './places.js';
import type { Upload } from './protocol.js';

export interface CardItem {
  readonly object: number;
  readonly arrays: PieceArrays;
}

interface PlacedItem extends CardItem {
  readonly place: Place;
}

/** Size limit of a message: the page must be able to pause between two. */
const MESSAGE_BYTES = 2 ** 19;

/** Collects pieces for messages. */
export class CardUploads {
  readonly #origins: ObjectOrigins;
  readonly #poseOf: (object: number) => Float64Array;
  readonly #send: (upload: Upload) => void;
  #open: PlacedItem[] = [];
  #bytes = 0;

  constructor(
    origins: ObjectOrigins,
    poseOf: (object: number) => Float64Array,
    send: (upload: Upload) => void,
  ) {
    this.#origins = origins;
    this.#poseOf = poseOf;
    this.#send = send;
  }

  add(item: CardItem, place: Place): void {
    this.#open.push({ ...item, place });
    this.#bytes += bytesOf(place);
    if (this.#bytes >= MESSAGE_BYTES) this.flush();
  }

  /** Sends the collected pieces. */
  flush(): void {
    if (this.#open.length > 0) this.#send(uploadOf(this.#open, this.#origins, this.#poseOf));
    this.forget();
  }

  /** Discards the collected pieces. */
  forget(): void {
    [this.#open, this.#bytes] = [[], 0];
  }
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
