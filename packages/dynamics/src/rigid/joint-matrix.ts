/**
 * The effect of joints' impulses on their speeds, as a sparse symmetric matrix: factored and solved directly.
 *
 * A node is a joint, a block the effect of one joint on another with which it shares a body. Nodes of least degree are
 * eliminated first, so that trees of joints fill no further blocks, and work grows with the number of joints. Loops
 * fill some. Diagonals are larger by a share, `GIVE`, so that joints that hold the same twice do no harm: what they
 * lack by this comes in the next round. Layout: `#values` has the blocks, rows of the later node and columns of the
 * earlier one.
 */

/** Far above rounding, and far below what any joint of a long chain gives. */
const GIVE = 1e-9;

/** The blocks below the diagonal in a column: nodes, and where their blocks begin; then where products of two go. */
interface Column {
  readonly nodes: Int32Array;
  readonly blocks: Int32Array;
  readonly products: Int32Array;
}

export class JointMatrix {
  /** By node: where its rows begin; and the number of all. */
  readonly starts: Int32Array;
  readonly #sizes: readonly number[];
  readonly #order: readonly number[];
  readonly #rank: Int32Array;
  readonly #columns: Column[] = [];
  readonly #diagonal: Int32Array;
  readonly #offsets = new Map<number, number>();
  readonly #values: Float64Array;

