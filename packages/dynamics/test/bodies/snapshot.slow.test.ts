/** A snapshot that another process takes over: what is built, with memory laid out otherwise. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Runs code after a scene has been made, in a process of its own; what it prints. */
function printed(code: string, ...args: string[]): string {
  const scene = `
    import { cloth, fixedBody, rigidBody, Simulation, storedBody } from '@impinge/dynamics';
    import { buildLevels } from '@impinge/model';
    import { Mesh } from 'impinge';
    const grid = Array.from({ length: 64 }, (_, i) => [(i % 8) / 10 - 0.4, 0.9, (i >> 3) / 10 - 0.4]).flat();
    const faces = Array.from({ length: 49 }, (_, i) => (i % 7) + 8 * Math.floor(i / 7))
      .flatMap((a) => [a, a + 8, a + 1, a + 1, a + 8, a + 9]);
    const stone = Mesh.from({ name: 'stone', indices: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
      positions: [0, 0, 0, 0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4] });
    const model = await buildLevels(stone);
    async function withStored() {
      const simulation = new Simulation({ dt: 1 / 100, thickness: 0.004, contacts: { error: 0.002 } });
      simulation.add(fixedBody({ positions: [-9, 0, -9, 9, 0, -9, 0, 0, 9], indices: [0, 2, 1] }));
      for (let i = 0; i < 2; i++) {
        const position = [0.1, 0.15 + 0.45 * i, 0.1];
        simulation.add(await storedBody(model, { name: 'stone ' + i, position, spin: [1, i, 0] }));
      }
      return simulation;
    }
    function make() {
      const simulation = new Simulation({ dt: 1 / 100, thickness: 0.004 });
      simulation.add(fixedBody({ positions: [-9, 0, -9, 9, 0, -9, 0, 0, 9], indices: [0, 2, 1] }));
      const crate = rigidBody({ min: [-0.1, -0.1, -0.1], max: [0.1, 0.1, 0.1] });
      for (let i = 0; i < 4; i++) {
        const position = [0.05 * i - 0.1, 0.11 + 0.3 * i + (i > 2 ? 0.1 : 0), 0.03 * i];
        simulation.add(crate.copy({ position, spin: [i, 2, 3] }));
      }
      simulation.add(cloth({ positions: grid.map((x, k) => k % 3 === 1 ? x + 0.6 : x), indices: faces }));
      return simulation;
    }
    const end = (simulation) => {
      for (let step = 0; step < 40; step++) simulation.step();
      return simulation.bodies.map(({ positions, state }) => Array.from(state?.numbers ?? positions).join()).join(' ');
    };`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', scene + code, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
}

test.each(['make', 'withStored'])('%s: goes on bit for bit', (make) => {
  const [bytes, went] = printed(`
    const simulation = await ${make}();
    for (let step = 0; step < 30; step++) simulation.step();
    const bytes = Buffer.from(simulation.snapshot()).toString('base64');
    console.log(bytes + '\\n' + end(simulation));`).split('\n');
  const [other, again] = printed(
    `
    const others = [await ${make}(), await ${make}()];
    for (const one of others) one.step();
    const simulation = await ${make}();
    simulation.restore(Buffer.from(process.argv[1], 'base64'));
    console.log(Buffer.from(simulation.snapshot()).toString('base64') + '\\n' + end(simulation));`,
    bytes,
  ).split('\n');
  expect(went.length).toBeGreaterThan(400);
  expect(other === bytes).toBe(true);
  expect(again === went).toBe(true);
});
