/**
 * A BCF 2.1 or 3.0 archive: one topic per issue, with a view, and the remarks of people. Topics are named after their
 * issues, so that a tool with an earlier export updates its topics; issues that are gone are closed.
 */

import type { ReportRun } from '../../wire/report.js';
import { type IssuePictures, PICTURES_MAX } from '../issue-pictures.js';
import type { Issue, Issues } from '../issue-summary.js';
import type { ReportBox } from '../report-box.js';
import type { Write } from '../staged-files.js';
import { plainView } from '../view.js';
import { deflated, stored, ZipWriter } from '../zip-writer.js';
import { type BcfView, issueView } from './bcf-view.js';
import { type BcfLayout, type BcfVersion, layoutOf } from './layout.js';
import {
  type ArchiveModel,
  extensionsDocument,
  markupDocument,
  projectDocument,
  type SaidTopic,
  type Topic,
  topicComments,
  topicFields,
  topicFiles,
  topicGuid,
  topicsOf,
} from './topic.js';
import { viewpointDocument } from './viewpoint.js';

/** Zip archives without extensions hold 65 535 entries, and a topic takes three. The worst come first. */
export const TOPICS_MAX = 20_000;
const ENTRIES_MAX = 65_000;

/** Number of topics without pictures that are prepared while pictures are drawn. */
const WRITTEN_AHEAD = 1000;

/** The view of an issue, and its picture. */
export interface IssueSight {
  readonly view: BcfView;
  /** A PNG; undefined: no picture. */
  readonly picture: (() => Promise<Uint8Array>) | undefined;
}

/** `index` counts the topics. */
export type IssueViews = (issue: Issue, index: number) => IssueSight | Promise<IssueSight>;

/** A view that a person added to a topic. */
export interface AddedView {
  readonly view: BcfView;
  readonly picture: (() => Promise<Uint8Array>) | undefined;
  readonly pictureType: PictureType;
}

export type PictureType = 'png' | 'jpg';

/** What people added to the issues. */
export interface AddedTopics {
  readonly remarks: readonly SaidTopic[];
  /** By the GUID of the topic. */
  readonly views: ReadonlyMap<string, readonly AddedView[]>;
  /** By the GUID of the comment, that of the view that it is about. */
  readonly viewOfComment: ReadonlyMap<string, string>;
}

const NOTHING: AddedTopics = { remarks: [], views: new Map(), viewOfComment: new Map() };

/** Views, with pictures of the issues that are drawn. */
export function drawnViews(pictures: IssuePictures, box: ReportBox): IssueViews {
  return async (issue) => {
    const drawn = pictures.of(issue);
    if (!drawn) return { view: issueView(issue, plainView(issue.box, box)), picture: undefined };
    const { view, png } = await drawn();
    return { view: issueView(issue, view), picture: async () => png };
  };
}

export async function writeBcf(
  write: Write,
  { model, run }: { readonly model: ArchiveModel; readonly run: Pick<ReportRun, 'rules'> },
  issues: Issues,
  version: BcfVersion,
  views: IssueViews,
  added: AddedTopics = NOTHING,
): Promise<void> {
  const zip = new ZipWriter(write);
  const layout = layoutOf(version);
  const least = 2 * added.remarks.length + 2 * [...added.views.values()].flat().length;
  const topics = topicsOf(issues).slice(0, Math.min(TOPICS_MAX, (ENTRIES_MAX - least) / 3));
  await zip.add('bcf.version', deflated(layout.versionDocument()));
  await zip.add('project.bcfp', deflated(projectDocument(model, layout)));
  if (layout.extensionsFile)
    await zip.add(layout.extensionsFile, deflated(extensionsDocument(topics, added.remarks)));
  const seen = (comments: SaidTopic['comments']) =>
    comments.map((one) => ({ ...one, view: added.viewOfComment.get(one.guid) }));
  const documentsOf = async (topic: Topic, index: number): Promise<Documents> => {
    const { issue } = topic;
    const { view, picture } = await views(issue, index);
    const own: AddedView[] = [
      { view, picture, pictureType: 'png' },
      ...(added.views.get(topicGuid(issue)) ?? []),
    ];
    const fields = topicFields(topic, { model, run });
    const comments = seen(topicComments(issue, model.date));
    return documents(index, { fields, comments }, own, layout, topicFiles(issue, model));
  };
  const ahead: Promise<Documents>[] = [];
  for (const [index, topic] of topics.slice(0, PICTURES_MAX + WRITTEN_AHEAD).entries()) {
    if (index >= PICTURES_MAX) ahead[index] = documentsOf(topic, index);
  }
  for (const [index, topic] of topics.entries()) {
    await addTopic(zip, await (ahead[index] ?? documentsOf(topic, index)));
    delete ahead[index];
  }
  for (const [i, { fields, comments }] of added.remarks.entries()) {
    const said = { fields, comments: seen(comments) };
    await addTopic(zip, documents(topics.length + i, said, added.views.get(fields.guid) ?? [], layout, []));
  }
  await zip.end();
}

interface Documents {
  readonly folder: string;
  readonly markup: ReturnType<typeof deflated>;
  readonly views: readonly {
    readonly file: string;
    readonly viewpoint: ReturnType<typeof deflated>;
    readonly snapshot: string | undefined;
    readonly picture: (() => Promise<Uint8Array>) | undefined;
  }[];
}

/** The first view has the names that tools without others look for. */
function documents(
  index: number,
  { fields, comments }: SaidTopic,
  views: readonly AddedView[],
  layout: BcfLayout,
  files: ReturnType<typeof topicFiles>,
): Documents {
  const named = views.map(({ view, picture, pictureType }, i) => ({
    guid: view.guid,
    file: i === 0 ? 'viewpoint.bcfv' : `${view.guid}.bcfv`,
    viewpoint: deflated(viewpointDocument(view, layout)),
    snapshot: picture && `${i === 0 ? 'snapshot' : view.guid}.${pictureType}`,
    picture,
  }));
  const written = named.map(({ guid, file, snapshot }) => ({
    guid,
    file,
    ...(snapshot !== undefined && { snapshot }),
  }));
  const markup = markupDocument({ fields, files, comments, views: written }, index, layout);
  return { folder: fields.guid, markup: deflated(markup), views: named };
}

async function addTopic(zip: ZipWriter, { folder, markup, views }: Documents): Promise<void> {
  await zip.add(`${folder}/markup.bcf`, markup);
  for (const { file, viewpoint, snapshot, picture } of views) {
    await zip.add(`${folder}/${file}`, viewpoint);
    if (picture) await zip.add(`${folder}/${snapshot}`, stored(await picture()));
  }
}
