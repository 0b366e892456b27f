/** Snapshots of bodies whose contacts come from contact levels: they go on bit for bit, here and in another process. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));

/** Runs code after a ring that rolls on another has been made, in a process of its own; what it prints. */
function printed(options: string, code: string, ...args: string[]): string[] {
  const scene = `
    import { buildContactLevels, fixedBody, rigidBody, Simulation } from '@impinge/dynamics';
    import { Mesh } from 'impinge';
    const [positions, indices] = [[], []];
    for (let i = 0; i < 32; i++) {
      for (let j = 0; j < 12; j++) {
        const [a, b] = [(2 * Math.PI * i) / 32, (2 * Math.PI * j) / 12];
        const reach = 1 + 0.4 * (1 + 0.1 * Math.cos(3 * a)) * Math.cos(b);
        positions.push(reach * Math.cos(a), 0.4 * Math.sin(b), -reach * Math.sin(a));
        const [p, q, k] = [12 * i, 12 * ((i + 1) % 32), (j + 1) % 12];
        indices.push(p + j, q + j, q + k, p + j, q + k, p + k);
      }
    }
    const ring = { name: 'ring', positions, indices };
    const contactLevels = buildContactLevels(Mesh.from(ring));
    function make() {
      const contacts = { engine: 'contact-levels', ${options} };
      const simulation = new Simulation({ dt: 1 / 200, thickness: 0.004, sleeping: false, contacts });
      simulation.add(fixedBody(ring, { contactLevels }));
      const place = { position: [0.3, 1.05, 0.1], orientation: [0.1, 0, 0.05, 0.99], spin: [0.5, 2, 0.3] };
      simulation.add(rigidBody(ring, { contactLevels, ...place }));
      return simulation;
    }
    const end = (simulation) => {
      const reports = [];
      for (let step = 0; step < 60; step++) reports.push(JSON.stringify(simulation.step().contactLevels));
      return simulation.bodies.map((body) => Array.from(body.positions).join()).concat(reports).join(' ');
    };
    const bytesOf = (simulation) => Buffer.from(simulation.snapshot()).toString('base64');
    const { readFileSync } = await import('node:fs');`;
  const given = args[0] ?? '';
  return execFileSync(process.execPath, ['--input-type=module', '-e', scene + code], {
    cwd: root,
    encoding: 'utf8',
    input: given,
    maxBuffer: 2 ** 26,
  }).split('\n');
}

test.each([
  ['an error', 'error: 0.02'],
  ['an error by speed', 'error: { size: 0.001, speed: { seconds: 0.01 }, combined: "max" }'],
  ['a budget of tests', 'error: 0.0005, budget: { tests: 400 }'],
])('with %s it goes on bit for bit', (_, options) => {
  const [bytes, went] = printed(
    options,
    `
    const simulation = make();
    for (let step = 0; step < 90; step++) simulation.step();
    console.log(bytesOf(simulation) + '\\n' + end(simulation));`,
  );
  const [other, again] = printed(
    options,
    `
    const others = [make(), make()];
    for (const one of others) one.step();
    const simulation = make();
    for (let step = 0; step < 7; step++) simulation.step();
    simulation.restore(Buffer.from(readFileSync(0, 'utf8'), 'base64'));
    console.log(bytesOf(simulation) + '\\n' + end(simulation));`,
    bytes,
  );
  expect(went).toMatch(/"patches":[1-9]/);
  expect(other === bytes).toBe(true);
  expect(again === went).toBe(true);
});
