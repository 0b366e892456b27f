/**
 * Which contacts of bodies on frames are worth having. Two such bodies touch in hundreds of places, but have few nodes to
 * move: of all contacts whose elements lie nearest to the same two nodes, the one that would come nearest will do.
 */
import { type ContactEvents, VERTEX_FACE } from '../deform/types.js';
import type { ContactRow, Participant } from './contact-row.js';

/** Room for the second of two mass numbers in a key. */
const KEY_BASE = 2 ** 26;

/** One byte per event, 1 for those to take, or nothing if all are; those between bodies without frames always are. */
export function selectContacts(row: ContactRow, events: ContactEvents): Uint8Array | undefined {
  const { participants, places, end } = row;
  if (!participants.some(({ body }) => body.frame)) return undefined;
  const { count, kinds, surfaces, vertices, weights, normals } = events;
  const taken = new Uint8Array(count);
  const nearest = new Map<number, number>();
  const gaps = new Float64Array(count);
  for (let e = 0; e < count; e++) {
    const first = participants[places[surfaces[2 * e]]];
    const second = participants[places[surfaces[2 * e + 1]]];
    taken[e] = 1;
    if (!first.body.frame && !second.body.frame) continue;
    const vertexFace = kinds[e] === VERTEX_FACE;
    const u = weights[2 * e];
    const v = weights[2 * e + 1];
    const v0 = first.offset + vertices[4 * e];
    const v1 = (vertexFace ? second : first).offset + vertices[4 * e + 1];
    const v2 = second.offset + vertices[4 * e + 2];
    const v3 = second.offset + vertices[4 * e + 3];
    for (let k = 0; k < 3; k++) {
      const gap = vertexFace
        ? end[3 * v0 + k] - (1 - u - v) * end[3 * v1 + k] - u * end[3 * v2 + k] - v * end[3 * v3 + k]
        : (1 - u) * end[3 * v0 + k] + u * end[3 * v1 + k] - (1 - v) * end[3 * v2 + k] - v * end[3 * v3 + k];
      gaps[e] += normals[3 * e + k] * gap;
    }
    const kind = vertexFace ? 0 : 1;
    const key = 2 * (KEY_BASE * nodeOf(first, vertices[4 * e]) + nodeOf(second, vertices[4 * e + 3])) + kind;
    const rival = nearest.get(key);
    if (rival !== undefined && gaps[rival] <= gaps[e]) taken[e] = 0;
    else {
      if (rival !== undefined) taken[rival] = 0;
      nearest.set(key, e);
    }
  }
  return taken;
}

/** The mass that a vertex follows most closely; for scenery, all of it counts as one. */
function nodeOf({ body, massOffset }: Participant, vertex: number): number {
  const { frame } = body;
  if (!frame) return body.kind === 'dynamic' ? massOffset + vertex : massOffset;
  let best = frame.start[vertex];
  for (let i = best + 1; i < frame.start[vertex + 1]; i++)
    if (frame.weights[i] > frame.weights[best]) best = i;
  return massOffset + frame.nodes[best];
}
