/**
 * The order in which to test the edges of a component that fits into memory: breadth first from the node of highest
 * degree, neighbours by falling degree. Nodes prefetched in this order are used soon and often.
 */
import type { OverlapGraph } from './overlap-graph.js';

/** Walks over components of one graph; `visit` appends to `edges`, `nodes`. */
export class AccessOrder {
  readonly edges: Uint32Array;
  readonly nodes: Uint32Array;
  edgeCount = 0;
  nodeCount = 0;
  readonly #graph: OverlapGraph;
  readonly #seen: Uint8Array;
  readonly #done: Uint8Array;

  constructor(graph: OverlapGraph) {
    this.#graph = graph;
    this.edges = new Uint32Array(graph.edgeCount);
    this.nodes = new Uint32Array(graph.nodeCount);
    this.#seen = new Uint8Array(graph.nodeCount);
    this.#done = new Uint8Array(graph.edgeCount);
  }

  /** Appends the component that consists of these nodes. */
  visit(component: Uint32Array): void {
    const { first, neighbour, edge } = this.#graph;
    const { nodes, edges } = this;
    const degree = (n: number) => first[n + 1] - first[n];
    let root = component[0];
    for (const n of component) if (degree(n) > degree(root)) root = n;
    let at = this.nodeCount;
    nodes[this.nodeCount++] = root;
    this.#seen[root] = 1;
    for (; at < this.nodeCount; at++) {
      const node = nodes[at];
      const places: number[] = [];
      for (let k = first[node]; k < first[node + 1]; k++) if (!this.#done[edge[k]]) places.push(k);
      places.sort((s, t) => degree(neighbour[t]) - degree(neighbour[s]) || s - t);
      for (const k of places) {
        this.#done[edge[k]] = 1;
        edges[this.edgeCount++] = edge[k];
        if (this.#seen[neighbour[k]]) continue;
        this.#seen[neighbour[k]] = 1;
        nodes[this.nodeCount++] = neighbour[k];
      }
    }
  }
}
