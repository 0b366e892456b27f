/** The decisions of a project as files. */
import { issueView } from '@impinge/cli/internal/reports/bcf/bcf-view.js';
import type { BcfVersion } from '@impinge/cli/internal/reports/bcf/layout.js';
import { readViewpoint } from '@impinge/cli/internal/reports/bcf/read-viewpoint.js';
import { exportedRemark, remarkComments } from '@impinge/cli/internal/reports/bcf/remark.js';
import { topicGuid } from '@impinge/cli/internal/reports/bcf/topic.js';
import {
  type AddedTopics,
  type AddedView,
  type IssueSight,
  writeBcf,
} from '@impinge/cli/internal/reports/bcf/write-bcf.js';
import type { Issue } from '@impinge/cli/internal/reports/issue-summary.js';
import type { ReportBox } from '@impinge/cli/internal/reports/report-box.js';
import { type Review, UNDECIDED } from '@impinge/cli/internal/reports/review/decision.js';
import { reviewUpdate } from '@impinge/cli/internal/reports/review/review-file.js';
import { plainView } from '@impinge/cli/internal/reports/view.js';
import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import { reviewJson } from '../review-json.js';
import type { ServiceParts } from '../service-parts.js';
import { RunArchive } from './run-archive.js';

export const REVIEW_FORMATS = ['yaml', 'json', 'bcf-2.1', 'bcf-3.0'] as const;
export type ReviewFormat = (typeof REVIEW_FORMATS)[number];

export async function exportReview(
  parts: ServiceParts,
  project: string,
  format: ReviewFormat,
): Promise<Response> {
  const { decisions } = await parts.decisions.read(project);
  if (format === 'json') return file('review.json', 'application/json; charset=utf-8', reviewJson(decisions));
  if (format === 'yaml') {
    const text = reviewUpdate(undefined, decisions, 'review.yaml')?.text ?? 'clashes: {}\n';
    return file('review.yaml', 'application/yaml; charset=utf-8', text);
  }
  const version: BcfVersion = format === 'bcf-3.0' ? '3.0' : '2.1';
  const latest = await parts.reports.latest(project);
  const added = await addedTopics(parts, project, decisions);
  const reported = latest?.report.decided(decisions) ?? (await withoutRun(parts, project, added));
  if (!reported) throw new RequestError(404, 'the project has no completed run');
  const { input, issues } = reported;
  const archive = latest && (await RunArchive.open(latest.report.folder));
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const views = (issue: Issue) => sightOf(issue, archive, latest!.report.model.box);
  writeBcf((data) => writer.write(Buffer.from(data)), input, issues, version, views, added)
    .then(
      () => writer.close(),
      // the client has disconnected, or must see that the archive is not whole
      (error) => writer.abort(error),
    )
    .catch(() => {})
    .finally(() => archive?.close());
  return file(version === '3.0' ? 'clashes.bcf' : 'clashes.bcfzip', 'application/octet-stream', readable);
}

/** What people added to the topics of a project. */
export async function addedTopics(
  { remarks }: ServiceParts,
  project: string,
  decisions: Review,
): Promise<AddedTopics> {
  const views = new Map<string, AddedView[]>();
  for (const { topic, view, pictureType } of await remarks.views(project)) {
    const picture = async () => (await remarks.picture(project, topic, view.guid))!;
    const own = views.get(topic) ?? [];
    views.set(topic, own);
    own.push({ view, pictureType: pictureType ?? 'png', picture: pictureType && picture });
  }
  const said = (await remarks.list(project)).map((remark) => {
    const decision = decisions.get(remark.guid) ?? UNDECIDED;
    return { fields: exportedRemark(remark, decision), comments: remarkComments(remark, decision) };
  });
  return { remarks: said, views, viewOfComment: await remarks.viewOfComment(project) };
}

/** Of a project without completed runs, its remarks. */
async function withoutRun({ projects }: ServiceParts, project: string, { remarks }: AddedTopics) {
  const found = remarks.length > 0 && (await projects.get(project));
  if (!found) return undefined;
  const model = { title: found.name, date: remarks[0].fields.created, files: [] };
  return { input: { model, run: { rules: [] } }, issues: { open: [], approved: [], closed: [] } };
}

/** The view and the picture that the run made of an issue, or a plain view. */
export async function sightOf(
  issue: Issue,
  archive: RunArchive | undefined,
  box: ReportBox,
): Promise<IssueSight> {
  const folder = topicGuid(issue);
  const picture = `${folder}/snapshot.png`;
  const viewpoint = await archive?.read(`${folder}/viewpoint.bcfv`);
  const drawn = viewpoint && readViewpoint(viewpoint.toString('utf8'));
  const own = issueView(issue, plainView(issue.box, box));
  // decisions have changed its objects, but not what is drawn
  return {
    view: drawn
      ? { ...own, perspective_camera: drawn.perspective_camera, clipping_planes: drawn.clipping_planes }
      : own,
    picture: archive?.has(picture) ? async () => (await archive.read(picture))! : undefined,
  };
}

function file(name: string, type: string, content: string | ReadableStream): Response {
  return new Response(content, {
    headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` },
  });
}
