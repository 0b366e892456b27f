/** Journals: killed at every byte, altered, on full disks, wanted by two. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { full, stride } from '../../../test/budget.js';
import { CommandError } from '../src/command-error.js';
import { Journal, type JournalFile, type JournalSystem } from '../src/jobs/journal.js';
import { temporaryFolder } from './files.js';

const HEADER = { model: 'a1b2', clearance: 0.05, rules: 'default' };

interface Entry {
  readonly pair: number;
  readonly name: string;
}

const entry = (pair: number): Entry => ({ pair, name: `Größe ${pair}\n"x"`.repeat(1 + (pair % 3)) });
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => entry(from + i));

async function all<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const one of entries) out.push(one);
  return out;
}

async function written(
  path: string,
  batches: readonly (readonly unknown[])[],
  header = HEADER,
): Promise<void> {
  const journal = await Journal.create(path, header);
  for (const batch of batches) await journal.append(batch);
  await journal.close();
}

describe('a journal', () => {
  test('gives back what was appended, and goes on', async () => {
    const path = join(temporaryFolder(), 'j');
    await written(path, [range(0, 3), [], range(3, 4)]);
    const { journal, entryCount, cut } = await Journal.resume(path, HEADER);
    expect(entryCount).toBe(4);
    expect(cut).toBeUndefined();
    expect(await all(journal.entries())).toEqual(range(0, 4));
    await journal.append(range(4, 6));
    expect(await all(journal.entries())).toEqual(range(0, 6));
    await journal.close();
    const again = await Journal.resume(path, HEADER);
    expect(await all(again.journal.entries())).toEqual(range(0, 6));
    await again.journal.remove();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  test('keeps the order of appends that are not waited for', async () => {
    const path = join(temporaryFolder(), 'j');
    const journal = await Journal.create(path, HEADER);
    await Promise.all(range(0, 50).map((one) => journal.append([one])));
    await journal.close();
    const { journal: again } = await Journal.resume(path, HEADER);
    expect(await all(again.entries())).toEqual(range(0, 50));
    await again.close();
  });

  test('gives nothing false back when somebody altered the file in the meantime', async () => {
    const path = join(temporaryFolder(), 'j');
    const journal = await Journal.create(path, HEADER);
    await journal.append(range(0, 3));
    const whole = readFileSync(path);
    whole[whole.length - 5] ^= 1;
    writeFileSync(path, whole);
    await expect(all(journal.entries())).rejects.toThrow(
      `${path} was altered while it was used; --resume continues from the intact part`,
    );
    await journal.close();
  });

  full('entries larger than what is read at once', async () => {
    const path = join(temporaryFolder(), 'j');
    const large = range(0, 5).map((one) => ({ ...one, text: 'é'.repeat(400_000 * (one.pair + 1)) }));
    await written(path, [large]);
    const { journal } = await Journal.resume(path, HEADER);
    expect(await all(journal.entries())).toEqual(large);
    await journal.close();
  });

  test('a new one takes the place of an old one', async () => {
    const path = join(temporaryFolder(), 'j');
    await written(path, [range(0, 100)]);
    await written(path, [range(7, 8)]);
    const { journal } = await Journal.resume(path, HEADER);
    expect(await all(journal.entries())).toEqual(range(7, 8));
    await journal.close();
  });

  test('killed at every byte: whole entries stay, and the work can go on', async () => {
    const path = join(temporaryFolder(), 'j');
    await written(path, [range(0, 2), range(2, 5)]);
    const whole = readFileSync(path);
    // behind which byte the header and each entry are complete
    const ends = [...whole].flatMap((byte, i) => (byte === 10 ? [i + 1] : []));
    expect(ends).toHaveLength(6);
    for (let size = 0; size <= whole.length; size += stride) {
      writeFileSync(path, whole);
      truncateSync(path, size);
      const survivors = Math.max(0, ends.filter((end) => end <= size).length - 1);
      const { journal, entryCount, cut } = await Journal.resume(path, HEADER);
      expect(entryCount, `${size} bytes`).toBe(survivors);
      expect(await all(journal.entries())).toEqual(range(0, survivors));
      const left = size - Math.max(0, ...ends.filter((end) => end <= size));
      if (left === 0) expect(cut).toBeUndefined();
      else expect(cut).toBe(`${path}: the last ${left} bytes were incomplete or altered, and were cut off`);
      await journal.append(range(survivors, 5));
      await journal.close();
      expect(readFileSync(path).equals(whole)).toBe(true);
    }
  });

  test('whatever byte is altered: what comes before stays, nothing false is believed', async () => {
    const path = join(temporaryFolder(), 'j');
    await written(path, [range(0, 4)]);
    const whole = readFileSync(path);
    const headerEnd = whole.indexOf(10) + 1;
    for (let at = 0; at < whole.length; at += stride) {
      for (const value of at % 8 === 0 ? [0, 10] : [whole[at] ^ 1]) {
        if (value === whole[at]) continue;
        const bytes = Uint8Array.from(whole);
        bytes[at] = value;
        writeFileSync(path, bytes);
        if (at < headerEnd) {
          await expect(Journal.resume(path, HEADER), `byte ${at}`).rejects.toThrow(
            /is not a journal, or its beginning/,
          );
          expect(readFileSync(path).equals(bytes)).toBe(true);
          continue;
        }
        const survivors = whole.subarray(0, at).filter((byte) => byte === 10).length - 1;
        const { journal, cut } = await Journal.resume(path, HEADER);
        expect(await all(journal.entries()), `byte ${at}`).toEqual(range(0, survivors));
        expect(cut).toMatch(/were cut off$/);
        await journal.close();
      }
    }
  });

  test('lines that are no JSON, whatever their checksums say, are refused', async () => {
    const path = join(temporaryFolder(), 'j');
    const line = (text: string) => {
      const hexadecimal = (n: number) => n.toString(16).padStart(8, '0');
      return `${hexadecimal(Buffer.byteLength(text))} ${hexadecimal(crc32(text))} ${text}\n`;
    };
    await written(path, [range(0, 1)]);
    writeFileSync(path, line('{"pair":NaN}'), { flag: 'a' });
    const { journal } = await Journal.resume(path, HEADER);
    await expect(all(journal.entries())).rejects.toThrow(
      new CommandError(
        `${path} has entries that do not belong to a check; run it without --resume to start again`,
      ),
    );
    await journal.close();
    writeFileSync(path, line('{"journal":"impinge","version":1,"header":{'));
    await expect(Journal.resume(path, HEADER)).rejects.toThrow(
      /is not a journal, or its beginning is damaged/,
    );
  });

  test('of other work is refused, with what is different', async () => {
    const path = join(temporaryFolder(), 'j');
    await written(path, [range(0, 2)]);
    const before = readFileSync(path);
    const other = { model: 'a1b2', clearance: 0.1, workers: 2 };
    const refused = Journal.resume(path, other);
    await expect(refused).rejects.toThrow(CommandError);
    await expect(refused).rejects.toThrow(
      `${path} was written for other work: clearance was 0.05 and is 0.1; workers was not given and is 2; ` +
        'rules was default and is not given; run it without --resume to start again',
    );
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(join(path, '..'))).toEqual(['j']);
  });

  test('begins where there is none, and is left alone where it is something else', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'notes.txt');
    const { journal, isNew, entryCount } = await Journal.resume(path, HEADER);
    expect({ isNew, entryCount }).toEqual({ isNew: true, entryCount: 0 });
    await journal.append([{ pairs: [7] }]);
    await journal.close();
    const again = await Journal.resume(path, HEADER);
    expect({ isNew: again.isNew, entryCount: again.entryCount }).toEqual({ isNew: false, entryCount: 1 });
    await again.journal.close();
    await expect(Journal.create(join(folder, 'a/b'), HEADER)).rejects.toThrow(
      /a\/b: there is no such file or folder/,
    );
    for (const text of ['call the plumber', '00000003 notes', 'x\n'.repeat(1000), '{"journal":"impinge"}']) {
      writeFileSync(path, text);
      await expect(Journal.resume(path, HEADER)).rejects.toThrow(/is not a journal/);
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
    expect(readdirSync(folder)).toEqual(['notes.txt']);
  });
});

/** A disk with room for so many bytes, and a clock. */
class SmallDisk implements JournalSystem {
  room = Infinity;
  time = 0;
  syncs = 0;
  /** Calls that fail, with a code. */
  readonly failing = new Map<'truncate' | 'datasync', string>();

