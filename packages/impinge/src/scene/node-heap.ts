/**
 * A heap of nodes, the greatest key first, each node at most once; keys may rise while a node waits.
 *
 * Invariant: the key of a place is at most that of the place (at − 1) >> 1; place[node] − 1 is where a node stands.
 */
export class NodeHeap {
  length = 0;
  readonly #nodes: Uint32Array;
  readonly #keys: Float64Array; // by place
  readonly #place: Uint32Array; // 0: not here

  constructor(nodeCount: number) {
    this.#nodes = new Uint32Array(nodeCount);
    this.#keys = new Float64Array(nodeCount);
    this.#place = new Uint32Array(nodeCount);
  }

  /** Adds a node, or raises its key. */
  raise(node: number, key: number): void {
    const keys = this.#keys;
    const nodes = this.#nodes;
    const place = this.#place;
    let at = place[node] === 0 ? this.length++ : place[node] - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent] >= key) break;
      keys[at] = keys[parent];
      nodes[at] = nodes[parent];
      place[nodes[at]] = at + 1;
      at = parent;
    }
    keys[at] = key;
    nodes[at] = node;
    place[node] = at + 1;
  }

  /** The node with the greatest key; there must be one. */
  get first(): number {
    return this.#nodes[0];
  }

  /** Takes out the node with the greatest key; −1 if there is none. */
  pop(): number {
    if (this.length === 0) return -1;
    const keys = this.#keys;
    const nodes = this.#nodes;
    const place = this.#place;
    const popped = nodes[0];
    place[popped] = 0;
    const last = --this.length;
    if (last === 0) return popped;
    const key = keys[last];
    const node = nodes[last];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= last) break;
      if (child + 1 < last && keys[child + 1] > keys[child]) child++;
      if (keys[child] <= key) break;
      keys[at] = keys[child];
      nodes[at] = nodes[child];
      place[nodes[at]] = at + 1;
      at = child;
    }
    keys[at] = key;
    nodes[at] = node;
    place[node] = at + 1;
    return popped;
  }
}