  /** `links` are the pairs of nodes that affect each other. */
  constructor(sizes: readonly number[], links: readonly (readonly [number, number])[]) {
    const count = sizes.length;
    this.#sizes = sizes;
    this.starts = new Int32Array(count + 1);
    for (let i = 0; i < count; i++) this.starts[i + 1] = this.starts[i] + sizes[i];
    const { order, below } = eliminate(count, links);
    this.#order = order;
    this.#rank = new Int32Array(count);
    order.forEach((node, rank) => {
      this.#rank[node] = rank;
    });
    this.#diagonal = new Int32Array(count);
    let room = 0;
    for (const node of order) {
      this.#diagonal[node] = room;
      room += sizes[node] ** 2;
      for (const other of below[node]) {
        this.#offsets.set(other * count + node, room);
        room += sizes[other] * sizes[node];
      }
    }
    this.#values = new Float64Array(room);
    for (const node of order) {
      const nodes = Int32Array.from([...below[node]].sort((p, q) => this.#rank[p] - this.#rank[q]));
      const blocks = nodes.map((other) => this.#offsets.get(other * count + node) as number);
      const products: number[] = [];
      for (let i = 0; i < nodes.length; i++) {
        for (let k = 0; k < i; k++) products.push(this.#offsets.get(nodes[i] * count + nodes[k]) as number);
        products.push(this.#diagonal[nodes[i]]);
      }
      this.#columns[node] = { nodes, blocks, products: Int32Array.from(products) };
    }
  }

  clear(): void {
    this.#values.fill(0);
  }

  /** Where the block of two nodes begins, and the distances between the rows of the first and those of the second. */
  block(i: number, k: number): readonly [at: number, perRow: number, perColumn: number] {
    if (i === k) return [this.#diagonal[i], this.#sizes[i], 1];
    const isLater = this.#rank[i] > this.#rank[k];
    const [late, early] = isLater ? [i, k] : [k, i];
    const at = this.#offsets.get(late * this.#sizes.length + early) as number;
    return isLater ? [at, this.#sizes[k], 1] : [at, 1, this.#sizes[i]];
  }

  get values(): Float64Array {
    return this.#values;
  }

  /** Replaces the matrix by its factors. */
  factor(): void {
    const a = this.#values;
    for (const node of this.#order) {
      const n = this.#sizes[node];
      const d = this.#diagonal[node];
      for (let i = 0; i < n; i++) {
        for (let k = 0; k <= i; k++) {
          let sum = a[d + n * i + k];
          if (i === k) sum *= 1 + GIVE;
          for (let j = 0; j < k; j++) sum -= a[d + n * i + j] * a[d + n * k + j];
          a[d + n * i + k] = i === k ? Math.sqrt(Math.max(sum, GIVE ** 2)) : sum / a[d + n * k + k];
        }
      }
      const { nodes, blocks, products } = this.#columns[node];
      for (let p = 0; p < nodes.length; p++) {
        const rows = this.#sizes[nodes[p]];
        for (let r = 0, at = blocks[p]; r < rows; r++, at += n) {
          for (let k = 0; k < n; k++) {
            let sum = a[at + k];
            for (let j = 0; j < k; j++) sum -= a[at + j] * a[d + n * k + j];
            a[at + k] = sum / a[d + n * k + k];
          }
        }
      }
      for (let p = 0, product = 0; p < nodes.length; p++) {
        for (let q = 0; q <= p; q++, product++)
          this.#subtract(
            blocks[p],
            this.#sizes[nodes[p]],
            blocks[q],
            this.#sizes[nodes[q]],
            n,
            products[product],
          );
      }
    }
  }

  /** At `to`, less one block times the other's transpose. */
  #subtract(p: number, rows: number, q: number, columns: number, n: number, to: number): void {
    const a = this.#values;
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) {
        let sum = 0;
        for (let k = 0; k < n; k++) sum += a[p + n * r + k] * a[q + n * c + k];
        a[to + columns * r + c] -= sum;
      }
    }
  }

  /** Replaces the speeds that are lacking by the impulses that bring them. */
  solve(x: Float64Array): void {
    const a = this.#values;
    const order = this.#order;
    for (const node of order) {
      const n = this.#sizes[node];
      const [d, at] = [this.#diagonal[node], this.starts[node]];
      for (let i = 0; i < n; i++) {
        let sum = x[at + i];
        for (let j = 0; j < i; j++) sum -= a[d + n * i + j] * x[at + j];
        x[at + i] = sum / a[d + n * i + i];
      }
      const { nodes, blocks } = this.#columns[node];
      for (let p = 0; p < nodes.length; p++) {
        const to = this.starts[nodes[p]];
        for (let r = 0, b = blocks[p]; r < this.#sizes[nodes[p]]; r++, b += n)
          for (let k = 0; k < n; k++) x[to + r] -= a[b + k] * x[at + k];
      }
    }
    for (let rank = order.length - 1; rank >= 0; rank--) {
      const node = order[rank];
      const n = this.#sizes[node];
      const [d, at] = [this.#diagonal[node], this.starts[node]];
      const { nodes, blocks } = this.#columns[node];
      for (let p = 0; p < nodes.length; p++) {
        const from = this.starts[nodes[p]];
        for (let r = 0, b = blocks[p]; r < this.#sizes[nodes[p]]; r++, b += n)
          for (let k = 0; k < n; k++) x[at + k] -= a[b + k] * x[from + r];
      }
      for (let i = n - 1; i >= 0; i--) {
        let sum = x[at + i];
        for (let j = i + 1; j < n; j++) sum -= a[d + n * j + i] * x[at + j];
        x[at + i] = sum / a[d + n * i + i];
      }
    }
  }
}

/** Nodes in the order of elimination, those of least degree first; and for each, the later ones that it affects. */
function eliminate(
  count: number,
  links: readonly (readonly [number, number])[],
): { order: number[]; below: Set<number>[] } {
  const below = Array.from({ length: count }, () => new Set<number>());
  for (const [i, k] of links) {
    if (i === k) continue;
    below[i].add(k);
    below[k].add(i);
  }
  const left = new Set<number>(below.keys());
  const order: number[] = [];
  while (left.size > 0) {
    let best = -1;
    for (const node of left) {
      if (best < 0 || below[node].size < below[best].size) best = node;
      // no node of a forest is better than a leaf
      if (below[best].size <= 1) break;
    }
    left.delete(best);
    order.push(best);
    const others = [...below[best]];
    for (const other of others) {
      below[other].delete(best);
      for (const third of others) if (third !== other) below[other].add(third);
    }
  }
  return { order, below };
}
