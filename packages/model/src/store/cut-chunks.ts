/**
 * The chunks of a large shape, each with the pieces to cut it into. If there is a second thread, it finds the pieces of
 * the next chunk while this one is cut.
 */
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import type { OtherThread } from './other-thread.js';
import { dropRanges, type PieceRanges, rangesOf, rangesOnThread } from './split.js';

/** Both are the taker's. */
export interface CutChunk {
  readonly mesh: Mesh;
  readonly pieces: PieceRanges;
}

export async function* cutChunks(
  chunks: AsyncGenerator<Mesh>,
  most: number,
  thread: OtherThread | undefined,
): AsyncGenerator<CutChunk> {
  const divided = async (mesh: Mesh): Promise<CutChunk> => {
    try {
      return { mesh, pieces: thread ? await rangesOnThread(mesh, most, thread) : rangesOf(mesh, most) };
    } catch (error) {
      mesh.dispose();
      throw error;
    }
  };
  if (!thread) {
    for await (const mesh of chunks) yield await divided(mesh);
    return;
  }
  const prepare = async () => {
    const { done, value } = await chunks.next();
    return done ? undefined : divided(value);
  };
  let next = prepare();
  try {
    for (let chunk = await next; chunk; chunk = await next) {
      next = prepare();
      next.catch(() => {}); // reported when awaited
      yield chunk;
    }
  } finally {
    const left = await next.catch(() => undefined);
    if (left) {
      left.mesh.dispose();
      dropRanges(left.pieces);
    }
    await chunks.return(undefined);
  }
}
