/**
 * What the page is given: itself, the model, and what is known about it. The model is opened once, and its file is served
 * from there; the page asks for parts of it by the name in `view.json`.
 */
import type { StoredModel } from 'impinge/store';
import { sendContent, sendFile, sendJson } from './answers.js';
import { EventStreams } from './event-streams.js';
import { typeOf } from './headers.js';
import { type Endpoint, HttpServer } from './http-server.js';
import { isLasting, type PageFiles } from './page-files.js';
import { ReportEndpoints } from './report-endpoints.js';
import type { ShownReport } from './shown-report.js';
import { storeName, type ViewManifest, viewManifest } from './view-manifest.js';

export interface ViewOptions {
  readonly page: PageFiles;
  readonly model: StoredModel;
  /** The report that is about it. */
  readonly report: ShownReport | undefined;
  /** Any free one where it is 0. */
  readonly port: number;
  readonly onError: (error: unknown) => void;
}

export class View {
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #events = new EventStreams();
  readonly #manifest: ViewManifest;
  readonly #report: ReportEndpoints | undefined;
  #server: HttpServer | undefined;

  private constructor({ page, model, report }: ViewOptions) {
    this.#manifest = viewManifest(model, report !== undefined, true);
    for (const [name, bytes] of page) {
      const content = { type: typeOf(name), bytes, lasting: isLasting(name) };
      this.#endpoints.set(name, {
        get: ({ request, response }) => sendContent(request, response, content),
      });
    }
    this.#endpoints.set('', this.#endpoints.get('index.html')!);
    this.#endpoints.set('view.json', {
      get: ({ request, response }) => sendJson(request, response, this.#manifest),
    });
    this.#endpoints.set('events', {
      get: ({ request, response }) => this.#events.add(request, response),
    });
    this.#serveStore(model);
    if (report) {
      this.#report = new ReportEndpoints(report, this.#events);
      for (const [name, endpoint] of this.#report.endpoints) this.#endpoints.set(name, endpoint);
    }
  }

  static async start(options: ViewOptions): Promise<View> {
    const view = new View(options);
    const find = (name: string) => view.#endpoints.get(name);
    try {
      view.#server = await HttpServer.start(options.port, find, options.onError);
    } catch (error) {
      await view.stop();
      throw error;
    }
    return view;
  }

  get address(): string {
    return this.#server!.address;
  }

  async stop(): Promise<void> {
    this.#events.close();
    this.#report?.close();
    await this.#server?.stop();
  }

  #serveStore(model: StoredModel): void {
    const { fingerprint } = model;
    this.#endpoints.set(storeName(model), {
      get: ({ request, response }) => sendFile(request, response, model.source, fingerprint),
    });
  }
}
