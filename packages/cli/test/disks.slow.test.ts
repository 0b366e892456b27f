/** Disks that take nothing, or not enough: one plain line from every command that writes, and nothing is left. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { boxesObj, impinge, startAs } from './run-impinge.js';

const NOBODY = 65534;

// not of `temporaryFolder`: another user has to get here
const folder = mkdtempSync(join(tmpdir(), 'impinge-disks-'));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const disk = join(folder, 'disk');
const model = join(folder, 'boxes.obj');
const store = join(folder, 'plant.impinge');
writeFileSync(model, boxesObj(['a', [0, 1], [0, 1], [0, 1]], ['b', [0.5, 1.5], [0, 1], [0, 1]]));
expect((await impinge('generate', '-o', store, '--triangles', '20K')).code).toBe(0);

const WRITERS: readonly (readonly string[])[] = [
  ['check', store, '-o', disk],
  ['check', store, '-o', join(disk, 'new')],
  ['check', model, '-o', disk],
  ['pack', model, '-o', join(disk, 'x.impinge')],
  ['generate', '-o', join(disk, 'x.impinge'), '--triangles', '20K'],
  ['generate', '-o', join(folder, 'other.impinge'), '--triangles', '20K', '--truth', join(disk, 'x.json')],
  ['generate', '-o', join(folder, 'other.impinge'), '--triangles', '20K', '--path', join(disk, 'x.json')],
];

/** All files below the disk, with their sizes. */
function contents(): string[] {
  const names = readdirSync(disk, { recursive: true }) as string[];
  return names
    .filter((name) => statSync(join(disk, name)).isFile())
    .map((name) => `${name} ${statSync(join(disk, name)).size}`)
    .sort();
}

/** Has a disk of its own at `disk` while it acts; not everywhere is that allowed. */
async function onDisk(size: string, skip: () => void, act: () => Promise<void>): Promise<void> {
  mkdirSync(disk, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    process.stderr.write('\n*** SKIPPED: a disk of its own; no file system can be mounted here ***\n');
    skip();
  }
  try {
    await act();
  } finally {
    execFileSync('umount', [disk]);
  }
}

async function expectRefusals(cause: string, run: typeof impinge): Promise<void> {
  const before = contents();
  for (const args of WRITERS) {
    const { code, err } = await run(...args);
    expect({ args, code }).toEqual({ args, code: 2 });
    expect(err).toMatch(new RegExp(`^impinge: ${disk}[^\\n]*: ${cause}(; nothing was started)?\\n$`));
    expect(contents()).toEqual(before);
  }
}

describe('every command that writes', () => {
  test('to a read-only disk', async ({ skip }) => {
    await onDisk('1m', skip, async () => {
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      await expectRefusals('the disk is read-only', impinge);
    });
  });

  test('to a full disk', async ({ skip }) => {
    await onDisk('1m', skip, async () => {
      writeFileSync(join(disk, 'ballast'), new Uint8Array(2 ** 20));
      await expectRefusals('the disk is full', impinge);
    });
  });

  test('to a folder of somebody else', async ({ skip }) => {
    const version = await startAs(NOBODY, '--version').ended.catch(() => undefined);
    if (version?.code !== 0) {
      process.stderr.write(
        '\n*** SKIPPED: a folder of somebody else; commands cannot be run as another user ***\n',
      );
      skip();
    }
    mkdirSync(disk, { recursive: true, mode: 0o755 });
    mkdirSync(join(folder, 'free'));
    chmodSync(join(folder, 'free'), 0o777);
    const here = (arg: string) => arg.replace(join(folder, 'other'), join(folder, 'free', 'other'));
    await expectRefusals('permission denied', async (...args) => {
      const { code, ...rest } = await startAs(NOBODY, ...args.map(here)).ended;
      return { code: code ?? -1, ...rest };
    });
  });
});

test('a disk that fills up on the way: what is complete stays, the journal for --resume, and nothing else', async ({
  skip,
}) => {
  await onDisk('1m', skip, async () => {
    const output = join(disk, 'out');
    const check = ['check', model, '-o', output, '--workers', '1'];
    const left: string[] = [];
    for (const free of [0, 4, 8, 12, 16, 32, 64]) {
      rmSync(output, { recursive: true, force: true });
      writeFileSync(join(disk, 'ballast'), new Uint8Array(2 ** 20 - 1024 * free));
      const { code, err } = await impinge(...check);
      const names = readdirSync(output).sort().join(' ');
      expect(err).toMatch(/^impinge: [^\n]*the disk is full[^\n]*\n$/);
      expect(code).toBe(2);
      left.push(names);
    }
    expect(new Set(left)).toEqual(new Set(['', 'model.impinge', 'check.journal model.impinge']));
    // while a store is written: nothing is left of it
    const packed = await impinge('generate', '-o', join(disk, 'x.impinge'), '--triangles', '300K');
    expect(packed.err).toMatch(/^impinge: .*x\.impinge: cannot be written: the disk is full\n$/);
    expect(readdirSync(disk).sort()).toEqual(['ballast', 'out']);
    rmSync(join(disk, 'ballast'));
    expect((await impinge(...check, '--resume')).code).toBe(1);
    expect(readdirSync(output)).toContain('report.html');
  });
});
