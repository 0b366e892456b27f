/** Takes an assembly apart, and proves every step once more as it is written down: lengths in metres. */
import {
  type DisassembleOptions,
  type DisassembleResult,
  type DisassemblyStep,
  disassemble,
  type Part,
  verifyDisassembly,
} from '@impinge/motion';
import { ImpingeError } from 'impinge';
import type { AssemblyPart, AssemblyParts } from './assembly-parts.js';
import { bodyPose, inverseOf, meshPose, type PlacedPose, transformed } from './path-poses.js';

/** Lengths in metres. */
export interface Tolerances {
  readonly clearance: number;
  /** How deep parts may be in each other that touch at the start. */
  readonly allowed: number;
  /** Parts that may pass through the others: bolts in holes without threads. */
  readonly passing: readonly AssemblyPart[];
}

export interface TakeApartQuestion
  extends Tolerances,
    Pick<DisassembleOptions, 'directions' | 'timeLimit' | 'signal' | 'onProgress'> {
  /** Those that are to come out (default: all). */
  readonly remove?: readonly AssemblyPart[];
}

/** The way of a part; poses in metres, told as from the assembly. */
export interface WrittenMove {
  readonly part: AssemblyPart;
  /** The point that moves straight, in the part's own coordinates. */
  readonly centre: readonly number[];
  readonly poses: readonly PlacedPose[];
}

export interface WrittenStep {
  /** Of a straight motion. */
  readonly direction: readonly number[] | undefined;
  readonly moves: readonly WrittenMove[];
}

export interface TakenApart extends Pick<DisassembleResult, 'complete' | 'reason' | 'stats'> {
  readonly steps: readonly WrittenStep[];
  readonly left: readonly (readonly AssemblyPart[])[];
  readonly deeper: readonly (readonly AssemblyPart[])[];
  readonly blocking: readonly {
    readonly parts: readonly AssemblyPart[];
    readonly direction: readonly number[];
    readonly by: readonly AssemblyPart[];
  }[];
  readonly explosion: readonly { readonly part: AssemblyPart; readonly pose: PlacedPose }[];
  readonly depth: number;
}

export async function takeApart(
  assembly: AssemblyParts,
  { remove, clearance, allowed, passing, ...options }: TakeApartQuestion,
): Promise<TakenApart> {
  const unit = assembly.model.meta.metresPerUnit;
  const found = await disassemble(assembly.scene, {
    ...{ ...options, ...inUnits(assembly, { clearance, allowed, passing }) },
    ...(remove && { remove: remove.map(({ source }) => source) }),
  });
  const parts = (sources: readonly Part[]) => sources.map((source) => assembly.of(source));
  const steps = found.steps.map(({ direction, moves }) => ({
    direction,
    moves: moves.map(({ part: source, poses, centre }) => {
      const part = assembly.of(source);
      const { frame } = part.body;
      return {
        part,
        centre: transformed(frame, centre).map((x) => x * unit),
        poses: [part.stands, ...poses.slice(1).map((pose) => bodyPose(pose, frame, unit))],
      };
    }),
  }));
  const { step, depth } = verifySteps(assembly, steps, { clearance, allowed, passing });
  if (step >= 0) throw new ImpingeError('unsupported', `step ${step + 1} touches once its poses are rounded`);
  return {
    ...{ complete: found.complete, reason: found.reason, stats: found.stats, steps, depth },
    left: found.left.map(parts),
    deeper: found.deeper.map(parts),
    blocking: found.blocking.map(({ parts: those, direction, by }) => ({
      ...{ parts: parts(those), direction, by: parts(by) },
    })),
    explosion: found.explosion.map(({ part: source, pose }) => {
      const part = assembly.of(source);
      return { part, pose: bodyPose(pose, part.body.frame, unit) };
    }),
  };
}

/** Proves steps with distances alone: the first that is not proved, −1 where all are, and how deep parts get. */
export function verifySteps(
  assembly: AssemblyParts,
  steps: readonly WrittenStep[],
  tolerances: Tolerances,
): { readonly step: number; readonly depth: number } {
  const unit = assembly.model.meta.metresPerUnit;
  const given = steps.map(
    ({ moves }): DisassemblyStep => ({
      direction: undefined,
      moves: moves.map(({ part, poses, centre }) => ({
        part: part.source,
        poses: poses.map((pose) => meshPose(pose, part.body.frame, unit)),
        centre: Float64Array.from(
          transformed(
            inverseOf(part.body.frame),
            centre.map((x) => x / unit),
          ),
        ),
      })),
    }),
  );
  const { step, certificates } = verifyDisassembly(assembly.scene, given, inUnits(assembly, tolerances));
  return { step, depth: unit * certificates.reduce((most, { depth }) => Math.max(most, depth), 0) };
}

function inUnits({ model }: AssemblyParts, { clearance, allowed, passing }: Tolerances) {
  const unit = model.meta.metresPerUnit;
  const free = new Set<Part>(passing.map(({ source }) => source));
  return {
    clearance: clearance / unit,
    allowed: (part: Part, other: Part) => (free.has(part) || free.has(other) ? Infinity : allowed / unit),
  };
}