  readonly now = () => this.time;

  async open(path: string, flags: 'w+' | 'r+'): Promise<JournalFile> {
    const file = await open(path, flags);
    const fail = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });
    const check = (call: 'truncate' | 'datasync') => {
      const code = this.failing.get(call);
      if (code !== undefined) throw fail(code, call);
    };
    return {
      read: (into, offset, length, position) => file.read(into, offset, length, position),
      write: async (from, offset, length, position) => {
        const fits = Math.min(length, this.room - position);
        if (fits <= 0) throw fail('ENOSPC', 'write');
        return file.write(from, offset, fits, position);
      },
      truncate: async (length) => {
        check('truncate');
        await file.truncate(length);
      },
      datasync: async () => {
        check('datasync');
        this.syncs++;
        await file.datasync();
      },
      close: () => file.close(),
    };
  }
}

describe('a full or failing disk', () => {
  test.each([false, true])(
    'an append that does not fit leaves the last good state (cutting fails: %s)',
    async (stuck) => {
      const path = join(temporaryFolder(), 'j');
      const disk = new SmallDisk();
      const journal = await Journal.create(path, HEADER, disk);
      await journal.append(range(0, 3));
      const good = readFileSync(path);
      if (stuck) disk.failing.set('truncate', 'EIO');
      for (const more of [0, 1, 17, 40, 150]) {
        disk.room = good.length + more;
        await expect(journal.append(range(3, 9))).rejects.toThrow(
          `${path}: the disk is full; finished work is kept; --resume continues it`,
        );
        if (!stuck) expect(readFileSync(path).equals(good)).toBe(true);
      }
      // some room again: it goes on as if nothing had happened
      disk.room = Infinity;
      await journal.append(range(3, 5));
      await journal.close();
      const { journal: again } = await Journal.resume(path, HEADER);
      expect((await all(again.entries())).slice(0, 5)).toEqual(range(0, 5));
      await again.close();
    },
  );

  test('no room for the beginning', async () => {
    const path = join(temporaryFolder(), 'j');
    const disk = new SmallDisk();
    disk.room = 30;
    await expect(Journal.create(path, HEADER, disk)).rejects.toThrow(
      /j: the disk is full; nothing was started/,
    );
    expect(existsSync(`${path}.lock`)).toBe(false);
    const { journal, entryCount } = await Journal.resume(path, HEADER);
    expect(entryCount).toBe(0);
    await journal.close();
  });

  test('an error while forcing to disk is told', async () => {
    const path = join(temporaryFolder(), 'j');
    const disk = new SmallDisk();
    const journal = await Journal.create(path, HEADER, disk);
    await journal.append(range(0, 1));
    disk.failing.set('datasync', 'EIO');
    await expect(journal.close()).rejects.toThrow(/j: the disk reports an error; finished work is kept/);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test('is forced to at most once a second', async () => {
    const path = join(temporaryFolder(), 'j');
    const disk = new SmallDisk();
    const journal = await Journal.create(path, HEADER, disk);
    expect(disk.syncs).toBe(1);
    for (let i = 0; i < 100; i++) {
      disk.time += 50;
      await journal.append([entry(i)]);
      await journal.sync();
    }
    expect(disk.syncs).toBe(6);
    disk.time += 5000;
    await journal.sync();
    await journal.sync();
    expect(disk.syncs).toBe(6); // nothing new since the last append
    await journal.append([entry(0)]);
    await journal.append([entry(1)]);
    await journal.close();
    expect(disk.syncs).toBe(8);
  });
});

describe('the lock', () => {
  test('what somebody leaves who is killed while taking one over goes with the next', async () => {
    const place = temporaryFolder();
    const path = join(place, 'j');
    writeFileSync(`${path}.lock.removing`, '');
    const journal = await Journal.create(path, HEADER);
    await journal.close();
    expect(readdirSync(place)).toEqual(['j']);
  });

  const holder = (pid: number, host = hostname(), began = '') =>
    JSON.stringify({ pid, host, began, token: 'x' });

  test('keeps a second writer out until the first is done', async () => {
    const path = join(temporaryFolder(), 'j');
    const journal = await Journal.create(path, HEADER);
    for (const attempt of [() => Journal.create(path, HEADER), () => Journal.resume(path, HEADER)])
      await expect(attempt()).rejects.toThrow(`${path} is in use by process ${process.pid}; wait for it`);
    await journal.append(range(0, 1));
    await journal.close();
    const { journal: again, entryCount } = await Journal.resume(path, HEADER);
    expect(entryCount).toBe(1);
    await again.close();
    expect(readdirSync(join(path, '..'))).toEqual(['j']);
  });

  test('of several at once, one gets it, also when the old holder is dead', async () => {
    const { pid: dead } = spawnSync(process.execPath, ['--version']);
    for (const left of [undefined, holder(dead), '', 'garbage']) {
      const path = join(temporaryFolder(), 'j');
      await written(path, []);
      if (left !== undefined) writeFileSync(`${path}.lock`, left);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, () => Journal.resume(path, HEADER)),
      );
      const got = outcomes.filter((one) => one.status === 'fulfilled');
      expect(got).toHaveLength(1);
      await got[0].value.journal.close();
      expect(readdirSync(join(path, '..'))).toEqual(['j']);
    }
  });

  test('of a process that runs, here or elsewhere, is respected', async () => {
    const path = join(temporaryFolder(), 'j');
    await written(path, []);
    writeFileSync(`${path}.lock`, holder(process.ppid));
    await expect(Journal.resume(path, HEADER)).rejects.toThrow(
      new RegExp(`in use by process ${process.ppid};`),
    );
    writeFileSync(`${path}.lock`, holder(1, 'elsewhere'));
    await expect(Journal.resume(path, HEADER)).rejects.toThrow(
      /in use by process 1 on elsewhere; .*delete .*j\.lock/,
    );
    expect(existsSync(`${path}.lock`)).toBe(true);
  });

  test.skipIf(process.platform !== 'linux')(
    'of an earlier process of the same number does not count',
    async () => {
      const path = join(temporaryFolder(), 'j');
      await written(path, []);
      for (const pid of [process.ppid, process.pid]) {
        writeFileSync(`${path}.lock`, holder(pid, hostname(), '1'));
        await (await Journal.resume(path, HEADER)).journal.close();
      }
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'of a process that has ended counts no more, also where nobody has asked for its exit code',
    async () => {
      // the shell becomes a program that knows nothing of the child it has
      const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        const zombie = Number(String((await once(parent.stdout, 'data'))[0]));
        const fields = () =>
          readFileSync(`/proc/${zombie}/stat`, 'utf8')
            .replace(/^.*\) /s, '')
            .split(' ');
        while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8') !== 'sleep\n') await delay(5);
        process.kill(zombie, 'SIGKILL');
        while (fields()[0] !== 'Z') await delay(5);
        process.kill(zombie, 0); // what asks in this way is told that it runs
        const path = join(temporaryFolder(), 'j');
        await written(path, [range(0, 1)]);
        for (const began of ['', fields()[19]]) {
          writeFileSync(`${path}.lock`, holder(zombie, hostname(), began));
          const { journal, entryCount } = await Journal.resume(path, HEADER);
          expect(entryCount).toBe(1);
          await journal.close();
        }
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );
});
