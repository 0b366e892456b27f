/** The action for GitHub: what it runs, with the variables that it would set. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from './files.js';
import { boxesObj } from './run-impinge.js';

const ACTION = new URL('../../../.github/actions/check/', import.meta.url);
const action = parse(readFileSync(new URL('action.yml', ACTION), 'utf8'));
const step = action.runs.steps.find(({ id }: { id?: string }) => id === 'check');
const folder = temporaryFolder();
const COMMAND = `node ${fileURLToPath(new URL('../bin/impinge.js', import.meta.url))}`;

/** A step's variables for these inputs, with the defaults of the others. */
function variables(inputs: Record<string, string>): Record<string, string> {
  const value = (name: string) => inputs[name] ?? String(action.inputs[name].default ?? '');
  return Object.fromEntries(
    Object.entries<string>(step.env).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ inputs\.([a-z-]+) \}\}/g, (_, input) => value(input)),
    ]),
  );
}

function run(name: string, inputs: Record<string, string>) {
  const [output, summary] = ['output', 'summary'].map((what) => join(folder, `${name}-${what}`));
  const report = join(folder, name);
  const script = fileURLToPath(new URL('check.sh', ACTION));
  const files = { GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary };
  const ended = spawnSync('bash', [script], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...variables({ ...inputs, output: report }), ...files, IMPINGE: COMMAND },
  });
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  return {
    code: ended.status,
    log: ended.stdout + ended.stderr,
    output: read(output),
    summary: read(summary),
    report,
  };
}

describe.skipIf(process.platform === 'win32')('the action', () => {
  writeFileSync(join(folder, 'bar.obj'), boxesObj(['bar', [-3, 3], [-1, 1], [0, 1]]));
  writeFileSync(join(folder, 'a post.obj'), boxesObj(['post', [-0.5, 0.5], [-0.5, 0.5], [-3, 3]]));
  const model = '  bar.obj\n\na post.obj\n';

  test('fails where there are clashes, and says how many', () => {
    const { code, log, output, summary, report } = run('first', { model });
    expect([code, output]).toEqual([1, 'clashes=1\n']);
    expect(log).toContain('::error::1 clashes');
    expect(summary).toContain('Clashes: 1');
    for (const name of [
      'report.html',
      'clashes.jsonl',
      'clashes.sarif',
      'clashes.junit.xml',
      'clashes.bcfzip',
    ])
      expect(existsSync(join(report, name)), name).toBe(true);
  });

  test('known clashes do not fail it', () => {
    const { report } = run('week1', { model });
    const { code, summary } = run('week2', { model, baseline: report, 'fail-on': 'new' });
    expect(code).toBe(0);
    expect(summary).toContain('0 new, 0 resolved');
  });

  test('more options are words; nothing in an input is a command', () => {
    expect(run('tolerant', { model, arguments: '--tolerance 2m' }).code).toBe(0);
    const { code, log } = run('hostile', { model: '$(touch hacked)\n`touch hacked`; touch hacked' });
    expect(code).toBe(2);
    expect(log).toContain('::error::impinge check ended with 2');
    expect(existsSync(join(folder, 'hacked'))).toBe(false);
  });

  test('no model is an error', () => {
    expect(run('none', { model: ' \n' })).toMatchObject({
      code: 2,
      log: expect.stringContaining('name at least one'),
    });
  });

  test('every input is used, and every one that is used is there', () => {
    const text = readFileSync(new URL('action.yml', ACTION), 'utf8');
    const used = [...text.matchAll(/inputs\.([a-z-]+)/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(action.inputs).sort());
  });
});
