/** `impinge info`: what is in a file. */
import { type Box, emptyBox, growBox, worldBoxOfTriangles } from '../box.js';
import type { Model } from '../formats/model.js';
import { readModel } from '../formats/read.js';
import {
  count,
  counted,
  decimal,
  fileSize,
  pathEnd,
  point,
  printable,
  type Terminal,
  table,
} from '../terminal.js';
import { countEdges, type EdgeCounts } from '../topology.js';

export interface InfoOptions {
  readonly json?: boolean;
  readonly all?: boolean;
}

const STORE_EXTENSION = '.impinge';
/** Rows of the table of objects that are shown unless --all is given. */
const ROWS = 30;

export async function info(
  files: readonly string[],
  options: InfoOptions,
  terminal: Terminal,
): Promise<number> {
  const reports = [];
  for (const [i, file] of files.entries()) {
    if (file.endsWith(STORE_EXTENSION)) {
      const { describeStore, printStore } = await import('./store-info.js');
      const report = await describeStore(file);
      if (options.json) reports.push(report);
      else {
        if (i > 0) terminal.out('\n');
        printStore(report, options.all === true, terminal);
      }
      continue;
    }
    const { model, byteLength } = await readModel(file);
    const report = describe(file, model, byteLength);
    if (options.json) reports.push(report);
    else terminal.out(`${i > 0 ? '\n' : ''}${printed(report, options.all === true, terminal)}`);
  }
  if (options.json) terminal.out(`${JSON.stringify(reports, undefined, 2)}\n`);
  return 0;
}

function describe(file: string, model: Model, byteLength: number | undefined) {
  const edges: (EdgeCounts | undefined)[] = [];
  const box = emptyBox();
  let triangles = 0;
  const objects = model.objects.map(({ name, path, geometry: g, matrix }) => {
    const geometry = model.geometries[g];
    const own = worldBoxOfTriangles(geometry, matrix);
    growBox(box, own);
    triangles += geometry.indices.length / 3;
    const { boundary, nonManifold } = (edges[g] ??= countEdges(geometry));
    return {
      name,
      path,
      triangles: geometry.indices.length / 3,
      vertices: geometry.positions.length / 3,
      box: minMax(own),
      closed: boundary === 0,
      boundaryEdges: boundary,
      nonManifoldEdges: nonManifold,
    };
  });
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  return {
    file,
    format: model.format,
    bytes: byteLength,
    units: model.format.startsWith('glTF') ? 'metres' : 'unknown',
    triangles,
    uniqueTriangles: sum(model.geometries.map(({ indices }) => indices.length / 3)),
    vertices: sum(model.geometries.map(({ positions }) => positions.length / 3)),
    box: minMax(box),
    objects,
  };
}

type Report = ReturnType<typeof describe>;

function minMax(box: Box) {
  return { min: [...box.subarray(0, 3)], max: [...box.subarray(3)] };
}

function printed(report: Report, all: boolean, { colors }: Terminal): string {
  const { objects, box } = report;
  const shared = report.uniqueTriangles !== report.triangles;
  const size = (axis: number) => decimal(box.max[axis] - box.min[axis]);
  const rows = [
    ['format', report.format],
    ['file size', report.bytes === undefined ? 'unknown' : fileSize(report.bytes)],
    ['objects', count(objects.length)],
    [
      'triangles',
      count(report.triangles) + (shared ? ` (${count(report.uniqueTriangles)} without instances)` : ''),
    ],
    ['vertices', count(report.vertices) + (shared ? ' without instances' : '')],
    ['box', `${point(box.min)} … ${point(box.max)}`],
    ['extent', `${size(0)} × ${size(1)} × ${size(2)}`],
    ['units', report.units === 'metres' ? 'metres, by the glTF standard' : 'unknown, the format has none'],
    ['closed', closedText(objects)],
  ];
  const lines = `${colors.bold(printable(report.file))}\n${table(rows)}`;
  if (objects.length === 1) return lines;
  const shown = all ? objects : objects.slice(0, ROWS);
  const objectRows = shown.map((object) => [
    pathEnd(object.path, 60),
    count(object.triangles),
    count(object.vertices),
    object.closed ? 'yes' : `no (${count(object.boundaryEdges)})`,
    [0, 1, 2].map((axis) => decimal(object.box.max[axis] - object.box.min[axis])).join(' × '),
  ]);
  const list = table([['object', 'triangles', 'vertices', 'closed', 'extent'], ...objectRows], [1, 2]);
  const left = objects.length - shown.length;
  return `${lines}\n${list}${left > 0 ? `  … and ${count(left)} more; --all lists them\n` : ''}`;
}

/** Vertices at equal positions count as one, so that split normals do not open a mesh. */
function closedText(objects: Report['objects']): string {
  const nonManifold = objects.reduce((sum, object) => sum + object.nonManifoldEdges, 0);
  const note = nonManifold > 0 ? `; ${counted(nonManifold, 'edge')} with more than two triangles` : '';
  const open = objects.filter(({ closed }) => !closed);
  if (open.length === 0) return `yes${note}`;
  const boundary = open.reduce((sum, object) => sum + object.boundaryEdges, 0);
  const which = objects.length > 1 ? `${counted(open.length, 'object')} open, ` : '';
  return `no: ${which}${counted(boundary, 'boundary edge')}${note}`;
}
