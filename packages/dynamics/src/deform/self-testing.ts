/** Which surfaces of a context test themselves in the query under way. */
import { arena } from 'impinge/internal/base/arena.js';
import { ranges } from 'impinge/internal/kernel/schedule.js';
import type { KernelCall } from 'impinge/internal/kernel/worker-pool.js';
import { deformKernels } from './kernels.generated.js';
import { Ctx, TESTS_ITSELF } from './layout.generated.js';

type Run = [first: number, end: number];

/** The vertices of each self-testing surface. */
export function selfTestingVertices(ctx: number): Run[] {
  return selfTesting(ctx, Ctx.vertexBase);
}

/** The triangles of each self-testing surface. */
export function selfTestingTriangles(ctx: number): Run[] {
  return selfTesting(ctx, Ctx.triangleBase);
}

function selfTesting(ctx: number, bases: number): Run[] {
  const words = arena().u32();
  const flags = words[(ctx >>> 2) + Ctx.surfaceFlags] >>> 2;
  const base = words[(ctx >>> 2) + bases] >>> 2;
  const runs: Run[] = [];
  for (let s = 0; s < words[(ctx >>> 2) + Ctx.surfaceCount]; s++) {
    if ((words[flags + s] & TESTS_ITSELF) !== 0) runs.push([words[base + s], words[base + s + 1]]);
  }
  return runs;
}

/** Calls of a kernel for runs of vertices or triangles, each in about `parts` parts of them all. */
export function callsFor(
  kernel: 'judgeRings' | 'markFans' | 'writeDops' | 'writeTriangleDops',
  ctx: number,
  runs: readonly (readonly [first: number, end: number])[],
  parts: number,
): KernelCall[] {
  const total = runs.reduce((sum, [first, end]) => sum + end - first, 0);
  return runs.flatMap(([first, end]) =>
    ranges(end - first, Math.ceil((parts * (end - first)) / total)).map(([from, to]) =>
      deformKernels.call(kernel, ctx, first + from, first + to),
    ),
  );
}
