/**
 * `clashes.bcfzip` after BCF 2.1: one topic for each issue, with a view of it. Topics are named after their issues, so
 * that a tool which has had an earlier export updates what it has; issues that are gone since are closed.
 *
 * Invariant: entries carry one fixed date, and nothing depends on when or where it is written.
 */
import { deflateRawSync } from 'node:zlib';
import { Zip, ZipPassThrough } from 'fflate';
import { CLASH_KIND_TABLE, CLASH_KINDS, type Clash, type ClashKindInfo } from 'impinge/check';
import { type Camera, frameBox } from './camera.js';
import { roundCoordinate } from './clash-record.js';
import { objectKey } from './group-clashes.js';
import { type Group, objectName } from './group-summary.js';
import { measureText, type ReportClash, type ReportModel } from './report-data.js';
import { drawSnapshot } from './snapshot.js';
import type { Write } from './staged-files.js';
import { oneLine, plural } from './text.js';
import { nameUuid } from './uuid.js';
import { document, element, type Xml } from './xml.js';

/** Zip archives without extensions hold 65 535 entries, and a topic takes three. The worst come first. */
export const TOPICS_MAX = 20_000;

/** A picture takes longer than all the rest of a topic; the worst have one. */
const SNAPSHOTS_MAX = 200;

const TITLE_MAX = 200;
/** Clashes named in a description, components in a view; viewers choke on more. */
const LISTED_MAX = 50;
const COMPONENTS_MAX = 500;

/** Alpha, red, green, blue. */
const HUB_COLOUR = 'FFD92D20';
const OTHER_COLOUR = 'FF2E6FDB';

/** At least so much is shown around a contact, in metres, and no more than this part of the model. */
const VIEW_RADIUS = 1.25;
const VIEW_PART = 1 / 6;

// read as local time and written as local time: the same everywhere
const ENTRY_DATE = '1980-01-01T12:00:00';

export interface BcfTopics {
  readonly open: readonly Group[];
  readonly closed: readonly Group[];
}

export async function writeBcf(write: Write, model: ReportModel, { open, closed }: BcfTopics): Promise<void> {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  const add = (name: string, data: string | Uint8Array) => {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    const entry = typeof data === 'string' ? new DeflatedEntry(name) : new ZipPassThrough(name);
    entry.mtime = ENTRY_DATE;
    zip.add(entry);
    entry.push(bytes, true);
  };
  const flush = async () => {
    for (const chunk of chunks.splice(0)) await write(chunk);
  };
  add(
    'bcf.version',
    document(element('Version', { VersionId: '2.1' }, element('DetailedVersion', {}, '2.1'))),
  );
  add('project.bcfp', projectDocument(model));
  const topics = [
    ...open.map((group) => ({ group, status: 'Open' as const })),
    ...closed.map((group) => ({ group, status: 'Closed' as const })),
  ];
  for (const [index, { group, status }] of topics.slice(0, TOPICS_MAX).entries()) {
    const folder = topicGuid(group);
    const camera = frameBox(group.box, viewRadius(model));
    add(`${folder}/markup.bcf`, markupDocument(group, status, index, model));
    add(`${folder}/viewpoint.bcfv`, viewpointDocument(group, camera));
    if (index < SNAPSHOTS_MAX) add(`${folder}/snapshot.png`, drawSnapshot(group, camera, model.box));
    await flush();
  }
  zip.end();
  await flush();
}

/** A small file given at once; fflate's own streams cost four times as much for these. */
class DeflatedEntry extends ZipPassThrough {
  override readonly compression = 8;

  protected override process(chunk: Uint8Array, final: boolean): void {
    this.ondata(null, deflateRawSync(chunk), final);
  }
}

export function topicGuid({ id }: Group): string {
  return nameUuid(`topic ${id}`);
}

function viewpointGuid({ id }: Group): string {
  return nameUuid(`viewpoint ${id}`);
}

function viewRadius({ box: { min, max } }: ReportModel): number {
  const diagonal = Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  return diagonal > 0 ? Math.min(VIEW_RADIUS, diagonal * VIEW_PART) : VIEW_RADIUS;
}

function projectDocument({ title }: ReportModel): string {
  const name = oneLine(title, TITLE_MAX);
  const project = element('Project', { ProjectId: nameUuid(`project ${title}`) }, element('Name', {}, name));
  return document(element('ProjectExtension', {}, project, element('ExtensionSchema', {})));
}

function markupDocument(group: Group, status: 'Open' | 'Closed', index: number, model: ReportModel): string {
  const date = isoDate(model.date);
  const topic = element(
    'Topic',
    { Guid: topicGuid(group), TopicType: kindOf(group).bcf.type, TopicStatus: status },
    element('Title', {}, oneLine(group.title, TITLE_MAX)),
    element('Priority', {}, priority(group)),
    element('Index', {}, index),
    ...labels(group).map((label) => element('Labels', {}, oneLine(label, TITLE_MAX))),
    element('CreationDate', {}, date),
    element('CreationAuthor', {}, 'impinge'),
    element('Description', {}, description(group, status)),
  );
  const viewpoint = element(
    'Viewpoints',
    { Guid: viewpointGuid(group) },
    element('Viewpoint', {}, 'viewpoint.bcfv'),
    index < SNAPSHOTS_MAX ? element('Snapshot', {}, 'snapshot.png') : undefined,
    element('Index', {}, 0),
  );
  return document(element('Markup', {}, header(group, model, date), topic, viewpoint));
}

