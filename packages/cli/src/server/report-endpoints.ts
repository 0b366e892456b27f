/** Endpoints for a report and its decisions. */
import { BCF_VERSIONS } from '../reports/bcf/layout.js';
import { writeBcf } from '../reports/bcf/write-bcf.js';
import { reportPolicy } from '../reports/report-page.js';
import { decisionsFor } from '../reports/review/read-reviews.js';
import type { ImportAnswer } from '../wire/review.js';
import { sendContent, sendJson, sendStatus, sent } from './answers.js';
import {
  ARCHIVE_BYTES_MAX,
  importedTopics,
  PICTURES_BYTES_MAX,
  picturedViews,
  sentPictures,
} from './bcf-requests.js';
import type { EventStreams } from './event-streams.js';
import { HEADERS, typeOf } from './headers.js';
import type { Endpoint, Exchange } from './http-server.js';
import { linkedReportPage, REPORT_PAGE } from './report-page-file.js';
import { readBody, readJson } from './request-body.js';
import { RequestError } from './request-error.js';
import { ReviewDesk, type ReviewState } from './review-desk.js';
import { CHANGES_BYTES_MAX, reviewAnswer, reviewChange } from './review-requests.js';
import type { ShownReport } from './shown-report.js';

/** Polling interval for changes of the decisions file by others, while a page listens. */
const LOOK_MS = 1000;

export class ReportEndpoints {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly #report: ShownReport;
  readonly #events: EventStreams;
  readonly #desk: ReviewDesk;
  readonly #watch: NodeJS.Timeout;
  #stamp = '';
  #sentRevision: string | undefined;
  /** The report as last sent, and the revision of its decisions. */
  #sent: { readonly revision: string; readonly bytes: Buffer } | undefined;

  constructor(report: ShownReport, events: EventStreams) {
    this.#report = report;
    this.#events = events;
    this.#desk = new ReviewDesk(report.folder);
    this.#watch = setInterval(() => void this.#look(), LOOK_MS).unref();
    this.endpoints = new Map<string, Endpoint>([
      [
        'report.json',
        {
          get: async ({ request, response }) =>
            sendContent(request, response, { type: typeOf('.json'), bytes: await this.#reportBytes() }),
        },
      ],
      [
        'review.json',
        {
          get: async ({ request, response }) =>
            sendJson(request, response, reviewAnswer(await this.#desk.read())),
          post: async ({ request, response }) => {
            const given = await readJson(request, CHANGES_BYTES_MAX);
            const { decisions } = await this.#desk.read();
            const isKnown = (id: string) => report.has(id) || decisions.has(id);
            const { base, changes, by } = reviewChange(given, isKnown);
            sendJson(request, response, reviewAnswer(this.#tell(await this.#desk.change(base, changes, by))));
          },
        },
      ],
      [
        REPORT_PAGE,
        {
          get: async ({ request, response }) => {
            const bytes = await linkedReportPage(report.folder);
            if (!bytes) return sendStatus(response, 404);
            const policy = `${reportPolicy()}; frame-ancestors 'none'`;
            sendContent(request, response, { type: typeOf(REPORT_PAGE), bytes, policy });
          },
        },
      ],
      ...report.wayNames.map((name): [string, Endpoint] => [
        name,
        {
          get: async ({ request, response }) => {
            const bytes = await report.wayBytes(name);
            if (!bytes) return sendStatus(response, 404);
            sendContent(request, response, { type: typeOf(name), bytes });
          },
        },
      ]),
      ['bcf', { post: (exchange) => this.#importBcf(exchange) }],
      ['bcf/export', { post: (exchange) => this.#exportBcf(exchange) }],
    ]);
  }

  /** Prepares the first response: with many clashes that takes a second, in which no request is answered. */
  async prepare(): Promise<void> {
    // the request that needs the decisions reports the error
    await this.#reportBytes().catch(() => {});
  }

  close(): void {
    clearInterval(this.#watch);
  }

  async #reportBytes(): Promise<Buffer> {
    const { revision, decisions } = await this.#desk.read();
    if (this.#sent?.revision !== revision) {
      const bytes = Buffer.from(JSON.stringify(await this.#report.forViewer(decisions)));
      this.#sent = { revision, bytes };
    }
    return this.#sent.bytes;
  }

  async #importBcf({ request, response }: Exchange): Promise<void> {
    const topics = await importedTopics(await readBody(request, ARCHIVE_BYTES_MAX));
    let strangers = 0;
    let changed = 0;
    const state = await this.#desk.update((kept) => {
      const reviews = { own: undefined, kept, named: [topics] };
      const result = decisionsFor(reviews, this.#report.clashes, []);
      strangers = result.strangers;
      changed = [...result.decisions].filter(([id, one]) => kept.get(id) !== one).length;
      return result.decisions;
    });
    const answer: ImportAnswer = {
      ...reviewAnswer(this.#tell(state)),
      topics: topics.length,
      strangers,
      remarks: 0,
      changed,
    };
    sendJson(request, response, answer);
  }

  async #exportBcf({ request, response, query }: Exchange): Promise<void> {
    const version = BCF_VERSIONS.find((one) => one === query.get('version'));
    if (!version) throw new RequestError(400, `version: expected ${BCF_VERSIONS.join(' and ')}`);
    const pictures = sentPictures(await readBody(request, PICTURES_BYTES_MAX));
    const { input, issues } = this.#report.decided((await this.#desk.read()).decisions);
    const views = picturedViews(pictures, issues, input.model.box);
    response.writeHead(200, {
      ...HEADERS,
      'Content-Type': typeOf(''),
      'Cache-Control': 'no-store',
      'Content-Disposition': `attachment; filename="clashes.${version === '3.0' ? 'bcf' : 'bcfzip'}"`,
    });
    const write = async (data: string | Uint8Array) => {
      // let other requests be answered in between
      await new Promise((resolve) => setImmediate(resolve));
      if (!(await sent(response, Buffer.from(data))))
        throw new RequestError(400, 'the client has disconnected');
    };
    await writeBcf(write, input, issues, version, views);
    response.end();
  }

  #tell(state: ReviewState): ReviewState {
    if (state.revision !== this.#sentRevision) this.#events.send('review', { revision: state.revision });
    this.#sentRevision = state.revision;
    return state;
  }

  async #look(): Promise<void> {
    if (this.#events.count === 0) return;
    const stamp = await this.#desk.stamp();
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    // the request that needs the file reports the error
    await this.#desk.read().then(
      (state) => this.#tell(state),
      () => this.#events.send('review', { revision: '' }),
    );
  }
}
