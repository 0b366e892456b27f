/** What is in a store, for people and for programs. */
import type { StoredModel } from 'impinge/store';
import { leftOutLines } from './formats/left-out.js';
import { openStoreAt } from './jobs/model-file.js';
import { count, counted, decimal, fileSize, pathEnd, printable, type Terminal, table } from './terminal.js';

export interface StoreReport {
  readonly file: string;
  readonly format: string;
  readonly bytes: number;
  readonly metresPerUnit: number;
  readonly triangles: number;
  readonly uniqueTriangles: number;
  readonly pieces: number;
  readonly sources: StoredModel['meta']['files'];
  readonly disciplines: readonly string[];
  readonly objects: readonly {
    readonly path: string;
    readonly triangles: number;
    readonly closed: boolean;
  }[];
}

/** Objects that are listed unless all are asked for. */
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

export function printedStore(report: StoreReport, all: boolean, { colors }: Terminal): string {
  const { objects } = report;
  const head = `${colors.bold(printable(report.file))}  ${report.format}, ${fileSize(report.bytes)}\n`;
  const rows = [
    ['objects', count(objects.length)],
    ['triangles', `${count(report.triangles)} (${count(report.uniqueTriangles)} stored)`],
    ['pieces', count(report.pieces)],
    ['unit', `${decimal(report.metresPerUnit)} m`],
    ['closed', `${count(objects.filter(({ closed }) => closed).length)} objects`],
    ['disciplines', report.disciplines.map((name) => printable(name, 40)).join(', ')],
    ...report.sources.flatMap(({ name, objects: own, triangles, leftOut = [] }) => [
      ['from', `${printable(name)}: ${counted(own, 'object')}, ${counted(triangles, 'triangle')}`],
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
  return `${head}${table(rows.filter(([, value]) => value !== ''))}\n${list}${more}`;
}
