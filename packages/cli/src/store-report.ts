/** The contents of a store, for people and for programs. */
import type { StoredModel } from '@impinge/model';
import { landmarkRows } from './commands/landmark-rows.js';
import { leftOutLines } from './formats/left-out.js';
import { openStoreAt } from './jobs/model-file.js';
import { openLines } from './open-objects.js';
import { count, counted, decimal, fileSize, pathEnd, printable, type Terminal, table } from './terminal.js';

export interface StoreReport {
  readonly file: string;
  readonly format: string;
  readonly bytes: number;
  readonly metresPerUnit: number;
  readonly triangles: number;
  readonly uniqueTriangles: number;
  readonly pieces: number;
  /** The originals first; empty if the store has no levels. Lengths in metres. */
  readonly levels: readonly LevelReport[];
  readonly sources: StoredModel['meta']['files'];
  readonly disciplines: readonly string[];
  readonly objects: readonly {
    readonly path: string;
    readonly triangles: number;
    readonly closed: boolean;
  }[];
}

export interface LevelReport {
  readonly pieces: number;
  readonly triangles: number;
  /** The largest error of its pieces, also as a share of the longest side of their shape. */
  readonly error: number;
  readonly errorShare: number;
}

/** Number of objects listed unless all are requested. */
const ROWS = 30;

export async function describeStore(file: string): Promise<StoreReport> {
  const model = await openStoreAt(file);
  try {
    return {
      file,
      format: 'impinge store',
      bytes: model.source.byteLength,
      metresPerUnit: model.meta.metresPerUnit,
      triangles: model.triangleCount,
      uniqueTriangles: model.directory.shapeTriangles.reduce((sum, triangles) => sum + triangles, 0),
      pieces: model.pieceCount,
      levels: levelsOf(model),
      sources: model.meta.files,
      disciplines: model.texts('discipline').filter((name) => name !== ''),
      objects: Array.from({ length: model.objectCount }, (_, i) => ({
        path: model.object(i).path,
        triangles: model.trianglesOf(i),
        closed: model.isClosed(i),
      })),
    };
  } finally {
    await model.dispose();
  }
}

function levelsOf({ directory: d, meta }: StoredModel): LevelReport[] {
  const levels: { pieces: number; triangles: number; error: number; errorShare: number }[] = [];
  for (let shape = 0; shape < d.shapeTriangles.length && d.pieceLevel.length > 0; shape++) {
    const first = d.shapeFirstPiece[shape];
    const size = longestSide(d.pieceBox.subarray(6 * first, 6 * (first + d.shapeExactPieces[shape])));
    for (let piece = first; piece < d.shapeFirstPiece[shape + 1]; piece++) {
      const number = d.pieceLevel[piece];
      while (levels.length <= number) levels.push({ pieces: 0, triangles: 0, error: 0, errorShare: 0 });
      const level = levels[number];
      const error = d.pieceOut[piece] + d.pieceIn[piece];
      level.pieces++;
      level.triangles += d.pieceTriangles[piece];
      level.error = Math.max(level.error, error * meta.metresPerUnit);
      if (size > 0) level.errorShare = Math.max(level.errorShare, error / size);
    }
  }
  return levels;
}

/** The longest side of the box around boxes. */
function longestSide(boxes: Float64Array): number {
  const sides = [0, 1, 2].map((axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (let at = axis; at < boxes.length; at += 6) {
      low = Math.min(low, boxes[at]);
      high = Math.max(high, boxes[at + 3]);
    }
    return high - low;
  });
  return Math.max(...sides);
}

function levelTable(levels: readonly LevelReport[]): string {
  if (levels.length === 0) return '';
  const rows = levels.map(({ pieces, triangles, error, errorShare }, number) => [
    String(number),
    count(pieces),
    count(triangles),
    error === 0 ? 'none' : `${decimal(Number(error.toPrecision(3)))} m`,
    error === 0 ? '' : `${decimal(Number((100 * errorShare).toPrecision(3)))} %`,
  ]);
  return `\n${table([['level', 'pieces', 'triangles', 'error', 'of the size'], ...rows], [0, 1, 2, 3, 4])}`;
}

export function printedStore(report: StoreReport, all: boolean, { colors }: Terminal): string {
  const { objects } = report;
  const open = objects.filter(({ closed }) => !closed);
  const head = `${colors.bold(printable(report.file))}  ${report.format}, ${fileSize(report.bytes)}\n`;
  const rows = [
    ['objects', count(objects.length)],
    ['triangles', `${count(report.triangles)} (${count(report.uniqueTriangles)} stored)`],
    ['pieces', count(report.pieces)],
    ['unit', `${decimal(report.metresPerUnit)} m`],
    ['closed', counted(objects.length - open.length, 'object')],
    ...openLines(open, ({ path }) => path).map((line) => ['note', line]),
    ['disciplines', report.disciplines.map((name) => printable(name, 40)).join(', ')],
    ...report.sources.flatMap(({ name, objects: own, triangles, leftOut = [], storeys = [], rooms = [] }) => [
      ['from', `${printable(name)}: ${counted(own, 'object')}, ${counted(triangles, 'triangle')}`],
      ...landmarkRows(storeys, rooms.length, report.metresPerUnit),
      ...leftOutLines(leftOut).map((line) => ['', printable(line)]),
    ]),
  ];
  const shown = all ? objects : objects.slice(0, ROWS);
  const list = table(
    shown.map(({ path, triangles, closed }) => [
      pathEnd(path, 60),
      count(triangles),
      closed ? 'closed' : 'open',
    ]),
    [1],
  );
  const left = objects.length - shown.length;
  const more = left > 0 ? `  … and ${count(left)} more; --all lists them\n` : '';
  const facts = table(rows.filter(([, value]) => value !== ''));
  return `${head}${facts}${levelTable(report.levels)}\n${list}${more}`;
}
