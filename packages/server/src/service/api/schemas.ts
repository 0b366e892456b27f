/**
 * The schemas of requests and responses: requests are validated against them, and the OpenAPI description and the types
 * are derived from them.
 */

import { isDate } from '@impinge/cli/internal/reports/review/review-file.js';
import { PRESETS } from '@impinge/cli/internal/rules/preset-names.js';
import { REVIEW_STATUSES } from '@impinge/cli/internal/wire/review.js';
import { cleanText } from '@impinge/cli/internal/wire/text.js';
import * as v from 'valibot';
import { modelNameProblem } from '../folders.js';

export const ROLES = ['read', 'run', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** `incomplete`: the report exists, and `error` says what it lacks. */
export const RUN_STATES = ['queued', 'running', 'done', 'incomplete', 'failed', 'cancelled'] as const;
export type RunState = (typeof RUN_STATES)[number];

const NAME_MAX = 200;
const RULES_MAX = 1 << 20;
const ADDRESS_MAX = 2000;
const KEPT_MAX = 100_000;

const named = v.pipe(v.string(), v.transform(cleanText), v.trim(), v.minLength(1), v.maxLength(NAME_MAX));
const time = v.pipe(v.string(), v.description('in ISO 8601'));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const kept = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(KEPT_MAX));
const rules = v.pipe(
  v.string(),
  v.maxLength(RULES_MAX),
  v.description('YAML, as impinge check --rules reads it'),
);
/** An option of the command, which validates it. */
const word = v.pipe(v.string(), v.maxLength(NAME_MAX));

export const id = v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/, 'not an id'));

export const modelName = v.pipe(
  v.string(),
  v.check(
    (name) => modelNameProblem(name) === undefined,
    (issue) => modelNameProblem(issue.input)!,
  ),
  v.description('with the extension of a format that impinge reads'),
);

export const problem = v.object({ error: v.string() });

export const project = v.object({
  id,
  name: v.string(),
  rules: v.nullable(v.string()),
  keepRuns: v.nullable(count),
  keepDays: v.nullable(count),
  created: time,
});

export type Project = Readonly<v.InferOutput<typeof project>>;

const projectFields = {
  rules: v.optional(v.nullable(rules)),
  keepRuns: v.optional(v.nullable(v.pipe(kept, v.description('0: all; null: the default of the service')))),
  keepDays: v.optional(
    v.nullable(v.pipe(kept, v.description('0: no limit; null: the default of the service'))),
  ),
};
export const newProject = v.strictObject({ name: named, ...projectFields });
export const changedProject = v.strictObject({ name: v.optional(named), ...projectFields });
/** Omitted fields stay unchanged. */
export type ProjectChange = v.InferOutput<typeof changedProject>;

export const model = v.object({
  id,
  project: id,
  name: v.string(),
  kind: v.picklist(['upload', 'folder', 'https', 's3']),
  address: v.nullable(v.string()),
  bytes: v.nullable(count),
  sha256: v.nullable(v.string()),
  created: time,
});

export type Model = Readonly<v.InferOutput<typeof model>>;

export const namedModel = v.strictObject({
  name: modelName,
  address: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(ADDRESS_MAX),
    v.description('a file below a folder of --models, https://… or s3://…'),
  ),
});

/** The options of `impinge check`. */
export const runOptions = {
  rules: v.optional(rules),
  preset: v.optional(v.picklist(PRESETS)),
  clearance: v.optional(word),
  tolerance: v.optional(word),
  unit: v.optional(word),
  up: v.optional(word),
  allowEmptyRules: v.optional(
    v.pipe(v.boolean(), v.description('continue if one side of a rule selects no object')),
  ),
  baseline: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(last|none|[0-9a-f]{16})$/, 'a baseline is last, none or the id of a run'),
      v.description('last (the default): the latest completed run of the project; none; or the id of a run'),
    ),
  ),
};

export const newRun = v.strictObject({
  ...runOptions,
  models: v.optional(
    v.pipe(
      v.array(v.string()),
      v.minLength(1),
      v.maxLength(500),
      v.description('names of models of the project; all of them by default'),
    ),
  ),
});

export const run = v.object({
  id,
  project: id,
  /** 1, 2, 3 … within its project. */
  number: count,
  state: v.picklist(RUN_STATES),
  options: v.object(runOptions),
  models: v.array(id),
  /** The run that it was compared with. */
  baseline: v.nullable(id),
  attempts: count,
  created: time,
  started: v.nullable(time),
  finished: v.nullable(time),
  error: v.nullable(v.string()),
  clashes: v.nullable(count),
  newClashes: v.nullable(count),
  resolved: v.nullable(count),
  approved: v.nullable(count),
  objects: v.nullable(count),
  triangles: v.nullable(count),
});

export type Run = Readonly<v.InferOutput<typeof run>>;
export type RunOptions = Run['options'];

