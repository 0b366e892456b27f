/**
 * The protocol of all contenders: files, command line and measurement.
 *
 *   pair A.mesh B.mesh poses.txt TAU REPETITIONS QUERIES   B is posed, A rests
 *   self A.mesh REPETITIONS
 *   build A.mesh REPETITIONS
 *
 * QUERIES is a list such as `any,all,distance/9`; `/n` asks for every n-th pose only.
 * Mesh file: uint32 vertex count, uint32 triangle count, float32 positions, uint32 indices.
 * Pose line: class, nine row-major rotation entries, three of translation.
 * Output: TSV `query, pose, class, ms, answer`; ms is the median of up to REPETITIONS runs.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** Shorter questions are first run once unmeasured, so that caches and compilers settle. */
const UNMEASURED_BELOW_MS = 100;
/** No further repetition once a pose has taken this long. */
const SPENT_LIMIT_MS = 2000;

export function writeMesh(path, { positions, indices }) {
  const counts = Uint32Array.of(positions.length / 3, indices.length / 3);
  const bytes = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  writeFileSync(path, Buffer.concat([bytes(counts), bytes(positions), bytes(indices)]));
}

/** @returns {{ positions: Float32Array, indices: Uint32Array }} */
export function readMesh(path) {
  const file = readFileSync(path);
  const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
  const [vertexCount, triangleCount] = new Uint32Array(bytes, 0, 2);
  return {
    positions: new Float32Array(bytes, 8, 3 * vertexCount),
    indices: new Uint32Array(bytes, 8 + 12 * vertexCount, 3 * triangleCount),
  };
}

/** @returns {{ kind: string, rotation: number[], translation: number[] }[]} */
export function readPoses(path) {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [kind, ...numbers] = line.trim().split(/\s+/);
    const values = numbers.map(Number);
    if (values.length !== 12 || values.some(Number.isNaN))
      throw new Error(`bad pose line in ${path}: ${line}`);
    return { kind, rotation: values.slice(0, 9), translation: values.slice(9) };
  });
}

export function writePoses(path, poses) {
  const lines = poses.map((pose) => [pose.kind, ...pose.rotation, ...pose.translation].join(' '));
  writeFileSync(path, `${lines.join('\n')}\n`);
}

export function report(query, pose, kind, ms, answer) {
  process.stdout.write(`${query}\t${pose}\t${kind}\t${ms}\t${answer}\n`);
}

/** @returns {{ query: string, pose: number, kind: string, ms: number, answer: number }[]} */
export function parseReport(text) {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [query, pose, kind, ms, answer] = line.split('\t');
      return { query, pose: Number(pose), kind, ms: Number(ms), answer: Number(answer) };
    });
}

/** The median time of `question()` and its last answer. */
export function measure(repetitions, question) {
  const times = [];
  let spent = 0;
  let answer;
  for (let i = 0; i <= repetitions; i++) {
    const start = performance.now();
    answer = question();
    const ms = performance.now() - start;
    if (i === 0 && ms < UNMEASURED_BELOW_MS) continue;
    times.push(ms);
    spent += ms;
    if (spent > SPENT_LIMIT_MS || times.length === repetitions) break;
  }
  times.sort((a, b) => a - b);
  return { ms: times[times.length >> 1], answer };
}

/**
 * Calls `question(i)` repeatedly for a while, so that compiled code is timed afterwards. Starts with the last pose: a
 * scenario ends with its quicker ones.
 */
export function warmUp(count, milliseconds, question) {
  const end = performance.now() + milliseconds;
  for (let i = count - 1; performance.now() < end; i = (i + count - 1) % count) question(i);
}

/**
 * Reads the command line and runs the contender.
 * @param {{
 *   pair(a: object, b: object, tau: number): Record<string, (pose: object) => number>,
 *   self(mesh: object): () => number,
 *   build(mesh: object, repetitions: number): void,
 *   prepare?(pose: object): object,
 * }} contender `pair` returns one function per query; its number is the answer
 */
export function runContender(contender, args = process.argv.slice(2)) {
  const [mode, ...rest] = args;
  if (mode === 'pair') {
    const [pathA, pathB, posesPath, tau, repetitions, list] = rest;
    const poses = readPoses(posesPath).map((pose) => ({ ...pose, ...contender.prepare?.(pose) }));
    const questions = contender.pair(readMesh(pathA), readMesh(pathB), Number(tau));
    for (const item of list.split(',')) {
      const [query, stride = '1'] = item.split('/');
      const step = Number(stride);
      const asked = poses.filter((_, i) => i % step === 0);
      warmUp(asked.length, 1000, (i) => questions[query](asked[i]));
      asked.forEach((pose, i) => {
        const { ms, answer } = measure(Number(repetitions), () => questions[query](pose));
        report(query, i * step, pose.kind, ms, answer);
      });
    }
  } else if (mode === 'self') {
    const question = contender.self(readMesh(rest[0]));
    warmUp(1, 1000, question);
    const { ms, answer } = measure(Number(rest[1]), question);
    report('self', 0, 'self', ms, answer);
  } else if (mode === 'build') {
    contender.build(readMesh(rest[0]), Number(rest[1]));
  } else throw new Error('usage: pair | self | build …, see protocol.mjs');
}
