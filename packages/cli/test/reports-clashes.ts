/** Clashes made up for the tests of reports: a plant of five storeys whose pipes, ducts, trays and beams meet. */
import type { Clash, ClashKind } from '@impinge/model';
import { seededRandom } from '@impinge/scenes/random';
import type { Vec3 } from 'impinge';
import type { ReportFormat } from '../src/reports/choices.js';
import { groupClashes } from '../src/reports/group-clashes.js';
import { PainterHere } from '../src/reports/painter.js';
import type { ReportClash, ReportInput } from '../src/reports/report-data.js';

type Discipline = readonly [name: string, type: string, label: string];

const DISCIPLINES: readonly Discipline[] = [
  ['structure', 'IfcBeam', 'Beam B'],
  ['piping', 'IfcPipeSegment', 'Pipe P'],
  ['hvac', 'IfcDuctSegment', 'Duct D'],
  ['electrical', 'IfcCableCarrierSegment', 'Tray T'],
  ['architecture', 'IfcWall', 'Wall W'],
  ['equipment', 'IfcPump', 'Pump E'],
];

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$';

/** The object with this number in its discipline and storey. */
export function plantObject(discipline: number, storey: number, number: number): Clash['a'] {
  const [name, type, label] = DISCIPLINES[discipline];
  const random = seededRandom(1 + discipline + 7 * storey + 101 * number);
  const id = `0${Array.from({ length: 21 }, () => DIGITS[Math.floor(64 * random())]).join('')}`;
  const own = `${label}-${storey}${String(number).padStart(3, '0')}`;
  const line = `${name} L${1 + (number % 9)}`;
  return {
    id,
    name: own,
    path: `${name}/Level ${storey}/${line}/${own}`,
    type,
    discipline: name,
    file: `${name}.ifc`,
    storey: `Level ${storey}`,
    rounding: 1e-6,
    curveError: 0,
    box: { min: [number, 0, 4 * storey], max: [number + 1, 1, 4 * storey + 1] },
  };
}

export interface ClashParts {
  readonly a: Clash['a'];
  readonly b: Clash['a'];
  readonly kind?: ClashKind;
  readonly depth?: number;
  readonly distance?: number;
  readonly point?: Vec3;
  readonly rule?: string;
}

export function clash({
  a,
  b,
  kind = 'hard',
  depth = 0.02,
  distance = 0,
  point = [0, 0, 0],
  rule = 'all',
}: ClashParts): Clash {
  const reach = Math.max(depth, distance, 0.01);
  return {
    id: `${a.file}:${a.id}+${b.file}:${b.id}+${rule}`,
    kind,
    form: kind === 'hard' ? (depth > 0.1 ? 'piercing' : 'protruding') : undefined,
    a,
    b,
    distance: kind === 'clearance' ? distance : 0,
    depth: kind === 'hard' || kind === 'inside' ? depth : 0,
    depthBound: depth,
    point,
    box: {
      min: [point[0] - reach, point[1] - reach, point[2] - reach],
      max: [point[0] + reach, point[1] + reach, point[2] + reach],
    },
    trianglePairs: kind === 'clearance' ? 0 : 1 + Math.round(1000 * depth),
    rule,
  };
}

/** So many clashes of different pairs in a plant of 80 × 45 × 25 metres. */
export function plantClashes(count: number, seed: number): Clash[] {
  const random = seededRandom(seed);
  const pick = (n: number) => Math.floor(n * random());
  const perStorey = Math.max(20, Math.ceil(count / 25));
  const clashes = new Map<string, Clash>();
  while (clashes.size < count) {
    const storey = 1 + pick(5);
    const first = pick(6);
    // few elements have most of the clashes, as in real models
    const number = Math.floor(perStorey * random() ** 3);
    const a = plantObject(first, storey, number);
    const b = plantObject((first + 1 + pick(5)) % 6, storey, pick(perStorey));
    const share = random();
    const kind: ClashKind =
      share < 0.55 ? 'hard' : share < 0.62 ? 'inside' : share < 0.65 ? 'duplicate' : 'clearance';
    const seat = seededRandom(number + 1000 * first + storey);
    const point: Vec3 = [
      Math.min(80, Math.max(0, 80 * seat() + 6 * (random() - 0.5))),
      Math.min(45, Math.max(0, 45 * seat() + 6 * (random() - 0.5))),
      5 * storey - 5 + 4.5 * random(),
    ];
    const rule = kind === 'clearance' ? 'services keep 50 mm' : 'everything';
    const made = clash({ a, b, kind, depth: 0.6 * random() ** 4, distance: 0.05 * random(), point, rule });
    clashes.set(made.id, made);
  }
  return [...clashes.values()];
}

export function grouped(clashes: readonly Clash[]): ReportClash[] {
  return groupClashes(clashes, DATE);
}

/** Of the model in these reports. */
export const DATE = '2024-05-17T08:30:00Z';

/** A great number of clashes of few objects, ever deeper, in issues of a hundred. */
export function manyClashes(count: number): ReportClash[] {
  const few = plantClashes(50, 34);
  return Array.from({ length: count }, (_, i) => {
    const kind = 'hard' as const;
    return {
      ...few[i % 50],
      id: `${i}`,
      kind,
      depth: i / 1e6,
      group: `g${Math.floor(i / 100)}`,
      status: undefined,
      formerIds: [],
      since: DATE,
      issueSince: DATE,
      review: undefined,
      storey: '',
      room: '',
      penetration: '' as const,
      grid: '',
    };
  });
}

const MODEL_BOX = { min: [0, 0, 0], max: [80, 45, 25] } as const;

export function reportInput(
  clashes: readonly ReportClash[],
  formats: readonly ReportFormat[] = ['jsonl', 'csv', 'html', 'bcf'],
  resolved?: readonly ReportClash[],
): ReportInput {
  const rules = [...new Set(clashes.map(({ rule }) => rule))].sort();
  return {
    model: {
      title: 'Harbour plant, unit 4',
      files: DISCIPLINES.map(([name]) => ({
        name: `${name}.ifc`,
        modified: DATE,
        objects: 412,
        triangles: 184_220,
      })),
      objectCount: 2472,
      triangleCount: 1_105_320,
      disciplines: DISCIPLINES.map(([name]) => name),
      date: DATE,
      box: MODEL_BOX,
    },
    run: {
      clearance: 0.05,
      tolerance: 0,
      rules: rules.map((name) => ({
        name,
        clearance: name.includes('50') ? 0.05 : 0,
        tolerance: 0,
        objects: [412, 824] as const,
        kinds: ['hard', 'inside', 'clearance', 'duplicate'],
        clashes: clashes.filter(({ rule }) => rule === name).length,
      })),
      touches: 318,
      asked: { rules: [], sets: {}, exclusions: true, clearance: 0, tolerance: 0, kinds: ['hard'] },
      pairsChecked: 9120,
      findings: [],
      excluded: [{ name: 'assemblies', why: 'parts of one assembly', pairs: 21 }],
    },
    clashes,
    approved: [],
    resolved,
    async *excluded() {},
    formats,
    bcf: '2.1',
    sheetsBy: 'storey',
    failOn: 'any',
    painter: new PainterHere(MODEL_BOX, undefined),
    scenery: undefined,
    review: undefined,
  };
}