export const clashId = v.pipe(v.string(), v.minLength(1), v.maxLength(NAME_MAX));
const said = v.pipe(v.string(), v.transform(cleanText), v.trim(), v.minLength(1), v.maxLength(20_000));
const author = v.pipe(v.string(), v.maxLength(NAME_MAX), v.transform(cleanText), v.trim());
export const status = v.picklist(REVIEW_STATUSES);

export const comment = v.object({ author: v.string(), date: v.string(), text: v.string() });
export const decision = v.object({
  clash: v.string(),
  status,
  assignee: v.pipe(v.string(), v.description('empty: nobody')),
  due: v.pipe(v.string(), v.description('like 2026-12-24; empty: none')),
  comments: v.array(comment),
  changed: time,
  changedBy: v.pipe(v.string(), v.description('the name of a token')),
});
export type DecisionRecord = Readonly<v.InferOutput<typeof decision>>;

export const decisions = v.object({
  revision: v.pipe(v.string(), v.description('the base of later changes')),
  decisions: v.array(decision),
});

const DECIDED_MAX = 10_000;

export const changedDecisions = v.strictObject({
  base: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,15}$/),
      v.description('the revision that was decided on: what others have set since is recorded in a comment'),
    ),
  ),
  changes: v.pipe(
    v.array(
      v.strictObject({
        clash: clashId,
        status: v.optional(status),
        assignee: v.optional(author),
        due: v.optional(
          v.pipe(
            v.string(),
            v.check(
              (text) => text === '' || (text.length <= 40 && isDate(text)),
              'write a date like 2026-12-24',
            ),
          ),
        ),
        comment: v.optional(said),
      }),
    ),
    v.minLength(1),
    v.maxLength(DECIDED_MAX),
  ),
});
export const newComment = v.strictObject({ text: said });

export const imported = v.object({
  revision: v.string(),
  topics: v.nullable(v.pipe(count, v.description('of an archive; null for other files'))),
  strangers: v.pipe(count, v.description('topics about no clash without a GUID to keep them by')),
  remarks: v.pipe(count, v.description('topics about no clash, which the project keeps, too')),
  changed: v.pipe(count, v.description('clashes whose decision has changed')),
});

export const openClashes = v.object({
  assignee: v.pipe(v.string(), v.description('empty: nobody')),
  open: count,
  overdue: count,
  undecided: v.pipe(count, v.description('those with the status new')),
});
export type OpenClashes = Readonly<v.InferOutput<typeof openClashes>>;

const counts = { open: count, new: count, resolved: count };
const countsByName = v.array(v.object({ name: v.string(), ...counts }));
export const week = v.object({
  week: v.pipe(v.string(), v.description('its Monday, in UTC')),
  ...counts,
  disciplines: v.pipe(countsByName, v.description('pairs of disciplines, as in the matrix of a report')),
  people: v.pipe(countsByName, v.description('assignees; an empty name: nobody')),
});
export type Week = Readonly<v.InferOutput<typeof week>>;

export const historyPoint = v.object({
  run: id,
  number: count,
  finished: time,
  active: count,
  new: v.nullable(count),
  resolved: v.nullable(count),
});

export const WEBHOOK_EVENTS = [
  'run-finished',
  'clash-decided',
  'clash-assigned',
  'clash-commented',
  'topic-created',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

const address = v.pipe(v.string(), v.minLength(1), v.maxLength(ADDRESS_MAX));
export const newWebhook = v.strictObject({
  address,
  events: v.optional(
    v.pipe(
      v.array(v.picklist(WEBHOOK_EVENTS)),
      v.minLength(1),
      v.maxLength(WEBHOOK_EVENTS.length),
      v.description('what it is told; run-finished by default'),
    ),
  ),
});
export const webhook = v.object({
  id,
  address: v.string(),
  events: v.array(v.picklist(WEBHOOK_EVENTS)),
  created: time,
});
export type Webhook = Readonly<v.InferOutput<typeof webhook>>;
export const webhookWithSecret = v.object({ ...webhook.entries, secret: v.string() });
export const delivery = v.object({
  id,
  webhook: id,
  event: v.picklist(WEBHOOK_EVENTS),
  run: v.nullable(id),
  state: v.picklist(['waiting', 'sent', 'failed']),
  attempts: count,
  error: v.nullable(v.string()),
  created: time,
});
export type Delivery = Readonly<v.InferOutput<typeof delivery>>;

export const newToken = v.strictObject({
  name: named,
  role: v.picklist(ROLES),
  projects: v.optional(
    v.pipe(
      v.array(id),
      v.minLength(1),
      v.maxLength(100),
      v.description('ids of the projects it may access; all by default'),
    ),
  ),
});
export const token = v.object({
  id,
  name: v.string(),
  role: v.picklist(ROLES),
  /** Projects that it may access; null: all. */
  projects: v.nullable(v.array(id)),
  created: time,
  revoked: v.nullable(time),
});
export type Token = Readonly<v.InferOutput<typeof token>>;
export const tokenWithSecret = v.object({ ...token.entries, token: v.string() });
