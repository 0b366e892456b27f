// Everything deforms in every frame, then something breaks: there is nothing to keep up to date but where vertices are.
// On a GPU if there is one (in a browser: webCullingDevices), else on the CPU, with the same answers.
import { requestGpu, VisibilityCuller } from '@impinge/gpu';
import { torus } from '../lab/scenes/index.mjs';

/** WebGPU for Node is an optional package. */
async function openGpu() {
  const { create, globals } = await import('webgpu').catch(() => ({}));
  if (create === undefined) return undefined;
  globalThis.dawn = create([]); // must outlive its devices
  Object.assign(globalThis, globals);
  const { device } = await requestGpu(globalThis.dawn);
  return device?.adapterInfo.isFallbackAdapter ? undefined : device; // drivers without a GPU are slower than the CPU
}

const device = await openGpu();
const culler = new VisibilityCuller(device ?? 'cpu');
const rings = Array.from({ length: 24 }, () => culler.add(torus(1, 0.25, 32, 12)));
const { positions, indices } = torus(1, 0.25, 32, 12);

for (let frame = 0; frame < 3; frame++) {
  for (const ring of rings) {
    const angle = (ring.id * Math.PI) / 12;
    const size = 1 + 0.3 * Math.sin(frame + ring.id); // they pulse, each at its own rate
    ring.move({ translation: [9 * Math.cos(angle), 9 * Math.sin(angle), 0] });
    ring.deform(positions.map((x, k) => (k % 3 === 2 ? x / size : x * size)));
  }
  const { count, objects } = await culler.collide();
  console.log(`frame ${frame}: ${new Set(objects).size} rings, ${count} pairs of triangles`);
}
rings[0].replace({ positions, indices: indices.slice(0, indices.length / 2) }); // loses half of its triangles
rings[12].remove();
console.log(`then: ${(await culler.collide()).count} pairs`);
culler.dispose();
device?.destroy();

// > frame 0: 18 rings, 1636 pairs of triangles
// > frame 1: 18 rings, 1602 pairs of triangles
// > frame 2: 17 rings, 1446 pairs of triangles
// > then: 972 pairs
