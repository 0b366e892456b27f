/** Shares equal objects, which are read again with each of their clashes. */
import type { Clash } from '@impinge/model';

type ObjectInfo = Clash['a'];

export class SharedObjects {
  readonly #objects = new Map<string, ObjectInfo>();
  readonly #texts = new Map<string, string>();

  /** An object equal to this one. */
  share(object: ObjectInfo): ObjectInfo {
    const { id, name, path, type, discipline, file, storey, labels, ...measures } = object;
    const key = [id, name, path, type, discipline, file, storey, labels && JSON.stringify(labels)].join('\0');
    let known = this.#objects.get(key);
    if (known === undefined || !isSameBox(known.box, measures.box)) {
      // texts that many objects share
      const [kind, trade, origin, floor] = [type, discipline, file, storey].map((text) => this.#text(text));
      known = {
        ...{ id, name, path, type: kind, discipline: trade, file: origin, storey: floor, ...measures },
        ...(labels && { labels: this.#labels(labels) }),
      };
      this.#objects.set(key, known);
    }
    return known;
  }

  #labels(labels: NonNullable<ObjectInfo['labels']>): NonNullable<ObjectInfo['labels']> {
    const shared = Object.entries(labels).map(([kind, texts]) => [
      kind,
      texts.map((text) => this.#text(text)),
    ]);
    return Object.fromEntries(shared);
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }
}

/** Objects may agree in all their texts, and stand in different places. */
function isSameBox(p: ObjectInfo['box'], q: ObjectInfo['box']): boolean {
  return (['min', 'max'] as const).every((end) => p[end].every((x, k) => x === q[end][k]));
}
