import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { calledAs } from '../src/called-as.js';
import { temporaryFolder } from './files.js';

const folder = temporaryFolder();

test('names a command that can be typed', () => {
  const PATH = ['/nowhere', folder].join(delimiter);
  expect(calledAs({ PATH })).toBe('npx impinge');
  writeFileSync(join(folder, process.platform === 'win32' ? 'impinge.cmd' : 'impinge'), '');
  expect(calledAs({ PATH })).toBe('impinge');
  expect(calledAs({ PATH: '' })).toBe('npx impinge');
  // npx and npm put it on the PATH of what they run only
  expect(calledAs({ PATH, npm_command: 'exec' })).toBe('npx impinge');
  expect(calledAs({ PATH, npm_command: 'run-script' })).toBe('npm run impinge --');
});
