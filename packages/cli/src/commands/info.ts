/** `impinge info`: the contents of a file. */
import { countEdges, Mesh } from 'impinge';
import { type Box, emptyBox, growBox, usedVertices, worldBox } from '../box.js';
import { inputFiles } from '../formats/input-files.js';
import { leftOutLines } from '../formats/left-out.js';
import type { LoadedShape, Model } from '../formats/read-model.js';
import { placeOf } from '../formats/source-object.js';
import { matrixOfPose } from '../matrix.js';
import { openLines } from '../open-objects.js';
import { type FileOptions, readFiles } from '../reading.js';
import { isStore } from '../store-extension.js';
import {
  count,
  counted,
  decimal,
  fileSize,
  json,
  pathEnd,
  point,
  printable,
  type Terminal,
  table,
} from '../terminal.js';
import type { WordsAsked } from './info-words.js';
import { landmarkRows } from './landmark-rows.js';

export interface InfoOptions extends FileOptions, WordsAsked {
  readonly json?: boolean;
}

/** Number of objects in the table unless --all is given. */
const ROWS = 30;

export async function info(
  names: readonly string[],
  options: InfoOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.types || options.properties) {
    const { describeWords, printedWords } = await import('./info-words.js');
    const report = await describeWords(names, options);
    terminal.out(options.json ? json(report) : printedWords(report, options, terminal));
    return 0;
  }
  const reports: unknown[] = [];
  const say = (report: unknown, text: string) => {
    if (!options.json) terminal.out(`${reports.length > 0 ? '\n' : ''}${text}`);
    reports.push(report);
  };
  for (const name of names) {
    if (isStore(name)) {
      const { describeStore, printedStore } = await import('../store-report.js');
      const report = await describeStore(name);
      say(report, printedStore(report, options.all === true, terminal));
      continue;
    }
    // one after the other, so that only one has to fit into memory
    for (const path of await inputFiles([name])) {
      const [model] = await readFiles([path], options);
      const report = describe(model);
      say(report, printed(report, options.all === true, terminal));
    }
  }
  if (options.json) terminal.out(json(reports));
  return 0;
}

/** Lengths in metres. */
function describe(model: Model) {
  const { path: file, format, byteLength, metresPerUnit, statesUnit, shapes, leftOut } = model;
  const { storeys = [], rooms = [] } = model.landmarks;
  const box = emptyBox();
  const objects = shapes.flatMap(({ geometry, objects: users }) => {
    const edges = edgesOf(geometry);
    const vertices = usedVertices(geometry);
    return users.map((object) => {
      const { name, path } = object;
      const place = placeOf(object);
      const own = worldBox(geometry, vertices, place && matrixOfPose(place)).map((x) => metresPerUnit * x);
      growBox(box, own);
      return {
        name,
        path,
        triangles: geometry.indices.length / 3,
        vertices: geometry.positions.length / 3,
        box: minMax(own),
        closed: edges.open === 0,
        openEdges: edges.open,
        nonManifoldEdges: edges.nonManifold,
      };
    });
  });
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  return {
    file,
    format,
    bytes: byteLength,
    metresPerUnit,
    statesUnit,
    triangles: sum(objects.map(({ triangles }) => triangles)),
    uniqueTriangles: sum(shapes.map(({ geometry }) => geometry.indices.length / 3)),
    vertices: sum(shapes.map(({ geometry }) => geometry.positions.length / 3)),
    box: minMax(box),
    objects,
    storeys: storeys.map(({ name, elevation }) => ({ name, elevation: metresPerUnit * elevation })),
    rooms: rooms.map(({ name }) => name),
    leftOut,
  };
}

/** The edges of the mesh that a store would hold: if it is closed here, the check treats it as a solid. */
function edgesOf({ positions, indices }: LoadedShape['geometry']) {
  const mesh = Mesh.from({ positions, indices });
  try {
    return countEdges(mesh);
  } finally {
    mesh.dispose();
  }
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
    ['file size', fileSize(report.bytes)],
    ['objects', count(objects.length)],
    [
      'triangles',
      count(report.triangles) + (shared ? ` (${count(report.uniqueTriangles)} without instances)` : ''),
    ],
    ['vertices', count(report.vertices) + (shared ? ' without instances' : '')],
    ['box', `${point(box.min)} … ${point(box.max)}`],
    ['extent', `${size(0)} × ${size(1)} × ${size(2)}`],
    ['unit', unitText(report)],
    ['closed', closedText(objects)],
    ...landmarkRows(report.storeys, report.rooms.length),
    ...openLines(openOf(objects), ({ path }) => path).map((line) => ['note', line]),
    ...leftOutLines(report.leftOut).map((line) => ['note', printable(line)]),
  ];
  const lines = `${colors.bold(printable(report.file))}\n${table(rows)}`;
  if (objects.length === 1) return lines;
  const shown = all ? objects : objects.slice(0, ROWS);
  const objectRows = shown.map((object) => [
    pathEnd(object.path, 60),
    count(object.triangles),
    count(object.vertices),
    object.closed ? 'yes' : `no (${count(object.openEdges)})`,
    [0, 1, 2].map((axis) => decimal(object.box.max[axis] - object.box.min[axis])).join(' × '),
  ]);
  const list = table([['object', 'triangles', 'vertices', 'closed', 'extent'], ...objectRows], [1, 2]);
  const left = objects.length - shown.length;
  return `${lines}\n${list}${left > 0 ? `  … and ${count(left)} more; --all lists them\n` : ''}`;
}

/** Box and extent are in metres, whatever the file's unit. */
function unitText({ metresPerUnit, statesUnit }: Report): string {
  const unit = metresPerUnit === 1 ? 'metres' : `${decimal(metresPerUnit)} m in the file, metres here`;
  return statesUnit ? unit : `taken as ${unit}: the file does not state its unit (--unit)`;
}

function closedText(objects: Report['objects']): string {
  const nonManifold = objects.reduce((sum, object) => sum + object.nonManifoldEdges, 0);
  const note = nonManifold > 0 ? `; ${counted(nonManifold, 'edge')} with more than two triangles` : '';
  const open = openOf(objects);
  if (open.length === 0) return `yes${note}`;
  const edges = open.reduce((sum, object) => sum + object.openEdges, 0);
  const which = objects.length > 1 ? `${counted(open.length, 'object')} open, ` : '';
  return `no: ${which}${counted(edges, 'open edge')}${note}`;
}

function openOf(objects: Report['objects']) {
  return objects.filter(({ closed }) => !closed);
}
