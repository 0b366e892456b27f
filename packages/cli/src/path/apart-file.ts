/** How an assembly comes apart, in a JSON file that says all that is needed to verify it: lengths in metres. */
import { dirname } from 'node:path';
import * as v from 'valibot';
import { CommandError } from '../command-error.js';
import { writeTextAtomically } from '../jobs/atomic-file.js';
import { json } from '../terminal.js';
import type { AssemblyPart, AssemblyParts } from './assembly-parts.js';
import { placedPoseSchema, placeFrom, placeIn, readMotionFile, vector } from './motion-file.js';
import type { TakenApart, Tolerances, WrittenStep } from './take-apart.js';

export interface ApartAsked extends Tolerances {
  /** As on the command line. */
  readonly model: string;
  readonly parts: string | undefined;
}

const VERSION = 1;
const length = v.pipe(v.number(), v.finite(), v.minValue(0));
const part = v.object({ object: v.pipe(v.number(), v.integer()), path: v.string() });

const SCHEMA = v.object({
  impingeDisassembly: v.literal(VERSION),
  model: v.string(),
  parts: v.optional(v.string()),
  clearance: length,
  allowed: length,
  passing: v.array(part),
  steps: v.array(
    v.object({
      direction: v.optional(vector(3)),
      moves: v.pipe(
        v.array(
          v.object({ part, centre: vector(3), poses: v.pipe(v.array(placedPoseSchema), v.minLength(2)) }),
        ),
        v.minLength(1),
      ),
    }),
  ),
});

type Read = v.InferOutput<typeof SCHEMA>;

export function apartJson(
  { model, parts, clearance, allowed, passing }: ApartAsked,
  found: TakenApart,
  folder: string,
) {
  const { steps, left, deeper, blocking, explosion, ...rest } = found;
  const lists = (these: readonly (readonly AssemblyPart[])[]) => these.map((list) => list.map(named));
  return {
    impingeDisassembly: VERSION,
    model: placeIn(folder, model),
    ...(parts !== undefined && { parts }),
    ...{ clearance, allowed, passing: passing.map(named), ...rest },
    steps: steps.map(({ direction, moves }) => ({
      ...(direction && { direction }),
      moves: moves.map(({ part: one, centre, poses }) => ({ part: named(one), centre, poses })),
    })),
    left: lists(left),
    deeper: lists(deeper),
    blocking: blocking.map(({ parts: those, direction, by }) => ({
      ...{ parts: those.map(named), direction, by: by.map(named) },
    })),
    explosion: explosion.map(({ part: one, pose }) => ({ part: named(one), ...pose })),
  };
}

export function writeApart(output: string, asked: ApartAsked, found: TakenApart): Promise<void> {
  return writeTextAtomically(output, json(apartJson(asked, found, dirname(output))));
}

/** The model is named from where the file is. */
export async function readApart(name: string): Promise<Read> {
  const read = await readMotionFile(name, SCHEMA, 'impinge disassemble');
  return { ...read, model: placeFrom(name, read.model) };
}

/** What a file says of the parts of a model. */
export function stepsOf(name: string, { steps, ...read }: Read, assembly: AssemblyParts) {
  const byObject = new Map(assembly.parts.map((one) => [one.object, one]));
  const partOf = ({ object, path }: Read['passing'][number]): AssemblyPart => {
    const found = byObject.get(object);
    if (found?.path === path) return found;
    throw new CommandError(`${name}: its part ${path} is not in the model, or elsewhere`);
  };
  return {
    steps: steps.map(
      ({ direction, moves }): WrittenStep => ({
        direction,
        moves: moves.map((move) => ({ ...move, part: partOf(move.part) })),
      }),
    ),
    tolerances: { clearance: read.clearance, allowed: read.allowed, passing: read.passing.map(partOf) },
  };
}

function named({ object, path }: AssemblyPart) {
  return { object, path };
}
