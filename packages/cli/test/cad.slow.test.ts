/** STEP and IGES, by a package that may be installed or not: its own test files, and what is said without it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cadModule } from '../src/formats/cad/engine.js';
import { readModel } from '../src/formats/read-model.js';
import { Files } from './files.js';
import { extruded, ifcHouse, rectangle } from './ifc-text.js';
import { impinge } from './run-impinge.js';

const files = new Files();
const module = cadModule();
const samples = module === undefined ? '' : join(dirname(module), '../test/testfiles');
const isThere = existsSync(samples);
if (!isThere) process.stderr.write('\n*** SKIPPED: STEP and IGES; occt-import-js is not installed ***\n');

const STEP =
  "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('CONFIG_CONTROL_DESIGN'));\nENDSEC;\nDATA;\n#1=CIRCLE();\nENDSEC;\n";

test.skipIf(module !== undefined)('without the package, how to add it is told in one line', async () => {
  const { code, err } = await impinge('info', files.write('part.step', STEP));
  expect(code).toBe(2);
  expect(err).toMatch(
    /^impinge: .*part\.step: occt-import-js is needed to read it, and is not installed; run npm install /,
  );
});

test('an IFC file is one, whatever its name', async () => {
  const text = ifcHouse(extruded(40, 'box', [0, 0, 0], rectangle(1000, 1000)));
  const { format, shapes } = await readModel(files.write('house.stp', text));
  expect(format).toBe('IFC, IFC4');
  expect(shapes).toHaveLength(1);
});

describe.skipIf(!isThere)('files of CAD', () => {
  const objectsOf = ({ shapes }: Awaited<ReturnType<typeof readModel>>) =>
    shapes.flatMap(({ geometry, objects }) => objects.map((object) => ({ ...object, geometry })));

  test.each([
    ['cube-units/cube-mm.step', 1000],
    ['cube-units/cube-m.step', 1000],
    ['cube-units/cube-in.step', 1000],
    ['cube-10x10mm/Cube 10x10.igs', 10],
  ])('%s is a cube in millimetres, without an error where nothing is curved', async (name, side) => {
    const model = await readModel(join(samples, name));
    expect(model.metresPerUnit).toBe(0.001);
    const [object, ...others] = objectsOf(model);
    expect(others).toEqual([]);
    const { positions, indices } = object.geometry;
    expect([positions.length / 3, indices.length / 3]).toEqual([8, 12]);
    for (let axis = 0; axis < 3; axis++) {
      const values = Array.from(positions).filter((_, i) => i % 3 === axis);
      expect(Math.max(...values) - Math.min(...values)).toBeCloseTo(side, 6);
    }
    expect(object.curveError).toBe(name.endsWith('.step') ? 0 : 1);
  });

  test('assemblies keep their names and places, bodies are closed', async () => {
    const model = await readModel(join(samples, 'cax-if/as1_pe_203.stp'), { curveError: 0.0005 });
    const objects = objectsOf(model);
    expect(objects).toHaveLength(18);
    expect(objects[0]).toMatchObject({ path: 'as1_pe_203/AS1_PE_ASM/PLATE/SOLID', curveError: 0.5 });
    expect(new Set(objects.map(({ id }) => id)).size).toBe(18);
    for (const { geometry } of objects) {
      const edges = new Map<string, number>();
      for (let i = 0; i < geometry.indices.length; i++) {
        const next = i % 3 === 2 ? i - 2 : i + 1;
        const pair = [geometry.indices[i], geometry.indices[next]].sort((p, q) => p - q).join();
        edges.set(pair, (edges.get(pair) ?? 0) + 1);
      }
      expect([...edges.values()].every((count) => count % 2 === 0)).toBe(true);
    }
  });

  test('facets are finer where less error is permitted', async () => {
    const path = join(samples, 'cax-if/as1_pe_203.stp');
    const triangles = async (curveError: number) =>
      objectsOf(await readModel(path, { curveError })).reduce(
        (sum, o) => sum + o.geometry.indices.length / 3,
        0,
      );
    expect(await triangles(0.0001)).toBeGreaterThan(await triangles(0.01));
  });

  test('damaged ones give one line', async () => {
    const whole = readFileSync(join(samples, 'cube-units/cube-mm.step'));
    for (const content of [STEP, whole.subarray(0, 9000)]) {
      const path = files.write('damaged.step', content);
      await expect(readModel(path)).rejects.toThrow(/^.*damaged\.step: (it cannot be read|no body)[^\n]*$/);
    }
  });

  test('memory has a cap', async () => {
    const { readCad } = await import('../src/formats/cad/engine.js');
    const bytes = readFileSync(join(samples, 'cax-if/as1_pe_203.stp'));
    const options = {
      method: 'ReadStepFile',
      deflection: 0.001,
      memoryBytes: 20e6,
      limitMs: 60_000,
    } as const;
    await expect(readCad('x.stp', new Uint8Array(bytes), options)).rejects.toThrow(
      /^x\.stp: it cannot be read/,
    );
  });
});
