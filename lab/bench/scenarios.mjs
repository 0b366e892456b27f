/**
 * Scenarios: each writes its input files and returns the command line of protocol.mjs for each contender. Contenders
 * that would take minutes get every n-th pose; the table says so. Strides are odd where classes alternate with an even
 * period, so that every class occurs equally often.
 */
import { join } from 'node:path';
import { foldedSheet, icosphere } from '../scenes/index.mjs';
import { scanPair, spherePair } from './inputs.mjs';
import { writeMesh, writePoses } from './protocol.mjs';

const SLOW = 'three-mesh-bvh';

/**
 * @returns {Promise<{ title: string, unit: string, poseCount: number, answers: object[] | null, argsFor(contender:
 * string): string[] }>}
 */
async function scenarioA(folder, quick) {
  const scene = await scanPair();
  const tau = 0.01;
  const files = writePair(folder, scene);
  const every = quick ? '/9' : '';
  return {
    title: `A  ${scene.label}; sum over the poses, then per pose by class, ms; closer than ${tau}`,
    unit: 'sum',
    classTable: true,
    tau,
    poseCount: scene.poses.length,
    answers: scene.answers,
    argsFor(contender) {
      const distance = contender === SLOW ? '/9' : every;
      const queries = `any${every},all${every},distance${distance},within${every}`;
      return ['pair', ...files, String(tau), contender === SLOW ? '1' : '5', queries];
    },
  };
}

async function scenarioB(folder, quick) {
  const scene = spherePair();
  const tau = 0.0005;
  const files = writePair(folder, scene);
  return {
    title: `B  ${scene.label}, 297 680 triangles each; ms per query; closer than ${tau}`,
    unit: 'mean by class',
    tau,
    poseCount: scene.poses.length,
    answers: scene.answers,
    argsFor(contender) {
      const slow = quick ? 'any/5,all/5' : 'any/5,all/5,distance/5,within/5';
      const others = quick ? 'any/5,all/5,distance/5,within/5' : 'any,all,distance,within';
      const isSlow = contender === SLOW;
      return ['pair', ...files, String(tau), isSlow ? '1' : '5', isSlow ? slow : others];
    },
  };
}

async function scenarioC(folder) {
  const path = join(folder, 'sheet.mesh');
  writeMesh(path, foldedSheet(100));
  return {
    title: 'C  self-intersection of a folded sheet, 20 000 triangles; ms',
    unit: 'sum',
    poseCount: 1,
    answers: null,
    argsFor: () => ['self', path, '25'],
  };
}

async function scenarioD(folder, quick) {
  const path = join(folder, 'million.mesh');
  writeMesh(path, icosphere(224, 1));
  return {
    title: 'D  build, 1 003 520 triangles; ms, bytes per triangle (mesh + tree), surface-area cost',
    unit: 'build',
    poseCount: 1,
    answers: null,
    argsFor: () => ['build', path, quick ? '1' : '3'],
  };
}

export const SCENARIOS = { A: scenarioA, B: scenarioB, C: scenarioC, D: scenarioD };

function writePair(folder, { a, b, poses }) {
  const files = ['a.mesh', 'b.mesh', 'poses.txt'].map((name) => join(folder, name));
  writeMesh(files[0], a);
  writeMesh(files[1], b);
  writePoses(files[2], poses);
  return files;
}
