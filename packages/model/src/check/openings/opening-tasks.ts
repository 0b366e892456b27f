/** Openings to be judged: those of which a rule wants to know whether they are too large. */
import { widenBox } from 'impinge/internal/mesh/reach.js';
import { boxesNearAt } from 'impinge/internal/volumes/broad-phase.js';
import { BoxTree } from '../../store/box-tree.js';
import type { StoredModel } from '../../store/model.js';
import { emptyBox } from '../../store/placed-box.js';
import { kindBit } from '../clash-kinds.js';
import type { Exclusions } from '../exclusions/exclusions.js';
import { ObjectFacts } from '../exclusions/object-facts.js';
import type { RuleTable } from '../rules/rule-table.js';
import { HOST_CLASSES, SERVICE_CLASSES } from './services.js';

/** An opening, what it is in, and what may go through it. */
export interface OpeningTask {
  /** The file, and the opening among those of the file. */
  readonly file: number;
  readonly opening: number;
  readonly host: number;
  /** Rising. */
  readonly services: readonly number[];
  /** The rule that decides about each of these and the host; −1: none. */
  readonly rules: readonly number[];
}

const OVERSIZED = kindBit('oversized');

/** In the order of the files. */
export function findOpeningTasks(
  model: StoredModel,
  rules: RuleTable,
  exclusions: Pick<Exclusions, 'of'>,
): OpeningTask[] {
  const { files } = model.meta;
  const isAsked = rules.rules.some(({ kinds }) => kinds & OVERSIZED);
  if (!isAsked || files.every(({ openings = [] }) => openings.length === 0)) return [];
  const facts = new ObjectFacts(model);
  const [isHost, isService] = [facts.ofType(HOST_CLASSES), facts.ofType(SERVICE_CLASSES)];
  if (!isHost || !isService) return [];
  const hosts = new Map<string, number>();
  for (let object = 0; object < model.objectCount; object++)
    if (isHost(object)) hosts.set(`${model.text(object, 'file')}\0${model.text(object, 'id')}`, object);
  const tree = new BoxTree(model.directory.objectBox);
  const tasks: OpeningTask[] = [];
  for (const [file, { name, openings = [] }] of files.entries()) {
    for (const [opening, { host: id, positions }] of openings.entries()) {
      const host = hosts.get(`${name}\0${id}`);
      if (host === undefined) continue;
      const bounds = emptyBox();
      widenBox(bounds, Float64Array.from(positions));
      const services: number[] = [];
      const isNear = (boxes: Float64Array, at: number) => boxesNearAt(bounds, 0, boxes, at, 0);
      tree.some(isNear, (object) => {
        if (object !== host && isService(object)) services.push(object);
        return false;
      });
      services.sort((p, q) => p - q);
      const deciding = services.map((service) => {
        const rule = rules.ruleOf(host, service);
        const isLeftOut = exclusions.of(Math.min(host, service), Math.max(host, service)) !== undefined;
        return rule >= 0 && rules.rules[rule].kinds & OVERSIZED && !isLeftOut ? rule : -1;
      });
      if (deciding.some((rule) => rule >= 0)) tasks.push({ file, opening, host, services, rules: deciding });
    }
  }
  return tasks;
}
