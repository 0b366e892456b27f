/**
 * The chunks of a large shape, each with the groups to cut it into. If there is a second thread, it finds the groups of
 * the next chunk while this one is cut.
 */
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import type { OtherThread } from './other-thread.js';
import { dropGroups, type Groups, groupsOf, groupsOnThread } from './split.js';

/** Both are the taker's. */
export interface CutChunk {
  readonly mesh: Mesh;
  readonly groups: Groups;
}

export async function* cutChunks(
  chunks: AsyncGenerator<Mesh>,
  most: number,
  thread: OtherThread | undefined,
): AsyncGenerator<CutChunk> {
  const grouped = async (mesh: Mesh): Promise<CutChunk> => {
    try {
      return { mesh, groups: thread ? await groupsOnThread(mesh, most, thread) : groupsOf(mesh, most) };
    } catch (error) {
      mesh.dispose();
      throw error;
    }
  };
  if (!thread) {
    for await (const mesh of chunks) yield await grouped(mesh);
    return;
  }
  const prepare = async () => {
    const { done, value } = await chunks.next();
    return done ? undefined : grouped(value);
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
      dropGroups(left.groups);
    }
    await chunks.return(undefined);
  }
}
