/**
 * An archive after BCF 2.1 or 3.0: one topic for each issue, with a view of it. Topics are named after their issues, so
 * that a tool which has had an earlier export updates what it has; issues that are gone since are closed.
 *
 * Invariant: entries carry one fixed date, and nothing depends on when or where it is written.
 */
import { deflateRawSync } from 'node:zlib';
import { Zip, ZipPassThrough } from 'fflate';
import type { Group, Issues } from '../group-summary.js';
import type { IssueView, Pictures } from '../picture.js';
import type { ReportBox } from '../report-box.js';
import type { ReportInput } from '../report-data.js';
import type { Write } from '../staged-files.js';
import { plainView } from '../view.js';
import { type BcfVersion, layoutOf } from './layout.js';
import {
  extensionsDocument,
  markupDocument,
  projectDocument,
  TOPIC_STATUSES,
  type Topic,
  topicGuid,
} from './topic.js';
import { viewpointDocument } from './viewpoint.js';

/** Zip archives without extensions hold 65 535 entries, and a topic takes three. The worst come first. */
export const TOPICS_MAX = 20_000;

/** A picture takes longer than all the rest of a topic; the worst have one. */
const SNAPSHOTS_MAX = 200;

/** Of those without a picture, so many are written while the pictures of the others are drawn. */
const WRITTEN_AHEAD = 1000;

/** A topic is some small pieces, and writing costs more than they do. */
const FLUSH_BYTES = 1 << 18;

// read as local time and written as local time: the same everywhere
const ENTRY_DATE = '1980-01-01T12:00:00';

/** How an issue is looked at, and what is seen then. */
export type IssueSight = IssueView & {
  /** A PNG; undefined: there is none. */
  readonly picture: (() => Promise<Uint8Array>) | undefined;
};

/** `index` counts the topics. */
export type IssueViews = (group: Group, index: number) => IssueSight | Promise<IssueSight>;

/** Those of which there is a picture, in the order of the topics. */
export function drawnIssues({ open, approved, closed }: Issues): Group[] {
  return [...open, ...approved, ...closed].slice(0, SNAPSHOTS_MAX);
}

/** Views of the worst with pictures of the model. */
export function drawnViews(pictures: Pictures, box: ReportBox): IssueViews {
  return async (group, index) => {
    if (index >= SNAPSHOTS_MAX) return { ...plainView(group.box, box), picture: undefined };
    const { view, png } = await pictures(index);
    return { ...view, picture: async () => png };
  };
}

export async function writeBcf(
  write: Write,
  { model, run }: Pick<ReportInput, 'model' | 'run'>,
  { open, approved, closed }: Issues,
  version: BcfVersion,
  views: IssueViews,
): Promise<void> {
  const chunks: Uint8Array[] = [];
  let waiting = 0;
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
    waiting += chunk.length;
  });
  const add = (name: string, data: string | Uint8Array | Deflated) => {
    const text = typeof data === 'string' ? deflated(data) : data;
    const entry =
      text instanceof Uint8Array ? new ZipPassThrough(name) : new DeflatedEntry(name, text.deflated);
    entry.mtime = ENTRY_DATE;
    zip.add(entry);
    entry.push(text instanceof Uint8Array ? text : text.bytes, true);
  };
  const flush = () => {
    waiting = 0;
    return write(Buffer.concat(chunks.splice(0)));
  };
  const layout = layoutOf(version);
  const topics = [
    ...[...open, ...approved].map(
      (group): Topic => ({ group, status: TOPIC_STATUSES[group.decision.status] }),
    ),
    ...closed.map((group): Topic => ({ group, status: 'Closed' })),
  ].slice(0, TOPICS_MAX);
  add('bcf.version', layout.versionDocument());
  add('project.bcfp', projectDocument(model, layout));
  if (layout.extensionsFile) add(layout.extensionsFile, extensionsDocument(topics));
  const documentsOf = async (topic: Topic, index: number) => {
    const { picture, ...view } = await views(topic.group, index);
    const markup = markupDocument(topic, index, picture !== undefined, { model, run }, layout);
    const viewpoint = viewpointDocument(topic.group, view, layout);
    return { markup: deflated(markup), viewpoint: deflated(viewpoint), picture };
  };
  const ahead: ReturnType<typeof documentsOf>[] = [];
  for (const [index, topic] of topics.slice(0, SNAPSHOTS_MAX + WRITTEN_AHEAD).entries()) {
    if (index >= SNAPSHOTS_MAX) ahead[index] = documentsOf(topic, index);
  }
  for (const [index, topic] of topics.entries()) {
    const folder = topicGuid(topic.group);
    const { markup, viewpoint, picture } = await (ahead[index] ?? documentsOf(topic, index));
    add(`${folder}/markup.bcf`, markup);
    add(`${folder}/viewpoint.bcfv`, viewpoint);
    if (picture) add(`${folder}/snapshot.png`, await picture());
    if (waiting > FLUSH_BYTES) await flush();
  }
  zip.end();
  await flush();
}

interface Deflated {
  readonly bytes: Uint8Array;
  readonly deflated: Uint8Array<ArrayBuffer>;
}

function deflated(text: string): Deflated {
  const bytes = Buffer.from(text);
  return { bytes, deflated: deflateRawSync(bytes) };
}

/** A small file given at once; fflate's own streams cost four times as much for these. */
class DeflatedEntry extends ZipPassThrough {
  override readonly compression = 8;
  readonly #deflated: Uint8Array<ArrayBuffer>;

  constructor(name: string, deflated: Uint8Array<ArrayBuffer>) {
    super(name);
    this.#deflated = deflated;
  }

  protected override process(_: Uint8Array, final: boolean): void {
    this.ondata(null, this.#deflated, final);
  }
}
