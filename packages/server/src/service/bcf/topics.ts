/**
 * The topics of a project, with the decisions of now: the issues of its latest completed run, and after them the
 * remarks of people.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stateIn } from '@impinge/cli/internal/reports/bcf/exported-state.js';
import { remarkComments, remarkFields } from '@impinge/cli/internal/reports/bcf/remark.js';
import {
  TOPIC_AUTHOR,
  type Topic,
  type TopicComment,
  type TopicFields,
  topicComments,
  topicFields,
  topicGuid,
  topicsOf,
} from '@impinge/cli/internal/reports/bcf/topic.js';
import type { Issue } from '@impinge/cli/internal/reports/issue-summary.js';
import { topicChanges } from '@impinge/cli/internal/reports/review/apply-topic.js';
import { statusOf } from '@impinge/cli/internal/reports/review/bcf-import.js';
import { type Decision, type Review, UNDECIDED } from '@impinge/cli/internal/reports/review/decision.js';
import type { Changed } from '@impinge/cli/internal/reports/review/merge-change.js';
import { isoDate } from '@impinge/cli/internal/reports/text.js';
import type { RecordedReport, Reported } from '@impinge/cli/internal/server/recorded-report.js';
import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import type { Run } from '../api/schemas.js';
import { changedBy, changeReview, updateReview } from '../project-review.js';
import type { ServiceParts } from '../service-parts.js';
import type { NumberedRemark, RemarkText } from '../state/remarks.js';
import type { BcfTopic, ChangedTopic, NewTopic } from './bcf-schemas.js';

/** All issues of a project at one revision of its decisions. */
export interface Topics {
  readonly run: Run;
  readonly folder: string;
  readonly input: Reported;
  readonly byGuid: ReadonlyMap<string, Topic>;
  readonly list: readonly BcfTopic[];
}

/** A topic that has been asked for. */
export interface FoundTopic {
  readonly guid: string;
  readonly written: BcfTopic;
  /** Those that are about a view do not say so. */
  readonly comments: readonly TopicComment[];
  /** Undefined for remarks. */
  readonly issue: { readonly topics: Topics; readonly topic: Topic } | undefined;
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

  async all(project: string): Promise<BcfTopic[]> {
    const { remarks, decisions } = this.#parts;
    const issues = (await this.of(project))?.list ?? [];
    const said = await remarks.list(project);
    if (said.length === 0) return [...issues];
    const decided = new Map((await decisions.list(project, {})).map((one) => [one.clash, one]));
    return [
      ...issues,
      ...said.map((remark, i) => remarkJson(remark, decided.get(remark.guid), issues.length + i)),
    ];
  }

  /** Throws a 404 if there is no such topic. */
  async find(project: string, guid: string): Promise<FoundTopic> {
    const key = guid.toLowerCase();
    const remark = await this.#parts.remarks.find(project, key);
    if (remark) return this.#foundRemark(project, remark);
    const topics = await this.of(project);
    const topic = topics?.byGuid.get(key);
    if (!topics || !topic) throw new RequestError(404, 'there is no such topic');
    return {
      guid: key,
      written: topics.list.find((one) => one.guid === key)!,
      comments: topicComments(topic.issue, topics.input.model.date),
      issue: { topics, topic },
    };
  }

