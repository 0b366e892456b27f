/**
 * The tables of the service as migration steps. A released step never changes; later changes are new steps. All tables
 * are in one schema, so that the database can be shared.
 */
export const SCHEMA = 'impinge_service';

export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE tokens (
    id text PRIMARY KEY,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('read', 'run', 'admin')),
    digest bytea NOT NULL UNIQUE,
    created timestamptz NOT NULL DEFAULT now(),
    revoked timestamptz
  );
  CREATE TABLE projects (
    id text PRIMARY KEY,
    name text NOT NULL,
    rules text,
    keep_runs integer,
    keep_days integer,
    last_run integer NOT NULL DEFAULT 0,
    created timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE models (
    id text PRIMARY KEY,
    project text NOT NULL REFERENCES projects ON DELETE CASCADE,
    name text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('upload', 'folder', 'https', 's3')),
    address text,
    bytes bigint,
    sha256 text,
    created timestamptz NOT NULL DEFAULT now(),
    superseded timestamptz
  );
  CREATE UNIQUE INDEX models_current ON models (project, name) WHERE superseded IS NULL;
  CREATE TABLE runs (
    id text PRIMARY KEY,
    project text NOT NULL REFERENCES projects ON DELETE CASCADE,
    number integer NOT NULL,
    state text NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    options jsonb NOT NULL,
    models text[] NOT NULL,
    baseline text,
    attempts integer NOT NULL DEFAULT 0,
    process text,
    created timestamptz NOT NULL DEFAULT now(),
    started timestamptz,
    finished timestamptz,
    error text,
    clashes integer,
    new_clashes integer,
    resolved integer,
    approved integer,
    objects integer,
    triangles bigint,
    UNIQUE (project, number)
  );
  CREATE INDEX runs_open ON runs (created, id) WHERE state IN ('queued', 'running');
  CREATE TABLE webhooks (
    id text PRIMARY KEY,
    project text NOT NULL REFERENCES projects ON DELETE CASCADE,
    address text NOT NULL,
    secret text NOT NULL,
    created timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE deliveries (
    id text PRIMARY KEY,
    webhook text NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    run text NOT NULL REFERENCES runs ON DELETE CASCADE,
    body text NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    next_at timestamptz NOT NULL DEFAULT now(),
    error text,
    created timestamptz NOT NULL DEFAULT now(),
    UNIQUE (webhook, run)
  );
  CREATE INDEX deliveries_waiting ON deliveries (next_at) WHERE state = 'waiting';
  `,
  `
  ALTER TABLE runs DROP CONSTRAINT runs_state_check;
  ALTER TABLE runs ADD CONSTRAINT runs_state_check
    CHECK (state IN ('queued', 'running', 'done', 'incomplete', 'failed', 'cancelled'));
  ALTER TABLE tokens ADD COLUMN projects text[];
  `,
  `
  CREATE SEQUENCE turns;
  ALTER TABLE projects ADD COLUMN turn bigint NOT NULL DEFAULT 0;
  `,
  `
  ALTER TABLE projects ADD COLUMN revision bigint NOT NULL DEFAULT 0;
  ALTER TABLE projects ADD COLUMN counted_since timestamptz;
  CREATE TABLE decisions (
    project text NOT NULL REFERENCES projects ON DELETE CASCADE,
    clash text NOT NULL,
    status text NOT NULL,
    assignee text NOT NULL,
    due text NOT NULL,
    comments jsonb NOT NULL,
    changed timestamptz NOT NULL DEFAULT now(),
    changed_by text NOT NULL,
    PRIMARY KEY (project, clash)
  );
  CREATE TABLE decision_changes (
    project text NOT NULL REFERENCES projects ON DELETE CASCADE,
    clash text NOT NULL,
    revision bigint NOT NULL,
    status text NOT NULL,
    assignee text NOT NULL,
    due text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project, clash, revision)
  );
  CREATE TABLE clash_spans (
    project text NOT NULL REFERENCES projects ON DELETE CASCADE,
    clash text NOT NULL,
    sides text NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz,
    PRIMARY KEY (project, clash, since)
  );
  CREATE INDEX clash_spans_open ON clash_spans (project, clash) WHERE until IS NULL;
  ALTER TABLE webhooks ADD COLUMN events text[] NOT NULL DEFAULT '{run-finished}';
  ALTER TABLE deliveries ALTER COLUMN run DROP NOT NULL;
  ALTER TABLE deliveries ADD COLUMN event text NOT NULL DEFAULT 'run-finished';
  ALTER TABLE deliveries ADD COLUMN nth bigserial;
  `,
  `
  CREATE TABLE remarks (
    project text NOT NULL REFERENCES projects ON DELETE CASCADE,
    guid text NOT NULL,
    number integer NOT NULL,
    title text NOT NULL,
    type text NOT NULL,
    word text NOT NULL,
    priority text NOT NULL,
    labels text[] NOT NULL,
    stage text NOT NULL,
    links text[] NOT NULL,
    description text NOT NULL,
    created timestamptz NOT NULL,
    author text NOT NULL,
    modified timestamptz NOT NULL,
    modified_by text NOT NULL,
    PRIMARY KEY (project, guid)
  );
  CREATE TABLE topic_views (
    project text NOT NULL REFERENCES projects ON DELETE CASCADE,
    topic text NOT NULL,
    guid text NOT NULL,
    nth bigserial,
    view jsonb NOT NULL,
    picture_type text,
    picture bytea,
    PRIMARY KEY (project, topic, guid)
  );
  CREATE TABLE comment_views (
    project text NOT NULL REFERENCES projects ON DELETE CASCADE,
    comment text NOT NULL,
    view text NOT NULL,
    PRIMARY KEY (project, comment)
  );
  `,
];
