/** Names in files, and names of files, say nothing on behalf of the command. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { full } from '../../../../test/budget.js';
import { json, printable } from '../../src/terminal.js';
import { Files } from '../files.js';
import { threeMf } from '../model-files.js';
import { boxesObj, impinge } from '../run-impinge.js';

const files = new Files();
const FORGED = 'a\nimpinge: all is well\r\u001b[2Jb\u2028impinge: c\u202ed\u2066e\u009bf';

test('text that steers a terminal is made harmless', () => {
  expect(printable(FORGED)).toBe('a�impinge: all is well��[2Jb�impinge: c�d�e�f');
  const text = json({ name: FORGED });
  // printable characters alone, between the lines
  expect([...text.replaceAll('\n', '')].every((c) => /[ -~]/.test(c))).toBe(true);
  expect(JSON.parse(text)).toEqual({ name: FORGED });
});

full('no error begins a second line because of a name', async () => {
  // what contains itself is refused by its name
  const name = 'x&#10;impinge: all is well&#10;';
  const model =
    '<model xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources>' +
    `<object id="1" name="${name}"><components><component objectid="1"/></components></object></resources>` +
    '<build><item objectid="1"/></build></model>';
  const path = files.write('nl.3mf', threeMf(model));
  for (const command of [
    ['info', path],
    ['pack', path, '-o', join(files.folder, 'nl.impinge')],
  ]) {
    const { code, out, err } = await impinge(...command);
    expect([code, out]).toEqual([2, '']);
    expect(err.match(/^impinge:/gm)).toHaveLength(1);
    expect(err).toMatch(/^[^\n]*\n$/);
  }
});

test('nor does any line of a listing', async () => {
  const path = files.write(
    'names.obj',
    boxesObj(['one\rimpinge: no clashes', [0, 1], [0, 1], [0, 1]], ['two', [0, 1], [0, 1], [0, 1]]),
  );
  const { code, out } = await impinge('info', path);
  expect(code).toBe(0);
  expect(out).toContain('one�impinge: no clashes');
  expect(out).not.toContain('\r');
});
