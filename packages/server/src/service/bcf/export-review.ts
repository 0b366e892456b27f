/** The decisions of a project as files. */
import type { BcfVersion } from '@impinge/cli/internal/reports/bcf/layout.js';
import { readViewpoint } from '@impinge/cli/internal/reports/bcf/read-viewpoint.js';
import { topicGuid } from '@impinge/cli/internal/reports/bcf/topic.js';
import { type IssueSight, writeBcf } from '@impinge/cli/internal/reports/bcf/write-bcf.js';
import type { Issue } from '@impinge/cli/internal/reports/issue-summary.js';
import type { ReportBox } from '@impinge/cli/internal/reports/report-box.js';
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
  if (!latest) throw new RequestError(404, 'the project has no completed run');
  const { input, issues } = latest.report.decided(decisions);
  const archive = await RunArchive.open(latest.report.folder);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const views = (issue: Issue) => sightOf(issue, archive, input.model.box);
  writeBcf((data) => writer.write(Buffer.from(data)), input, issues, version, views)
    .then(
      () => writer.close(),
      // the client has disconnected, or must see that the archive is not whole
      (error) => writer.abort(error),
    )
    .catch(() => {})
    .finally(() => archive?.close());
  return file(version === '3.0' ? 'clashes.bcf' : 'clashes.bcfzip', 'application/octet-stream', readable);
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
  const view = viewpoint && readViewpoint(viewpoint.toString('utf8'));
  return {
    ...(view ?? plainView(issue.box, box)),
    picture: archive?.has(picture) ? async () => (await archive.read(picture))! : undefined,
  };
}

function file(name: string, type: string, content: string | ReadableStream): Response {
  return new Response(content, {
    headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` },
  });
}
