/** Files that appear whole or not at all. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CommandError } from '../src/command-error.js';
import { writeAtomically } from '../src/jobs/atomic-file.js';
import { temporaryFolder } from './files.js';

const systemError = (code: string, syscall: string, path?: string) =>
  Object.assign(new Error(`${code}: ${syscall}`), { code, syscall, ...(path !== undefined && { path }) });

describe('an atomic file', () => {
  test('replaces what was there, once it is complete', async () => {
    const path = join(temporaryFolder(), 'x.bin');
    writeFileSync(path, 'old');
    await writeAtomically(path, async (file) => {
      await file.write('new');
      expect(readFileSync(path, 'utf8')).toBe('old');
    });
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(join(path, '..'))).toEqual(['x.bin']);
  });

  test.each([
    ['an error of the writer', () => Promise.reject(new RangeError('no')), /^no$/],
    [
      'a full disk',
      () => Promise.reject(systemError('ENOSPC', 'write')),
      /x\.bin: cannot be written: the disk is full$/,
    ],
    [
      'an error while reading something else',
      () => Promise.reject(systemError('EIO', 'read')),
      /^EIO: read$/,
    ],
    ['a missing source', () => open('/nowhere/at/all'), /^ENOENT.*nowhere/],
  ])('%s leaves everything as it was', async (_, write, message) => {
    const folder = temporaryFolder();
    const path = join(folder, 'x.bin');
    writeFileSync(path, 'old');
    await expect(
      writeAtomically(path, async (file) => {
        await file.write('new');
        await write();
      }),
    ).rejects.toThrow(message);
    expect(readdirSync(folder)).toEqual(['x.bin']);
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  test('stops when the signal fires: before, during and after writing', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'x.bin');
    for (const when of ['before', 'during']) {
      const controller = new AbortController();
      if (when === 'before') controller.abort();
      const written = writeAtomically(
        path,
        async (file) => {
          await file.write('new');
          controller.abort();
        },
        { signal: controller.signal },
      );
      await expect(written).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  test('says which file and why', async () => {
    const folder = temporaryFolder();
    const nothing = () => Promise.resolve();
    const absent = writeAtomically(join(folder, 'a/b.bin'), nothing);
    await expect(absent).rejects.toThrow(CommandError);
    await expect(absent).rejects.toThrow(/a\/b\.bin: cannot be written: there is no such file or folder/);
    await expect(writeAtomically(folder, nothing)).rejects.toThrow(/cannot be written: /);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('two at the same place: one of them wins, whole', async () => {
    const path = join(temporaryFolder(), 'x.bin');
    await Promise.all(
      ['a', 'b'].map((letter) =>
        writeAtomically(path, async (file) => file.writeFile(letter.repeat(100_000))),
      ),
    );
    expect(readFileSync(path, 'utf8')).toMatch(/^(a{100000}|b{100000})$/);
    expect(readdirSync(join(path, '..'))).toEqual(['x.bin']);
  });
});
