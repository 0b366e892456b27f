/** Metrics in the Prometheus text format. */
import type { RunState } from './api/schemas.js';

const SECONDS = [1, 5, 15, 60, 300, 900, 3600] as const;

export interface Gauges {
  readonly queued: number;
  readonly running: number;
  readonly streams: number;
}

export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #runs = new Map<string, number>();
  readonly #buckets: number[] = SECONDS.map(() => 0);
  readonly #counts = {
    seconds: 0,
    finished: 0,
    uploads: 0,
    uploadBytes: 0,
    webhooksSent: 0,
    webhooksFailed: 0,
  };

  /** `route` is a path of the route table, not of the request, so that the number of labels is bounded. */
  request(method: string, route: string, status: number): void {
    const key = `method="${method}",route="${route}",status="${status}"`;
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
  }

  runFinished(state: RunState, seconds: number): void {
    const key = `state="${state}"`;
    this.#runs.set(key, (this.#runs.get(key) ?? 0) + 1);
    this.#counts.seconds += seconds;
    this.#counts.finished++;
    SECONDS.forEach((most, i) => {
      if (seconds <= most) this.#buckets[i]++;
    });
  }

  uploaded(bytes: number): void {
    this.#counts.uploads++;
    this.#counts.uploadBytes += bytes;
  }

  delivered(wasSent: boolean): void {
    if (wasSent) this.#counts.webhooksSent++;
    else this.#counts.webhooksFailed++;
  }

  text({ queued, running, streams }: Gauges): string {
    const counts = this.#counts;
    const lines: string[] = [];
    const add = (name: string, type: string, help: string, values: Iterable<readonly [string, number]>) => {
      lines.push(`# HELP impinge_${name} ${help}`, `# TYPE impinge_${name} ${type}`);
      for (const [labels, value] of values) lines.push(`impinge_${name}${labels} ${value}`);
    };
    const labelled = (map: ReadonlyMap<string, number>) =>
      [...map].map(([labels, value]) => [`{${labels}}`, value] as const);
    add('http_requests_total', 'counter', 'Requests by route and status.', labelled(this.#requests));
    add('runs_finished_total', 'counter', 'Ended runs by state.', labelled(this.#runs));
    add('runs_queued', 'gauge', 'Queued runs.', [['', queued]]);
    add('runs_running', 'gauge', 'Active runs.', [['', running]]);
    add('event_streams', 'gauge', 'Open event streams.', [['', streams]]);
    lines.push('# HELP impinge_run_seconds Duration of runs.', '# TYPE impinge_run_seconds histogram');
    SECONDS.forEach((most, i) => {
      lines.push(`impinge_run_seconds_bucket{le="${most}"} ${this.#buckets[i]}`);
    });
    lines.push(
      `impinge_run_seconds_bucket{le="+Inf"} ${counts.finished}`,
      `impinge_run_seconds_sum ${counts.seconds}`,
      `impinge_run_seconds_count ${counts.finished}`,
    );
    add('uploads_total', 'counter', 'Uploaded models.', [['', counts.uploads]]);
    add('upload_bytes_total', 'counter', 'Bytes of uploaded models.', [['', counts.uploadBytes]]);
    add('webhooks_total', 'counter', 'Webhook deliveries by result.', [
      ['{result="sent"}', counts.webhooksSent],
      ['{result="failed"}', counts.webhooksFailed],
    ]);
    return `${lines.join('\n')}\n`;
  }
}
