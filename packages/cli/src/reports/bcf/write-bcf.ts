/**
 * A BCF 2.1 or 3.0 archive: one topic per issue, with a view. Topics are named after their issues, so that a tool with
 * an earlier export updates its topics; issues that are gone are closed.
 */

import { type IssuePictures, PICTURES_MAX } from '../issue-pictures.js';
import type { Issue, Issues } from '../issue-summary.js';
import type { IssueView } from '../picture.js';
import type { ReportBox } from '../report-box.js';
import type { ReportInput } from '../report-data.js';
import type { Write } from '../staged-files.js';
import { plainView } from '../view.js';
import { deflated, stored, ZipWriter } from '../zip-writer.js';
import { type BcfVersion, layoutOf } from './layout.js';
import {
  extensionsDocument,
  markupDocument,
  projectDocument,
  type Topic,
  topicGuid,
  topicsOf,
} from './topic.js';
import { viewpointDocument } from './viewpoint.js';

/** Zip archives without extensions hold 65 535 entries, and a topic takes three. The worst come first. */
export const TOPICS_MAX = 20_000;

/** Number of topics without pictures that are prepared while pictures are drawn. */
const WRITTEN_AHEAD = 1000;

/** The view of an issue, and its picture. */
export type IssueSight = IssueView & {
  /** A PNG; undefined: no picture. */
  readonly picture: (() => Promise<Uint8Array>) | undefined;
};

/** `index` counts the topics. */
export type IssueViews = (issue: Issue, index: number) => IssueSight | Promise<IssueSight>;

/** Views, with pictures of the issues that are drawn. */
export function drawnViews(pictures: IssuePictures, box: ReportBox): IssueViews {
  return async (issue) => {
    const drawn = pictures.of(issue);
    if (!drawn) return { ...plainView(issue.box, box), picture: undefined };
    const { view, png } = await drawn();
    return { ...view, picture: async () => png };
  };
}

export async function writeBcf(
  write: Write,
  { model, run }: Pick<ReportInput, 'model' | 'run'>,
  issues: Issues,
  version: BcfVersion,
  views: IssueViews,
): Promise<void> {
  const zip = new ZipWriter(write);
  const layout = layoutOf(version);
  const topics = topicsOf(issues).slice(0, TOPICS_MAX);
  await zip.add('bcf.version', deflated(layout.versionDocument()));
  await zip.add('project.bcfp', deflated(projectDocument(model, layout)));
  if (layout.extensionsFile) await zip.add(layout.extensionsFile, deflated(extensionsDocument(topics)));
  const documentsOf = async (topic: Topic, index: number) => {
    const { picture, ...view } = await views(topic.issue, index);
    const markup = markupDocument(topic, index, picture !== undefined, { model, run }, layout);
    const viewpoint = viewpointDocument(topic.issue, view, layout);
    return { markup: deflated(markup), viewpoint: deflated(viewpoint), picture };
  };
  const ahead: ReturnType<typeof documentsOf>[] = [];
  for (const [index, topic] of topics.slice(0, PICTURES_MAX + WRITTEN_AHEAD).entries()) {
    if (index >= PICTURES_MAX) ahead[index] = documentsOf(topic, index);
  }
  for (const [index, topic] of topics.entries()) {
    const folder = topicGuid(topic.issue);
    const { markup, viewpoint, picture } = await (ahead[index] ?? documentsOf(topic, index));
    delete ahead[index];
    await zip.add(`${folder}/markup.bcf`, markup);
    await zip.add(`${folder}/viewpoint.bcfv`, viewpoint);
    if (picture) await zip.add(`${folder}/snapshot.png`, stored(await picture()));
  }
  await zip.end();
}
