/** What can be asked about a report, and done to its decisions. */
import { sendContent, sendJson } from './answers.js';
import type { EventStreams } from './event-streams.js';
import { typeOf } from './headers.js';
import type { Endpoint } from './http-server.js';
import { readJson } from './request-body.js';
import { ReviewDesk, type ReviewState } from './review-desk.js';
import { CHANGES_BYTES_MAX, reviewAnswer, reviewChange } from './review-requests.js';
import type { ShownReport } from './shown-report.js';

/** How often it is looked whether somebody else has changed the file of decisions, while somebody listens. */
const LOOK_MS = 1000;

export class ReportEndpoints {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly #report: ShownReport;
  readonly #events: EventStreams;
  readonly #desk: ReviewDesk;
  readonly #watch: NodeJS.Timeout;
  #stamp = '';
  #told: string | undefined;
  /** The report as it was sent last, and with which decisions. */
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
    ]);
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

  #tell(state: ReviewState): ReviewState {
    if (state.revision !== this.#told) this.#events.send('review', { revision: state.revision });
    this.#told = state.revision;
    return state;
  }

  async #look(): Promise<void> {
    if (this.#events.count === 0) return;
    const stamp = await this.#desk.stamp();
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    // a file that cannot be read is told to whoever asks for it
    await this.#desk.read().then(
      (state) => this.#tell(state),
      () => this.#events.send('review', { revision: '' }),
    );
  }
}
