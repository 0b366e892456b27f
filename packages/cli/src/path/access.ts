/**
 * Whether objects can be taken where rules want them: for each, a path that is proved, or what is in its way.
 *
 * The searches end by the poses they keep, not by time, so that what is found depends on no machine. The objects of
 * `to` are open doors: they are not in the way. Goals are the nearest of them, the object as it stands and turned by a
 * quarter.
 */
import {
  blockedClash,
  type Clash,
  type Selection,
  type SelectionSets,
  type StoredModel,
  selectObjects,
} from '@impinge/model';
import type { Vec3 } from 'impinge';
import { CommandError } from '../command-error.js';
import { multiply } from '../matrix.js';
import { bodyOfObject, type PathBody } from './path-body.js';
import { lengthOf } from './path-file.js';
import { scaledTranslation } from './path-poses.js';
import { BlockedEnd, type Certified, type PathHit, searchPath, type WrittenPath } from './search-path.js';
import { StandingModel } from './standing-model.js';

/** Lengths in metres. */
export interface AccessRule {
  readonly name: string;
  /** Those that must be removable. */
  readonly objects: Selection;
  /** Doors and hatches, or a point: where to. */
  readonly to: Selection | { readonly point: Vec3 };
  readonly clearance: number;
  /** How far an object may be moved to be free of what it stands on or is fixed to. */
  readonly snap: number;
  /** Poses that each search may keep. */
  readonly poses: number;
}

/** A rule with the objects it selects in a model. */
export interface OpenAccessRule extends AccessRule {
  readonly selected: readonly number[];
  readonly doors: readonly number[];
}

/** Of one object; lengths in metres. */
export interface AccessFinding {
  readonly rule: string;
  readonly object: number;
  readonly path?: WrittenPath & { readonly certificate: Pick<Certified, 'clearance' | 'nearest'> };
}

export interface AccessAnswer {
  readonly finding: AccessFinding;
  /** In the unit of the model; undefined: a way was found. */
  readonly clash: Clash | undefined;
}

export const ACCESS_DEFAULTS = { snap: 0.05, poses: 2000 } as const;
/** Doors that are tried, the nearest first. */
const DOORS = 3;
/** No search takes this long before it has kept its poses; it only ends what would never end. */
const MOST_SECONDS = 3600;

/** Throws where a rule selects nothing, unless that is allowed. */
export async function openAccess(
  model: StoredModel,
  rules: readonly AccessRule[],
  sets: SelectionSets,
  allowEmpty: boolean,
): Promise<OpenAccessRule[]> {
  const open: OpenAccessRule[] = [];
  for (const rule of rules) {
    const { objects, to, name } = rule;
    const isPoint = typeof to === 'object' && 'point' in to;
    const [selected, doors = []] = await selectObjects(model, isPoint ? [objects] : [objects, to], sets);
    if (!allowEmpty && selected.length === 0)
      throw new CommandError(`rule "${name}": side a selects no object`);
    if (!allowEmpty && !isPoint && doors.length === 0)
      throw new CommandError(`rule "${name}": access, to selects no object`);
    open.push({ ...rule, selected, doors });
  }
  return open;
}

/** One object after the other; `isDone` says which are known. */
export async function* checkAccess(
  model: StoredModel,
  rules: readonly OpenAccessRule[],
  {
    memory,
    signal,
    isDone,
  }: {
    readonly memory: number;
    readonly signal: AbortSignal;
    readonly isDone: (rule: string, object: number) => boolean;
  },
): AsyncGenerator<AccessAnswer, void, void> {
  for (const rule of rules) {
    const standing = new StandingModel(model, memory, rule.doors);
    try {
      for (const object of rule.selected) {
        if (isDone(rule.name, object) || rule.doors.includes(object)) continue;
        signal.throwIfAborted();
        yield await standing.without(object, () => askedOf(standing, rule, object, signal));
      }
    } finally {
      await standing.dispose();
    }
  }
}

async function askedOf(
  standing: StandingModel,
  rule: OpenAccessRule,
  object: number,
  signal: AbortSignal,
): Promise<AccessAnswer> {
  const { model } = standing;
  const unit = model.meta.metresPerUnit;
  const body = await bodyOfObject(model, object);
  const { name } = rule;
  let hit: PathHit | undefined;
  try {
    for (const goal of goalsOf(standing, rule, body)) {
      const asked = {
        from: scaledTranslation(body.stands!, unit),
        to: goal,
        signal,
        timeLimit: MOST_SECONDS,
      };
      const { clearance, snap, poses } = rule;
      try {
        const answer = await searchPath(standing, body, { ...asked, clearance, snap, mostPoses: poses });
        if (answer.found) {
          const { clearance: kept, nearest } = answer.certificate;
          const path = { ...answer.path, certificate: { clearance: kept, nearest } };
          return { finding: { rule: name, object, path }, clash: undefined };
        }
        hit ??= answer.hit;
      } catch (error) {
        if (!(error instanceof BlockedEnd)) throw error;
        const point = middleOf(model, object).map((x) => x * unit) as unknown as Vec3;
        if (error.end === 'start') {
          hit = error.obstacle === undefined ? undefined : { object: error.obstacle, point };
          break;
        }
        hit ??=
          error.obstacle === undefined ? undefined : { object: error.obstacle, point: positionOf(goal) };
      }
    }
  } finally {
    body.mesh.dispose();
  }
  const point = (hit?.point.map((x) => x / unit) ?? middleOf(model, object)) as unknown as Vec3;
  // where nothing on the straight way tells, it is the door that was not reached
  const obstacle = hit?.object ?? rule.doors[0] ?? object;
  return {
    finding: { rule: name, object },
    clash: blockedClash(model, { object, obstacle, point, rule: name }),
  };
}

/** Where the middle of the object may go: matrices in metres. */
function goalsOf(
  { model }: StandingModel,
  { to, doors }: OpenAccessRule,
  { object }: PathBody,
): Float64Array[] {
  const unit = model.meta.metresPerUnit;
  const from = middleOf(model, object!);
  const places =
    typeof to === 'object' && 'point' in to
      ? [to.point]
      : doors
          .map((door) => middleOf(model, door))
          .map((middle) => ({ middle, away: Math.hypot(...middle.map((x, k) => x - from[k])) }))
          .sort((p, q) => p.away - q.away)
          .slice(0, DOORS)
          .map(({ middle }) => middle.map((x) => x * unit));
  const quarter = Float64Array.of(0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  return places.flatMap(([x, y, z]) => {
    const at = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1);
    return [at, multiply(at, quarter)];
  });
}

function middleOf(model: StoredModel, object: number): Vec3 {
  const box = model.box(object);
  return [0, 1, 2].map((k) => 0.5 * (box[k] + box[3 + k])) as unknown as Vec3;
}

function positionOf(matrix: Float64Array): Vec3 {
  return [matrix[12], matrix[13], matrix[14]];
}

export type AccessRecord = ReturnType<typeof accessRecord>;

/** What a report keeps of all findings. */
export function accessRecord(model: StoredModel, findings: readonly AccessFinding[]) {
  return findings.map(({ rule, object, path }) => ({
    rule,
    object: {
      id: model.text(object, 'id'),
      path: model.text(object, 'path'),
      file: model.object(object).file,
    },
    found: path !== undefined,
    ...(path && {
      length: lengthOf(path),
      certificate: path.certificate,
      centre: path.centre,
      poses: path.poses.map(({ position, rotation }, i) => ({ time: path.times[i], position, rotation })),
    }),
  }));
}