  async #foundRemark(project: string, remark: NumberedRemark): Promise<FoundTopic> {
    const { guid } = remark;
    const decision = await this.#parts.decisions.one(project, guid);
    const issues = (await this.of(project))?.list.length ?? 0;
    return {
      guid,
      written: remarkJson(remark, decision, issues + remark.number - 1),
      comments: remarkComments(remark, decision ?? UNDECIDED),
      issue: undefined,
    };
  }

  /** A remark; throws a 409 if there is a topic with its GUID. */
  async create(project: string, given: NewTopic, author: string): Promise<BcfTopic> {
    const guid = given.guid?.toLowerCase() ?? randomUUID();
    if ((await this.of(project))?.byGuid.has(guid))
      throw new RequestError(409, 'there is a topic with this GUID');
    const by = changedBy(author);
    await this.#parts.remarks.create(project, guid, remarkText(given, NO_TEXT), by);
    await this.#decide(project, guid, given, by);
    return (await this.find(project, guid)).written;
  }

  /** Of an issue, changes what differs from the topic that the client has read, as importing it would. */
  async change(project: string, guid: string, given: ChangedTopic, author: string): Promise<BcfTopic> {
    const key = guid.toLowerCase();
    const by = changedBy(author);
    const remark = await this.#parts.remarks.find(project, key);
    if (remark) {
      await this.#parts.remarks.change(project, key, remarkText(given, remark), by);
      await this.#decide(project, key, given, by);
    } else await this.#changeIssue(project, key, given, by);
    return (await this.find(project, key)).written;
  }

  /** What is not given stays. */
  async #decide(project: string, guid: string, given: ChangedTopic, by: Changed): Promise<void> {
    const { topic_status: status, assigned_to: assignee, due_date: due } = given;
    await updateReview(this.#parts, project, by, (known) => {
      const own = known.get(guid) ?? UNDECIDED;
      const decision: Decision = {
        ...own,
        ...(status !== undefined && { status: statusOf(status ?? '') }),
        ...(assignee !== undefined && { assignee: assignee ?? '' }),
        ...(due !== undefined && { due: (due ?? '').slice(0, 10) }),
      };
      return new Map([[guid, decision]]);
    });
  }

  async #changeIssue(project: string, guid: string, given: ChangedTopic, by: Changed): Promise<void> {
    const { topic } = await this.#issue(project, guid);
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
    await updateReview(this.#parts, project, by, make);
  }

  async #issue(project: string, guid: string) {
    const { issue } = await this.find(project, guid);
    if (!issue) throw new RequestError(404, 'there is no such topic');
    return issue;
  }

  /** Adds a comment, to an issue about all its clashes; returns the comment as the topic has it now. */
  async say(project: string, guid: string, text: string, author: string, view?: string) {
    const { issue, guid: key } = await this.find(project, guid);
    const by = changedBy(author);
    const said = { ...by, text };
    const saying = (earlier: Decision) => ({ ...earlier, comments: [...earlier.comments, said] });
    const about = issue ? clashesOf(issue.topic) : [key];
    await changeReview(this.#parts, project, by, new Map(about.map((id) => [id, saying])));
    const { comments } = await this.find(project, key);
    const comment = comments.filter((one) => one.text === text).at(-1)!;
    if (view !== undefined) await this.#parts.remarks.setViewOfComment(project, comment.guid, view);
    return { ...comment, view };
  }

  #write(topic: Topic, input: Reported, run: Run): Written {
    const page = `runs/${run.id}/report.html#issue=${encodeURIComponent(topic.issue.id)}`;
    const { publicUrl } = this.#parts.settings;
    const written = topicJson(topicFields(topic, input), topic.issue.id);
    return { ...written, reference_links: publicUrl ? [new URL(page, publicUrl).href] : [] };
  }
}

function topicJson(fields: TopicFields, id: string): Written {
  return {
    guid: fields.guid,
    server_assigned_id: id,
    topic_type: fields.type,
    topic_status: fields.status,
    reference_links: [...fields.links],
    title: fields.title,
    priority: fields.priority || null,
    labels: [...fields.labels],
    creation_date: fields.created,
    creation_author: fields.author,
    assigned_to: fields.assignee || null,
    stage: fields.stage || null,
    description: fields.description || null,
    due_date: fields.due || null,
  };
}

function remarkJson(
  remark: NumberedRemark,
  decision: (Decision & LastChange) | undefined,
  index: number,
): BcfTopic {
  const fields = remarkFields(remark, decision ?? UNDECIDED);
  const changed = decision && new Date(decision.changed).toISOString();
  const isLater = changed !== undefined && changed > fields.modified;
  return {
    ...topicJson(fields, `remark ${remark.number}`),
    index,
    modified_date: isLater ? changed : fields.modified,
    modified_author: isLater ? decision!.changedBy : fields.modifiedBy,
  };
}

const NO_TEXT: RemarkText = {
  ...{ title: '', type: '', word: '', priority: '', labels: [], stage: '', links: [], description: '' },
};

/** What is not given stays as it was. */
function remarkText(given: ChangedTopic, was: RemarkText): RemarkText {
  const text = (value: string | null | undefined, own: string) => (value === undefined ? own : (value ?? ''));
  const list = (values: readonly string[] | null | undefined, own: readonly string[]) =>
    values === undefined ? own : (values ?? []);
  return {
    title: given.title ?? was.title,
    type: text(given.topic_type, was.type),
    word: text(given.topic_status, was.word),
    priority: text(given.priority, was.priority),
    labels: list(given.labels, was.labels),
    stage: text(given.stage, was.stage),
    links: list(given.reference_links, was.links),
    description: text(given.description, was.description),
  };
}

interface LastChange {
  readonly changed: string;
  readonly changedBy: string;
}

/** When something was last decided about an issue, and by whom; else when its model was made. */
function lastChange(
  { clashes }: Issue,
  changes: ReadonlyMap<string, LastChange>,
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
