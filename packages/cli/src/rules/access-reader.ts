/** What a rule says of access: `access: { to: SELECTION or [x, y, z], clearance, snap, poses }`. */
import type { Vec3 } from 'impinge';
import { isScalar, isSeq, type Node } from 'yaml';
import { ACCESS_DEFAULTS, type AccessRule } from '../path/access.js';
import type { NodeReader } from './node-reader.js';
import type { SelectionReader } from './selection-reader.js';

const KEYS = ['to', 'clearance', 'snap', 'poses'];
/** What a rule with access may have besides. */
const BESIDE = ['name', 'a', 'access'];
const MOST_POSES = 1_000_000;

export function readAccess(
  name: string,
  rule: ReadonlyMap<string, Node>,
  nodes: NodeReader,
  selections: SelectionReader,
): AccessRule | undefined {
  const given = rule.get('access')!;
  for (const [key, node] of rule)
    if (!BESIDE.includes(key)) nodes.problem(node, `access: a rule with it has no ${key}`);
  const map = nodes.map(given, 'access', KEYS);
  const a = rule.get('a');
  if (a === undefined) nodes.problem(given, 'access: side a says which objects must be removable');
  const goal = map.get('to');
  if (goal === undefined)
    nodes.problem(given, 'access: "to" says where: {type: IfcDoor}, or [x, y, z] in metres');
  const objects = a && selections.selection(a, 'a');
  const to = goal && readGoal(goal, nodes, selections);
  const poses = map.get('poses') && nodes.number(map.get('poses')!, 'poses');
  if (poses !== undefined && !(Number.isInteger(poses) && poses > 1 && poses <= MOST_POSES))
    nodes.problem(map.get('poses')!, `poses: write a whole number from 2 to ${MOST_POSES}`);
  if (objects === undefined || to === undefined) return undefined;
  return {
    ...{ name, objects, to },
    clearance: nodes.length(map.get('clearance'), 'clearance') ?? 0,
    snap: nodes.length(map.get('snap'), 'snap') ?? ACCESS_DEFAULTS.snap,
    poses: poses ?? ACCESS_DEFAULTS.poses,
  };
}

/** Three numbers are a point. */
function readGoal(given: Node, nodes: NodeReader, selections: SelectionReader): AccessRule['to'] | undefined {
  const node = nodes.followed(given);
  const isPoint =
    isSeq(node) &&
    node.items.length > 0 &&
    node.items.every((x) => isScalar(x) && typeof x.value === 'number');
  if (!isPoint) return selections.selection(given, 'to');
  const numbers = nodes.list(given, 'to').flatMap((one) => nodes.number(one, 'to') ?? []);
  if (numbers.length !== 3) return nodes.problem(given, 'to: a point has three numbers, in metres');
  return { point: numbers as unknown as Vec3 };
}
