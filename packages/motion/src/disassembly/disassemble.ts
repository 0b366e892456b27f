/**
 * In which order, and along which paths, the parts of an assembly come out.
 *
 * Idea: a part leaves along the first of its directions in which none of those still there is in its way; the others
 * are asked about again when what was in their way has left (sequence.ts). Where no part can leave, several may
 * together, which then come apart by themselves; what no straight motion frees is searched for paths among what is
 * left.
 */
import { ImpingeError, type Point, type Pose, type Vec3 } from 'impinge';
import { type OptionNames, readAtMost, readKnown, readLength } from 'impinge/internal/base/options.js';
import type { AbortSignalLike } from 'impinge/internal/base/platform-types.js';
import { RigidMotion } from 'impinge/internal/math/motion.js';
import { type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import { readDirection, readPoint } from '../bounds.js';
import { FreeSpace } from '../free-space.js';
import type { Obstacles } from '../obstacles.js';
import { certify, type PathCertificate } from '../plan/verify-path.js';
import { Assembly, AXES, type Part } from './assembly.js';
import { type Blocking, type DisassemblyStep, type PartMove, Sequence } from './sequence.js';

/** How deep one part may be in another that it touches. */
export type AllowedBetween = number | ((part: Part, other: Part) => number);

export interface DisassembleOptions {
  /** Parts that are to come out, with as few others as are found to do (default: all). */
  readonly remove?: readonly Part[];
  /** Directions tried for every part, after those of its contacts (default: along the axes, both ways). */
  readonly directions?: readonly Point[];
  /** How far parts keep from those that they do not touch at the start (default 0: they must not touch). */
  readonly clearance?: number;
  /** How deep parts may be in each other that touch at the start (default 0). */
  readonly allowed?: AllowedBetween;
  readonly limits?: {
    /** States of each search for a path that is not straight (default 2000; 0: none is searched for). */
    readonly nodes?: number;
    /** And its seconds (default 2). */
    readonly seconds?: number;
  };
  /** Seconds for all of it (default 600). */
  readonly timeLimit?: number;
  readonly signal?: AbortSignalLike;
  readonly onProgress?: (progress: { readonly steps: number; readonly parts: number }) => void;
}

export interface DisassembleResult {
  /** Whether all that was to come out does, each part by itself. */
  readonly complete: boolean;
  readonly steps: readonly DisassemblyStep[];
  /** Parts still together, of which some were to come out, as far as was found: there may be a way. */
  readonly left: readonly (readonly Part[])[];
  /**
   * `time`: it was up. `blocked`: no motion was found for what is left. `deeper`: only such pairs are still together.
   * Undefined where it is complete.
   */
  readonly reason: 'time' | 'blocked' | 'deeper' | undefined;
  /** Pairs deeper in each other, or nearer, than is allowed: these move as one, and never come apart. */
  readonly deeper: readonly (readonly [Part, Part])[];
  /** What is in the way of what, of all motions that were tried. */
  readonly blocking: readonly Blocking[];
  /** A picture: where every part that leaves is on its first motion, the first to leave farthest out. */
  readonly explosion: readonly { readonly part: Part; readonly pose: RigidPose }[];
  readonly stats: { readonly motions: number; readonly searches: number; readonly seconds: number };
}

const NAMES: OptionNames<DisassembleOptions> = {
  remove: true,
  directions: true,
  clearance: true,
  allowed: true,
  limits: true,
  timeLimit: true,
  signal: true,
  onProgress: true,
};

const MOST_NODES = 2000;
const MOST_SECONDS = 2;
const TIME_LIMIT = 600;
/** Milliseconds between two turns of the event loop. */
const TURN = 50;

/** Finds out how an assembly comes apart. Equal questions have equal answers, unless time runs out. */
export async function disassemble(
  parts: Obstacles,
  options: DisassembleOptions = {},
): Promise<DisassembleResult> {
  const given = readKnown('disassemble', options, NAMES);
  const { clearance = 0, allowed = 0, timeLimit = TIME_LIMIT, limits, signal, onProgress } = given;
  const { nodes = MOST_NODES, seconds = MOST_SECONDS } = readKnown('limits', limits ?? {}, {
    nodes: true,
    seconds: true,
  });
  readLength('clearance', clearance);
  readAtMost('timeLimit', timeLimit);
  readAtMost('limits.nodes', nodes);
  readAtMost('limits.seconds', seconds);
  const directions = readDirections(given.directions);
  const assembly = new Assembly(parts, { clearance, allowed, directions });
  const numbers = new Map(assembly.parts.map(({ source }, i) => [source, i]));
  const remove = given.remove ?? assembly.parts.map(({ source }) => source);
  if (!Array.isArray(remove)) throw new ImpingeError('bad-option', 'remove must be a list of parts');
  const asked = remove.map((part: Part) => {
    const number = numbers.get(part);
    if (number === undefined)
      throw new ImpingeError('bad-input', 'disassemble: what to remove is not a part');
    return number;
  });
  const began = performance.now();
  let turned = began;
  const sequence = new Sequence(assembly, asked, { clearance, nodes, seconds });
  const isLate = () => performance.now() - began > 1000 * timeLimit;
  const report = () => onProgress?.({ steps: sequence.steps.length, parts: assembly.parts.length });
  const watch = { isLate, onProgress: report, ...(signal && { signal }) };
  let reason: DisassembleResult['reason'];
  while (!reason && !sequence.isDone) {
    if (performance.now() - turned > TURN) {
      report();
      await new Promise((resolve) => setTimeout(resolve));
      if (signal?.aborted)
        throw new ImpingeError('aborted', `disassemble was aborted after ${sequence.steps.length} steps`);
      turned = performance.now();
    }
    if (isLate()) reason = 'time';
    else if (!(sequence.tryNext() || sequence.trySeveral() || (await sequence.searchNext(watch))))
      reason = isLate() ? 'time' : 'blocked';
  }
  if (given.remove && !reason) sequence.prune();
  const isJoined = assembly.stuck.some((pair) => pair.some((part) => asked.includes(part)));
  if (isJoined) reason ??= 'deeper';
  const steps = sequence.steps.map((step) => sequence.describe(step));
  const numbersOf = (these: readonly number[]) => these.map((part) => assembly.parts[part].source);
  const left = sequence.left();
  return {
    complete: reason === undefined,
    steps,
    left: left.map(numbersOf),
    reason,
    deeper: assembly.stuck.map(([a, b]) => [assembly.parts[a].source, assembly.parts[b].source]),
    blocking: sequence.blocking(left),
    explosion: explode(steps),
    stats: {
      motions: assembly.asked,
      searches: sequence.searches,
      seconds: (performance.now() - began) / 1000,
    },
  };
}

/** Proves every step again, as `verifyPath` does: the first that is not proved, counted from 0, or −1. */
export function verifyDisassembly(
  parts: Obstacles,
  steps: readonly DisassemblyStep[],
  options: Pick<DisassembleOptions, 'clearance' | 'allowed'> = {},
): { readonly free: boolean; readonly step: number; readonly certificates: readonly PathCertificate[] } {
  const names = { clearance: true, allowed: true } as const;
  const { clearance = 0, allowed = 0 } = readKnown('verifyDisassembly', options, names);
  const assembly = new Assembly(parts, { clearance, allowed, directions: [] });
  const numbers = new Map(assembly.parts.map(({ source }, i) => [source, i]));
  /** Parts that are together have the same number. */
  const together = new Array<number>(assembly.parts.length).fill(0);
  const certificates: PathCertificate[] = [];
  if (!Array.isArray(steps)) throw new ImpingeError('bad-input', 'verifyDisassembly: steps must be a list');
  for (const [step, moves] of steps.map(readMoves).entries()) {
    const moving = moves.map(({ part }) => numbers.get(part) ?? -1);
    const [first] = moving;
    if (moving.length === 0 || moving.some((part) => part < 0 || together[part] !== together[first]))
      throw new ImpingeError(
        'bad-input',
        `verifyDisassembly: step ${step} moves parts that are not together`,
      );
    const staying = assembly.parts.filter((_, i) => together[i] === together[first] && !moving.includes(i));
    for (const [i, { poses, centre }] of moves.entries()) {
      const { mesh, pose } = assembly.parts[moving[i]];
      const contact = { poses: [pose], allowed: assembly.allowedOf(moving[i]) };
      const space = new FreeSpace(mesh, staying, { clearance, contact, centre: readPoint('centre', centre) });
      const certificate = certify(space, [pose, ...poses.slice(1)]);
      certificates.push(certificate);
      if (!certificate.free) return { free: false, step, certificates };
    }
    for (const part of moving) together[part] = step + 1;
  }
  return { free: true, step: -1, certificates };
}

/** Every part along the first of its motions: the earlier it leaves the farther, on the scale of the longest way. */
function explode(steps: readonly DisassemblyStep[]): { part: Part; pose: RigidPose }[] {
  const out = new Map<Part, RigidPose>();
  const wayOf = ([from, to]: readonly RigidPose[]) =>
    Math.hypot(to[9] - from[9], to[10] - from[10], to[11] - from[11]);
  const longest = Math.max(0, ...steps.flatMap(({ moves }) => moves.map(({ poses }) => wayOf(poses))));
  for (const [i, { moves, direction }] of steps.entries()) {
    const share = 1 - i / steps.length;
    for (const { part, poses, centre } of moves) {
      if (out.has(part)) continue;
      const [from, to] = poses;
      const straight = (x: number, k: number) => (k < 9 ? x : x + share * longest * direction![k - 9]);
      const motion = new RigidMotion({ from, to, centre }, 'disassemble');
      out.set(part, direction ? from.map(straight) : motion.poseAt(share));
    }
  }
  return Array.from(out, ([part, pose]) => ({ part, pose }));
}

function readMoves(given: DisassemblyStep, step: number): readonly PartMove[] {
  const { moves } = readKnown('a step', given, { moves: true, direction: true });
  if (!Array.isArray(moves))
    throw new ImpingeError('bad-input', `verifyDisassembly: step ${step} has no list of moves`);
  return moves.map((move: PartMove) => {
    const { part, poses, centre } = readKnown('a move', move, { part: true, poses: true, centre: true });
    if (!Array.isArray(poses))
      throw new ImpingeError('bad-input', `verifyDisassembly: step ${step} has a move without poses`);
    return { part, poses: poses.map((pose: Pose) => toRigidPose(pose)), centre };
  });
}

function readDirections(given: readonly Point[] | undefined): readonly Vec3[] {
  if (given === undefined) return AXES;
  if (!Array.isArray(given)) throw new ImpingeError('bad-option', 'directions must be a list of directions');
  return given.map((direction, i) => {
    return readDirection(`directions[${i}]`, direction);
  });
}
