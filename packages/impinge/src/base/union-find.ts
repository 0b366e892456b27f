/** Disjoint sets of small integers: near-constant time per operation, the root is the least member. */
export class UnionFind {
  readonly #parent: Uint32Array;

  constructor(count: number) {
    this.#parent = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.#parent[i] = i;
  }

  find(x: number): number {
    const parent = this.#parent;
    while (parent[x] !== x) {
      parent[x] = parent[parent[x]];
      x = parent[x];
    }
    return x;
  }

  union(x: number, y: number): void {
    const rootX = this.find(x);
    const rootY = this.find(y);
    if (rootX < rootY) this.#parent[rootY] = rootX;
    else this.#parent[rootX] = rootY;
  }
}
