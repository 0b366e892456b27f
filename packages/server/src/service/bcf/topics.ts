/** The issues of a project's latest completed run as topics, with the decisions of now. */
import { stateIn } from '@impinge/cli/internal/reports/bcf/exported-state.js';
import {
  type Topic,
  topicComments,
  topicFields,
  topicGuid,
  topicsOf,
} from '@impinge/cli/internal/reports/bcf/topic.js';
import { topicChanges } from '@impinge/cli/internal/reports/review/apply-topic.js';
import { statusOf } from '@impinge/cli/internal/reports/review/bcf-import.js';
import type { Decision, Review } from '@impinge/cli/internal/reports/review/decision.js';
import type { Reported } from '@impinge/cli/internal/server/recorded-report.js';
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

export class TopicLists {
  readonly #parts: ServiceParts;
  /** By run and revision, the latest last. */
  readonly #kept = new Map<string, Topics>();

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  /** Undefined if no run has been completed. */
  async of(project: string): Promise<Topics | undefined> {
    const { decisions, reports } = this.#parts;
    const latest = await reports.latest(project);
    if (!latest) return undefined;
    const key = `${latest.run.id} ${await decisions.revision(project)}`;
    let topics = this.#kept.get(key);
    if (!topics) {
      const { run, report } = latest;
      const all = await decisions.list(project, {});
      const changes = new Map(all.map((one) => [one.clash, one]));
      const { input, issues } = report.decided(changes);
      const list = topicsOf(issues);
      topics = {
        ...{ run, folder: report.folder, input },
        byGuid: new Map(list.map((topic) => [topicGuid(topic.issue), topic])),
        list: list.map((topic, index) => this.#written(topic, index, input, run, changes)),
      };
      this.#kept.set(key, topics);
      if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    }
    return topics;
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

  #written(
    topic: Topic,
    index: number,
    input: Reported,
    run: Run,
    decisions: ReadonlyMap<string, { readonly changed: string; readonly changedBy: string }>,
  ): BcfTopic {
    const fields = topicFields(topic, input);
    const { issue } = topic;
    const changes = issue.clashes.flatMap(({ id }) => decisions.get(id) ?? []);
    const last = changes.reduce<(typeof changes)[number] | undefined>(
      (latest, one) => (latest && Date.parse(latest.changed) >= Date.parse(one.changed) ? latest : one),
      undefined,
    );
    const page = `runs/${run.id}/report.html#issue=${encodeURIComponent(issue.id)}`;
    const { publicUrl } = this.#parts.settings;
    return {
      guid: fields.guid,
      server_assigned_id: issue.id,
      topic_type: fields.type,
      topic_status: fields.status,
      reference_links: publicUrl ? [new URL(page, publicUrl).href] : [],
      title: fields.title,
      priority: fields.priority,
      index,
      labels: [...fields.labels],
      creation_date: fields.created,
      creation_author: fields.author,
      modified_date: last ? new Date(last.changed).toISOString() : fields.modified,
      modified_author: last?.changedBy ?? fields.author,
      assigned_to: fields.assignee || null,
      stage: null,
      description: fields.description,
      due_date: fields.due || null,
    };
  }
}

function isCleared(given: string | null | undefined): boolean {
  return given === null || given === '';
}

/** Throws if they are gone. */
function clashesOf({ issue, status }: Topic): string[] {
  if (status === 'Closed') throw new RequestError(409, 'this issue is gone: nothing can be decided about it');
  return issue.clashes.map(({ id }) => id);
}
