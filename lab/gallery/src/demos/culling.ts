/** Thousands of objects of one shape; a culler finds the colliding ones, optionally after culling by visibility. */
import { type CullingStage, VisibilityCuller, webCullingDevices } from '@impinge/gpu';
import { movingCylinders } from '@impinge/scenes/gpu';
import { Mesh } from 'impinge';
import type { Demo, Frame } from '../protocol.js';

const TRIANGLES = 200;
const PAPER_STAGES: readonly CullingStage[] = ['objects', 'triangles'];

export const cullingDemo: Demo = {
  async start({ count, density, visibility }) {
    const scene = movingCylinders({ count, density, triangles: TRIANGLES });
    const devices = await webCullingDevices();
    const culler = new VisibilityCuller(devices, {
      stages: visibility === 1 ? PAPER_STAGES : [],
      now: () => performance.now(),
      onFallback: () => {},
    });
    const { positions, indices } = scene.objects[0];
    const mesh = Mesh.from({ positions, indices });
    for (let i = 0; i < count; i++) culler.add(mesh);
    let isFirst = true;
    return {
      async step(): Promise<Frame> {
        scene.step();
        const began = performance.now();
        culler.moveAll(scene.poses);
        const { objects, count: pairs, stats } = await culler.collide();
        const total = performance.now() - began;
        const isHit = new Uint8Array(count);
        for (const object of objects) isHit[object] = 1;
        const { calls, wait, exact } = stats.ms!;
        const shape = isFirst ? { positions: positions.slice(), indices: indices.slice() } : undefined;
        isFirst = false;
        const stage = stats.stages.at(-1);
        return {
          ...{ surfaces: [], gone: [], look: { centre: [0.5, 0.5, 0.5], radius: 0.75 } },
          instances: { ...(shape && { shape }), matrices: matricesOf(scene.poses), isHit },
          stages: [
            ['tables', calls],
            ['culling', wait],
            ['exact', exact],
          ],
          figures: [
            ['Runs on', stats.backend],
            ['Triangles', stats.triangles.toLocaleString('en')],
            [
              'Left by visibility',
              stage
                ? `${stage.kept.toLocaleString('en')} of ${stage.of.toLocaleString('en')} ${stage.stage}`
                : 'not asked',
            ],
            ['Pairs of triangles', pairs.toLocaleString('en')],
            ['Objects that meet', isHit.reduce((sum, hit) => sum + hit, 0).toLocaleString('en')],
            ['A frame', `${total.toFixed(1)} ms`],
          ],
        };
      },
      dispose() {
        culler.dispose();
        mesh.dispose();
      },
    };
  },
};

/** Converts row-major poses of twelve numbers to column-major matrices of sixteen. */
function matricesOf(poses: Float64Array): Float32Array {
  const count = poses.length / 12;
  const matrices = new Float32Array(16 * count);
  for (let i = 0; i < count; i++) {
    const [from, to] = [12 * i, 16 * i];
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        matrices[to + 4 * column + row] = poses[from + 3 * row + column];
      }
      matrices[to + 12 + row] = poses[from + 9 + row];
    }
    matrices[to + 15] = 1;
  }
  return matrices;
}
