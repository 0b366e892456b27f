/** A small building, checked and served by the real commands. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { box, moved, storeBytes } from './small-model.js';

const IMPINGE = join(import.meta.dirname, '../../cli/bin/impinge.js');

/** Names are untrusted. */
export const HOSTILE = '<img src=x onerror="document.title=1">';

export interface Part {
  readonly name: string;
  readonly type: string;
  readonly storey: string;
  readonly discipline: string;
  readonly size: readonly [number, number, number];
  readonly at: readonly [number, number, number];
  readonly properties?: Readonly<Record<string, string>>;
}

/** Two storeys, each with two walls, pierced by pipes, and a beam above. */
export const PARTS: readonly Part[] = ['Level 1', 'Level 2'].flatMap((storey, k): Part[] => {
  const z = 3 * k;
  const wall = (n: number, y: number): Part => ({
    ...{ name: `Wall ${k + 1}${n}`, type: 'IfcWall', storey, discipline: 'architecture' },
    ...{ size: [8, 0.3, 2.6], at: [4, y, z + 1.3] },
    properties: { 'Pset_WallCommon.FireRating': n === 1 ? 'F90' : 'F30' },
  });
  const pipe = (n: number, x: number, reach: number): Part => ({
    ...{ name: `Pipe ${k + 1}${n}`, type: 'IfcPipeSegment', storey, discipline: 'piping' },
    ...{ size: [0.1, reach, 0.1], at: [x, 3, z + 2] },
  });
  return [
    {
      ...{ name: `Slab ${k + 1}`, type: 'IfcSlab', storey, discipline: 'architecture' },
      ...{ size: [9, 7, 0.2], at: [4, 3, z - 0.15] },
    },
    ...[wall(1, 0), wall(2, 6)],
    ...[pipe(1, 1, 6.5), pipe(2, 3, 6.2), pipe(3, 5, 5.9)],
    {
      ...{ name: k === 0 ? HOSTILE : 'Beam', type: 'IfcBeam', storey, discipline: 'structure' },
      ...{ size: [8, 0.2, 0.3], at: [4, 3, z + 1.93] },
    },
  ];
});

function buildingBytes(): Promise<Uint8Array> {
  const shapes = PARTS.map(({ size, at, ...words }) => ({
    ...{ solid: box(...size), poses: [moved(...at)] },
    words: { ...words, id: `id of ${words.name}`, path: `${words.storey}/${words.name}`, file: 'house.ifc' },
  }));
  return storeBytes(shapes, { title: 'house' });
}

export interface Served {
  readonly address: string;
  readonly folder: string;
  stop(): void;
}

/** The store alone, or its report. */
export async function serveBuilding(what: 'model' | 'report'): Promise<Served> {
  return serveStore(await buildingBytes(), what);
}

/** Further arguments of `impinge view`, and of `impinge check`, with a folder for their files. */
export async function serveStore(
  bytes: Uint8Array,
  what: 'model' | 'report',
  more: (folder: string) => readonly string[] = () => [],
  checked: (folder: string) => readonly string[] = () => [],
): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'impinge-page-'));
  const store = join(folder, 'house.impinge');
  const report = join(folder, 'report');
  writeFileSync(store, bytes);
  // --fail-on never, since there are clashes
  if (what === 'report') {
    const args = ['check', store, '-o', report, '--fail-on', 'never', ...checked(folder)];
    execFileSync(process.execPath, [IMPINGE, ...args], { stdio: 'pipe' });
  }
  const shown = what === 'report' ? report : store;
  return serve(folder, report, [shown, ...more(folder)]);
}

/** A recording, with itself as the model. */
export function serveRecording(bytes: Uint8Array): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'impinge-page-'));
  const path = join(folder, 'run.glb');
  writeFileSync(path, bytes);
  return serve(folder, folder, ['--replay', path, '-o', join(folder, 'packed')]);
}

async function serve(temporary: string, folder: string, args: readonly string[]): Promise<Served> {
  const served = spawn(process.execPath, [IMPINGE, 'view', '--no-open', ...args]);
  const address = await addressOf(served);
  return {
    address,
    folder,
    stop() {
      served.kill();
      rmSync(temporary, { recursive: true, force: true });
    },
  };
}

function addressOf(served: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    for (const stream of [served.stdout!, served.stderr!]) {
      stream.on('data', (text) => {
        said += text;
        const found = /http:\S+/.exec(said);
        if (found) resolve(found[0]);
      });
    }
    served.on('exit', () => reject(new Error(said)));
  });
}