/** The files that the issue's objects came from. */
function header(group: Group, model: ReportModel, date: string): Xml | undefined {
  const names = new Set(group.clashes.flatMap(({ a, b }) => [a.file, b.file]));
  names.delete('');
  if (names.size === 0) return undefined;
  const files = [...names].sort().map((name) => {
    const project = model.files.find((file) => file.name === name)?.ifcProject ?? '';
    const attributes = { IfcProject: isIfcGuid(project) ? project : undefined, IsExternal: 'true' };
    return element('File', attributes, element('Filename', {}, name), element('Date', {}, date));
  });
  return element('Header', {}, ...files);
}

/** Of its worst clash. */
function kindOf({ clashes }: Group): ClashKindInfo {
  return CLASH_KIND_TABLE[clashes[0].kind];
}

function labels({ kinds, rule }: Group): string[] {
  return [...CLASH_KINDS.filter((kind) => kinds[kind]), ...(rule === '' ? [] : [rule])];
}

function priority({ worstDepth, kinds }: Group): 'High' | 'Medium' | 'Low' {
  if (worstDepth >= 0.05) return 'High';
  const least = CLASH_KINDS.some((kind) => kinds[kind] && CLASH_KIND_TABLE[kind].bcf.priority === 'Medium');
  return worstDepth >= 0.01 || least ? 'Medium' : 'Low';
}

function description(group: Group, status: 'Open' | 'Closed'): string {
  const count = plural(group.clashCount, 'clash', 'clashes');
  const lines = group.clashes.slice(0, LISTED_MAX).map(clashText);
  const left = group.clashCount - lines.length;
  if (left > 0) lines.push(`… and ${left} more`);
  const gone = status === 'Closed' ? ', no longer there' : '';
  return [`${count}${gone}. Rule: ${oneLine(group.rule, TITLE_MAX)}.`, ...lines].join('\n');
}

function clashText(clash: ReportClash): string {
  const { kind, form, a, b, id } = clash;
  const length = measureText(clash);
  const way = CLASH_KIND_TABLE[kind].measure === 'depth' ? 'deep' : 'apart';
  const measure = length === undefined ? '' : `, ${length} ${way}`;
  return `${form ? `${kind} (${form})` : kind}${measure}: ${objectName(a)} / ${objectName(b)} [${oneLine(id, 80)}]`;
}

function viewpointDocument(group: Group, camera: Camera): string {
  const { hubs, others } = sides(group);
  const colour = (argb: string, objects: readonly Clash['a'][]) =>
    objects.length > 0 ? element('Color', { Color: argb }, ...objects.map(component)) : undefined;
  const components = element(
    'Components',
    {},
    element('Selection', {}, ...[...hubs, ...others].map(component)),
    element('Visibility', { DefaultVisibility: 'true' }),
    element('Coloring', {}, colour(HUB_COLOUR, hubs), colour(OTHER_COLOUR, others)),
  );
  const vector = (name: string, p: readonly number[]) =>
    element(name, {}, ...['X', 'Y', 'Z'].map((axis, k) => element(axis, {}, roundCoordinate(p[k]))));
  const view = element(
    'PerspectiveCamera',
    {},
    vector('CameraViewPoint', camera.eye),
    vector('CameraDirection', camera.direction),
    vector('CameraUpVector', camera.up),
    element('FieldOfView', {}, camera.fieldOfViewDegrees),
  );
  return document(element('VisualizationInfo', { Guid: viewpointGuid(group) }, components, view));
}

/** The element that all clashes share and the rest; or first sides and second sides. Each object is in one of them. */
function sides(group: Group): { hubs: Clash['a'][]; others: Clash['a'][] } {
  const hubs = new Map<string, Clash['a']>();
  const others = new Map<string, Clash['a']>();
  if (group.hub) hubs.set(objectKey(group.hub), group.hub);
  for (const { a, b } of group.clashes) {
    if (hubs.size + others.size >= COMPONENTS_MAX) break;
    for (const [object, side] of [[a, group.hub ? others : hubs] as const, [b, others] as const]) {
      const key = objectKey(object);
      if (!hubs.has(key) && !others.has(key)) side.set(key, object);
    }
  }
  return { hubs: [...hubs.values()], others: [...others.values()] };
}

/** By its GUID where it has one; otherwise by what the file calls it. */
function component({ id, file }: Clash['a']): Xml {
  if (isIfcGuid(id)) return element('Component', { IfcGuid: id });
  return element(
    'Component',
    {},
    element('OriginatingSystem', {}, file || 'impinge'),
    element('AuthoringToolId', {}, oneLine(id, TITLE_MAX)),
  );
}

/** 128 bits in 22 digits to the base 64: the first holds two of them. */
export function isIfcGuid(id: string): boolean {
  return /^[0-3][0-9A-Za-z_$]{21}$/.test(id);
}

/** As XML writes dates; the beginning of 1970 where the model has none. */
function isoDate(date: string): string {
  const zoned = /T/.test(date) && !/(Z|[+-]\d\d:?\d\d)$/.test(date) ? `${date}Z` : date;
  const time = Date.parse(zoned);
  return new Date(Number.isNaN(time) ? 0 : time).toISOString();
}
