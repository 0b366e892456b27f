/** The components of the service. */
import type { Folders } from './folders.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import type { Reports } from './reports.js';
import type { Retention } from './retention.js';
import type { RunEvents } from './run-events.js';
import type { Runner } from './runner.js';
import type { ServiceSettings } from './settings.js';
import type { ClashSpans } from './state/clash-spans.js';
import type { Database } from './state/database.js';
import type { Decisions } from './state/decisions.js';
import type { Projects } from './state/projects.js';
import type { Remarks } from './state/remarks.js';
import type { Runs } from './state/runs.js';
import type { Tokens } from './state/tokens.js';
import type { Webhooks } from './state/webhooks.js';
import type { ViewerExports } from './viewer-exports.js';
import type { WebhookSender } from './webhook-sender.js';

export interface ServiceParts {
  readonly settings: ServiceSettings;
  readonly database: Database;
  readonly tokens: Tokens;
  readonly projects: Projects;
  readonly runs: Runs;
  readonly webhooks: Webhooks;
  readonly decisions: Decisions;
  readonly remarks: Remarks;
  readonly spans: ClashSpans;
  readonly reports: Reports;
  readonly sender: WebhookSender;
  readonly folders: Folders;
  readonly events: RunEvents;
  readonly metrics: Metrics;
  readonly runner: Runner;
  readonly viewers: ViewerExports;
  readonly retention: Retention;
  readonly log: Log;
  /** Aborts when the service stops, to end responses that would not end by themselves. */
  readonly stopping: AbortSignal;
}
