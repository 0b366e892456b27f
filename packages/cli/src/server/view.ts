/**
 * Serves the page, the model and its metadata. The model is opened once and served from that file handle; the page
 * requests parts of it by the name in `view.json`.
 */
import type { StoredModel } from '@impinge/model';
import type { ViewManifest } from '../wire/view-manifest.js';
import { sendContent, sendFile, sendJson } from './answers.js';
import { EventStreams } from './event-streams.js';
import { typeOf } from './headers.js';
import { type Endpoint, HttpServer } from './http-server.js';
import { keptLevels, type LevelsOptions, makeLevels } from './make-levels.js';
import { isLasting, type PageFiles } from './page-files.js';
import { ReportEndpoints } from './report-endpoints.js';
import type { ShownReport } from './shown-report.js';
import { RECORDING, type Replayed, storeName, viewManifest } from './view-manifest.js';

export interface ViewOptions {
  readonly page: PageFiles;
  /** Owned by the caller. */
  readonly model: StoredModel;
  /** The report about this model. */
  readonly report: ShownReport | undefined;
  readonly replayed?: Replayed | undefined;
  /** How to make levels if the model has none; undefined: it is shown without. */
  readonly levels: Pick<LevelsOptions, 'path' | 'folder' | 'memory'> | undefined;
  /** 0: any free port. */
  readonly port: number;
  readonly onError: (error: unknown) => void;
}

export class View {
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #events = new EventStreams();
  readonly #report: ReportEndpoints | undefined;
  readonly #stopping = new AbortController();
  #manifest: ViewManifest;
  #server: HttpServer | undefined;
  /** The model with levels, owned by this object. */
  #withLevels: StoredModel | undefined;
  #making: Promise<void> | undefined;

  private constructor({ page, model, report, replayed }: ViewOptions) {
    this.#manifest = viewManifest(model, report, replayed, true);
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
    if (replayed) {
      const content = { type: typeOf(RECORDING), bytes: replayed.bytes };
      this.#endpoints.set(RECORDING, {
        get: ({ request, response }) => sendContent(request, response, content),
      });
    }
    if (report) {
      this.#report = new ReportEndpoints(report, this.#events);
      for (const [name, endpoint] of this.#report.endpoints) this.#endpoints.set(name, endpoint);
    }
  }

  static async start(options: ViewOptions): Promise<View> {
    const { model, levels, port, onError } = options;
    const view = new View(options);
    try {
      const kept = model.hasLevels ? undefined : await keptLevels(model, levels?.folder);
      if (kept) view.#show(kept);
      await view.#report?.prepare();
      view.#server = await HttpServer.start(port, (name) => view.#endpoints.get(name), onError);
    } catch (error) {
      await view.stop();
      throw error;
    }
    if (levels && view.#manifest.levels === 'none') view.#making = view.#makeLevels({ ...options, levels });
    return view;
  }

  get address(): string {
    return this.#server!.address;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#events.close();
    this.#report?.close();
    await this.#server?.stop();
    await this.#making;
    await this.#withLevels?.dispose();
  }

  #serveStore(model: StoredModel): void {
    const { fingerprint } = model;
    this.#endpoints.set(storeName(model), {
      get: ({ request, response }) => sendFile(request, response, model.source, fingerprint),
    });
  }

  /** Shows the same model with levels from now on; clients that read the one without may continue. */
  #show(withLevels: StoredModel): void {
    this.#withLevels = withLevels;
    this.#serveStore(withLevels);
    const { levelsDone: _, ...manifest } = this.#manifest;
    this.#manifest = { ...manifest, store: storeName(withLevels), levels: 'ready' };
  }

  async #makeLevels({
    model,
    levels,
    onError,
  }: ViewOptions & { readonly levels: NonNullable<ViewOptions['levels']> }): Promise<void> {
    const { signal } = this.#stopping;
    const before = this.#manifest;
    const onShare = (share: number) => {
      this.#manifest = { ...before, levels: 'making', levelsDone: share };
      this.#events.send('levels', { share });
    };
    onShare(0);
    try {
      this.#show(await makeLevels({ ...levels, model, signal, onShare }));
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
      this.#manifest = before;
    }
    this.#events.send('view');
  }
}
