/** The issues of a project's latest completed run as topics, with the decisions of now. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stateIn } from '@impinge/cli/internal/reports/bcf/exported-state.js';
import {
  TOPIC_AUTHOR,
  type Topic,
  topicComments,
  topicFields,
  topicGuid,
  topicsOf,
} from '@impinge/cli/internal/reports/bcf/topic.js';
import type { Issue } from '@impinge/cli/internal/reports/issue-summary.js';
import { topicChanges } from '@impinge/cli/internal/reports/review/apply-topic.js';
import { statusOf } from '@impinge/cli/internal/reports/review/bcf-import.js';
import type { Decision, Review } from '@impinge/cli/internal/reports/review/decision.js';
import { isoDate } from '@impinge/cli/internal/reports/text.js';
import type { RecordedReport, Reported } from '@impinge/cli/internal/server/recorded-report.js';
import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import type { Run } from '../api/schemas.js';
import { changedBy, changeReview, updateReview } from '../project-review.js';
import type { ServiceParts } from '../service-parts.js';
import type { BcfTopic, ChangedTopic } from './bcf-schemas.js';

/** All topics of a project at one revision of its decisions. */
export interface Topics {
  readonly run: Run;
  readonly folder: string;
  readonly input: Reported;
  readonly byGuid: ReadonlyMap<string, Topic>;
  readonly list: readonly BcfTopic[];
}

const KEPT = 3;
/** Milliseconds for which other requests wait while topics are written. */
const TURN_MS = 20;

/** What a topic says of its issue, which stays while nothing is decided about it. */
type Written = Omit<BcfTopic, 'index' | 'modified_date' | 'modified_author'>;

export class TopicLists {
  readonly #parts: ServiceParts;
  /** By run and revision, the latest last. */
  readonly #kept = new Map<string, Promise<Topics>>();
  /** Most issues are the same from one revision to the next. */
  readonly #written = new WeakMap<Issue, Written>();

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  /** Undefined if no run has been completed. */
  async of(project: string): Promise<Topics | undefined> {
    const { decisions, reports } = this.#parts;
    const latest = await reports.latest(project);
    if (!latest) return undefined;
    const key = `${latest.run.id} ${await decisions.revision(project)}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const topics = this.#made(project, latest);
    this.#kept.set(key, topics);
    topics.catch(() => this.#kept.delete(key));
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return topics;
  }

  async #made(
    project: string,
    { run, report }: { readonly run: Run; readonly report: RecordedReport },
  ): Promise<Topics> {
    const all = await this.#parts.decisions.list(project, {});
    const changes = new Map(all.map((one) => [one.clash, one]));
    const { input, issues } = report.decided(changes);
    const topics = topicsOf(issues);
    const list: BcfTopic[] = [];
    let since = performance.now();
    for (const [index, topic] of topics.entries()) {
      const { issue } = topic;
      let written = this.#written.get(issue);
      if (!written) this.#written.set(issue, (written = this.#write(topic, input, run)));
      list.push({ ...written, index, ...lastChange(issue, changes, input) });
      if (performance.now() - since < TURN_MS) continue;
      await nextTurn();
      since = performance.now();
    }
    const byGuid = new Map(topics.map((topic) => [topicGuid(topic.issue), topic]));
    return { run, folder: report.folder, input, byGuid, list };
  }

  /** Throws a 404 if there is no such topic. */
  async find(project: string, guid: string): Promise<{ topics: Topics; topic: Topic; written: BcfTopic }> {
    const topics = await this.of(project);
    const key = guid.toLowerCase();
    const topic = topics?.byGuid.get(key);
    if (!topics || !topic) throw new RequestError(404, 'there is no such topic');
    return { topics, topic, written: topics.list.find((one) => one.guid === key)! };
  }

  /** Changes what differs from the topic that the client has read, for all its clashes, as importing it would. */
  async change(project: string, guid: string, given: ChangedTopic, author: string): Promise<BcfTopic> {
    const { topic } = await this.find(project, guid);
    const ids = clashesOf(topic);
    const { topic_status: status, assigned_to: assignee, due_date: due, description } = given;
    const read = stateIn(description ?? '');
    const now = topic.issue.decision;
    const wanted: Decision = {
      status: status ? statusOf(status) : (read?.status.value ?? now.status),
      assignee: assignee ?? '',
      due: due ?? '',
      comments: [],
    };
    const cleared = {
      ...(isCleared(assignee) && (read?.assignee.value ?? now.assignee) !== '' && { assignee: '' }),
      ...(isCleared(due) && (read?.due.value ?? now.due) !== '' && { due: '' }),
    };
    const make = (known: Review): Review => {
      const changes = new Map<string, Decision>(topicChanges(wanted, read, ids, known));
      if (Object.keys(cleared).length === 0) return changes;
      for (const id of ids) {
        const own = changes.get(id) ?? known.get(id);
        if (own) changes.set(id, { ...own, ...cleared });
      }
      return changes;
    };
    await updateReview(this.#parts, project, changedBy(author), make);
    return (await this.find(project, guid)).written;
  }

  /** Adds a comment to all its clashes; returns the comment as the topic has it now. */
  async say(project: string, guid: string, text: string, author: string) {
    const { topic } = await this.find(project, guid);
    const by = changedBy(author);
    const said = { ...by, text };
    const saying = (earlier: Decision) => ({ ...earlier, comments: [...earlier.comments, said] });
    await changeReview(this.#parts, project, by, new Map(clashesOf(topic).map((id) => [id, saying])));
    const { topics, topic: now } = await this.find(project, guid);
    return topicComments(now.issue, topics.input.model).find((one) => one.text === text)!;
  }

  #write(topic: Topic, input: Reported, run: Run): Written {
    const fields = topicFields(topic, input);
    const page = `runs/${run.id}/report.html#issue=${encodeURIComponent(topic.issue.id)}`;
    const { publicUrl } = this.#parts.settings;
    return {
      guid: fields.guid,
      server_assigned_id: topic.issue.id,
      topic_type: fields.type,
      topic_status: fields.status,
      reference_links: publicUrl ? [new URL(page, publicUrl).href] : [],
      title: fields.title,
      priority: fields.priority,
      labels: [...fields.labels],
      creation_date: fields.created,
      creation_author: fields.author,
      assigned_to: fields.assignee || null,
      stage: null,
      description: fields.description,
      due_date: fields.due || null,
    };
  }
}

/** When something was last decided about an issue, and by whom; else when its model was made. */
function lastChange(
  { clashes }: Issue,
  changes: ReadonlyMap<string, { readonly changed: string; readonly changedBy: string }>,
  { model }: Reported,
): Pick<BcfTopic, 'modified_date' | 'modified_author'> {
  const own = clashes.flatMap(({ id }) => changes.get(id) ?? []);
  const times = own.map(({ changed }) => Date.parse(changed));
  const last = own[times.indexOf(Math.max(...times))];
  if (!last) return { modified_date: isoDate(model.date), modified_author: TOPIC_AUTHOR };
  return { modified_date: new Date(last.changed).toISOString(), modified_author: last.changedBy };
}

function isCleared(given: string | null | undefined): boolean {
  return given === null || given === '';
}

/** Throws if they are gone. */
function clashesOf({ issue, status }: Topic): string[] {
  if (status === 'Closed') throw new RequestError(409, 'this issue is gone: nothing can be decided about it');
  return issue.clashes.map(({ id }) => id);
}
