/**
 * Runs a program as a child process and measures its elapsed time, processor time and peak memory.
 *
 * The child reports its peak memory when it ends (see peak-memory.mjs), because the figure that its parent gets
 * includes the parent's own memory at the moment of the fork.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The script of the `impinge` command. */
export const COMMAND = fileURLToPath(new URL('../../../packages/cli/dist/command/main.js', import.meta.url));
/** The script of `npm run lab`. */
const LAB = fileURLToPath(new URL('../../command/dist/main.js', import.meta.url));
const PEAK_MEMORY = new URL('./peak-memory.mjs', import.meta.url).href;

/**
 * Runs a Node.js script.
 * @param {string} script
 * @param {string[]} args
 * @returns {Promise<{ seconds: number, cpuSeconds: number, peakRss: number, status: number, stdout: string }>} bytes of
 *   memory
 */
export async function measureScript(script, args) {
  const folder = mkdtempSync(join(tmpdir(), 'impinge-peak-'));
  const [peakFile, cpuFile] = [join(folder, 'bytes'), join(folder, 'seconds')];
  try {
    const found = await measureProgram(process.execPath, ['--import', PEAK_MEMORY, script, ...args], {
      IMPINGE_PEAK_FILE: peakFile,
      IMPINGE_CPU_FILE: cpuFile,
    });
    const [peakRss, cpuSeconds] = [peakFile, cpuFile].map((file) => Number(readFileSync(file, 'utf8')));
    return { ...found, peakRss, cpuSeconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs any program, with nothing kept from other runs; throws with its last output if its exit code is not 0 or 1. */
export async function measureProgram(program, args, environment = {}) {
  const started = performance.now();
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { IMPINGE_CACHE: 'off', ...process.env, ...environment },
  });
  const stdout = [];
  const stderr = [];
  child.stdout.on('data', (chunk) => stdout.push(chunk));
  child.stderr.on('data', (chunk) => stderr.push(chunk));
  const { status, signal } = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => resolve({ status, signal }));
  });
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0 && status !== 1) {
    const said = Buffer.concat(stderr).toString().trim().split('\n');
    const why = said.find((line) => /error/i.test(line)) ?? said.at(-1);
    throw new Error(`${args.slice(0, 4).join(' ')}: ${why || `stopped by ${signal ?? status}`}`);
  }
  return { seconds, status, stdout: Buffer.concat(stdout).toString() };
}

/**
 * Runs the `impinge` command with --json.
 * @returns {Promise<{ seconds: number, cpuSeconds: number, peakRss: number, status: number, result: object }>}
 */
export const measureCommand = (...args) => measureJson(COMMAND, args);

/** The same for a command of the lab. */
export const measureLab = (...args) => measureJson(LAB, args);

async function measureJson(script, args) {
  const { stdout, ...measured } = await measureScript(script, [...args, '--json']);
  return { ...measured, result: JSON.parse(stdout) };
}

/** Runs the `impinge` command for its side effects. */
export async function runCommand(...args) {
  return (await measureScript(COMMAND, args)).stdout.trim();
}
