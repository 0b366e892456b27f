/** A small report for tests: beams and pipes on two storeys. */
import type { PageData } from '../../cli/src/wire/report.js';
import { Report } from '../src/report.js';

const KINDS = ['hard', 'clearance', 'touch'];
const STATUSES = ['', 'new', 'persisting', 'renamed', 'resolved', 'approved'];

interface Given {
  readonly kind?: string;
  readonly a?: number;
  readonly b?: number;
  readonly depth?: number;
  readonly distance?: number;
  readonly rule?: number;
  readonly storey?: number;
  readonly room?: number;
  readonly group?: number;
  readonly status?: string;
}

/** Clashes `c0`, `c1` …; objects 0 and 1 are beams, 2 and 3 pipes. */
function reportOf(given: readonly Given[]): PageData {
  const column = <T>(of: (one: Given, i: number) => T) => given.map(of);
  return {
    kinds: KINDS,
    measures: ['depth', 'distance', 'none'],
    statuses: STATUSES,
    matrices: ['disciplines'],
    sides: [['structure', 'piping']],
    rules: ['all', 'insulation'],
    storeys: ['Level 1', 'Level 2', ''],
    rooms: ['', 'A102 Bathroom'],
    grids: [''],
    penetrations: [''],
    objects: [
      ['Beam B-1', 'hall/Level 1/Beam B-1', 'idB1', 'IfcBeam', 'hall.ifc', [0]],
      ['Beam B-2', 'hall/Level 2/Beam B-2', 'idB2', 'IfcBeam', 'hall.ifc', [0]],
      ['Pipe P-1', 'pipes/Level 1/Pipe P-1', 'idP1', 'IfcPipeSegment', 'pipes.ifc', [1]],
      ['Pipe P-2', 'pipes/Level 2/Pipe P-2', 'idP2', 'IfcPipeSegment', 'pipes.ifc', [1]],
    ],
    groups: [
      ['g0', 'Beam B-1 / 2 pipes'],
      ['g1', 'Beam B-2 / pipe'],
    ],
    clashes: {
      id: column((_, i) => `c${i}`),
      formerIds: column(({ status }, i) => (status === 'renamed' ? `before${i}` : '')),
      kind: column(({ kind = 'hard' }) => KINDS.indexOf(kind)),
      form: column(() => ''),
      status: column(({ status = '' }) => STATUSES.indexOf(status)),
      a: column(({ a = 0 }) => a),
      b: column(({ b = 2 }) => b),
      depth: column(({ depth = 0 }) => depth),
      atMost: column(() => 0),
      distance: column(({ distance = 0 }) => distance),
      error: column(() => 0),
      x: column((_, i) => i),
      y: column(() => 0),
      z: column(() => 0),
      pairs: column(() => 1),
      rule: column(({ rule = 0 }) => rule),
      storey: column(({ storey = 0 }) => storey),
      room: column(({ room = 0 }) => room),
      grid: column(() => 0),
      penetration: column(() => 0),
      group: column(({ group = 0 }) => group),
    },
    box: { min: [0, 0, 0], max: [1, 1, 1] },
    review: {},
  };
}

export function beams(): Report {
  return new Report(
    reportOf([
      { depth: 0.2 },
      { depth: 0.1, a: 1, b: 3, storey: 1, room: 1, group: 1 },
      { depth: 0.05, b: 3, rule: 1, status: 'renamed' },
      { kind: 'clearance', distance: 0.02, a: 0, b: 1, storey: 2 },
      { depth: 0.3, status: 'resolved' },
    ]),
  );
}
