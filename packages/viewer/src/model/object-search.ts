/** Finds objects by words in their names, types, ids, labels and properties. Runs in a worker. */
import type { StoredModel } from '@impinge/model';
import { wordsOf } from '../../../ui/src/text.js';
import type { Found } from './object-columns.js';

/** Properties are not searched if they have more bytes. */
const PROPERTIES_MAX = 64 * 2 ** 20;
/** Maximum size of a read. */
const CHUNK_BYTES = 4 * 2 ** 20;

export class ObjectSearch {
  readonly #model: StoredModel;
  #texts: string[] | undefined;
  #properties: Promise<string[] | undefined> | undefined;

  constructor(model: StoredModel) {
    this.#model = model;
  }

  /** Objects that contain all words, in order. */
  async find(text: string): Promise<Found> {
    const words = wordsOf(text);
    const texts = (this.#texts ??= this.#readTexts());
    const properties = await (this.#properties ??= this.#readProperties());
    const found: number[] = [];
    for (let object = 0; object < texts.length; object++) {
      const own = texts[object];
      const more = properties?.[object] ?? '';
      if (words.every((word) => own.includes(word) || more.includes(word))) found.push(object);
    }
    return { objects: Uint32Array.from(found), withProperties: properties !== undefined };
  }

  #readTexts(): string[] {
    return Array.from({ length: this.#model.objectCount }, (_, object) => {
      const { labels = {}, name, path, id, type, discipline, file, storey } = this.#model.object(object);
      const said = [name, path, id, type, discipline, file, storey, ...Object.values(labels).flat()];
      return said.join('\n').toLowerCase();
    });
  }

  /** Properties are mostly contiguous, so few requests read all of them. */
  async #readProperties(): Promise<string[] | undefined> {
    const { objectPropertiesByteOffset: at, objectPropertiesBytes: bytes } = this.#model.directory;
    const order = [...bytes.keys()].filter((object) => bytes[object] > 0).sort((p, q) => at[p] - at[q]);
    if (order.reduce((sum, object) => sum + bytes[object], 0) > PROPERTIES_MAX) return undefined;
    const texts: string[] = new Array(bytes.length).fill('');
    const decoder = new TextDecoder();
    for (let i = 0; i < order.length; ) {
      const first = at[order[i]];
      let end = first + bytes[order[i]];
      let next = i + 1;
      while (
        next < order.length &&
        at[order[next]] <= end &&
        at[order[next]] + bytes[order[next]] - first <= CHUNK_BYTES
      ) {
        end = Math.max(end, at[order[next]] + bytes[order[next]]);
        next++;
      }
      const chunk = new Uint8Array(end - first);
      await this.#model.source.read(first, [chunk]);
      for (; i < next; i++) {
        const from = at[order[i]] - first;
        texts[order[i]] = decoder.decode(chunk.subarray(from, from + bytes[order[i]])).toLowerCase();
      }
    }
    return texts;
  }
}
