/**
 * An archive after BCF 2.1 or 3.0: one topic for each issue, with a view of it. Topics are named after their issues, so
 * that a tool which has had an earlier export updates what it has; issues that are gone since are closed.
 *
 * Invariant: entries carry one fixed date, and nothing depends on when or where it is written.
 */
import { deflateRawSync } from 'node:zlib';
import { Zip, ZipPassThrough } from 'fflate';
import type { Issues } from '../group-summary.js';
import type { ReportInput } from '../report-data.js';
import type { Scenery } from '../scenery.js';
import { drawSnapshot, snapshotLayers } from '../snapshot.js';
import type { Write } from '../staged-files.js';
import { issueView } from '../view.js';
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

// read as local time and written as local time: the same everywhere
const ENTRY_DATE = '1980-01-01T12:00:00';

export async function writeBcf(
  write: Write,
  { model, run }: Pick<ReportInput, 'model' | 'run'>,
  { open, approved, closed }: Issues,
  version: BcfVersion,
  scenery: Scenery | undefined,
): Promise<void> {
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
  const layout = layoutOf(version);
  const layers = snapshotLayers();
  const topics = [
    ...[...open, ...approved].map(
      (group): Topic => ({ group, status: TOPIC_STATUSES[group.decision.status] }),
    ),
    ...closed.map((group): Topic => ({ group, status: 'Closed' })),
  ].slice(0, TOPICS_MAX);
  add('bcf.version', layout.versionDocument());
  add('project.bcfp', projectDocument(model, layout));
  if (layout.extensionsFile) add(layout.extensionsFile, extensionsDocument(topics));
  for (const [index, topic] of topics.entries()) {
    const folder = topicGuid(topic.group);
    const isDrawn = index < SNAPSHOTS_MAX;
    const view = issueView(topic.group, model.box, isDrawn ? scenery : undefined);
    add(`${folder}/markup.bcf`, markupDocument(topic, index, isDrawn, { model, run }, layout));
    add(`${folder}/viewpoint.bcfv`, viewpointDocument(topic.group, view, layout));
    if (isDrawn)
      add(`${folder}/snapshot.png`, await drawSnapshot(layers, topic.group, view, model.box, scenery));
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
