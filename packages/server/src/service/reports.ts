/** Reports of runs in memory: the few that were asked about last. */
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { sideName } from '@impinge/cli/internal/reports/issue-summary.js';
import { readRecord } from '@impinge/cli/internal/reports/read-report-record.js';
import { RecordedReport } from '@impinge/cli/internal/server/recorded-report.js';
import { oneLine } from '@impinge/cli/internal/wire/text.js';
import type { Run } from './api/schemas.js';
import type { Folders } from './folders.js';
import type { FoundClash } from './state/clash-spans.js';
import { Runs } from './state/runs.js';

const KEPT = 3;
const NAME_MAX = 100;

export class Reports {
  readonly #folders: Folders;
  readonly #runs: Runs;
  /** The latest last. */
  readonly #kept = new Map<string, Promise<RecordedReport>>();

  constructor(folders: Folders, runs: Runs) {
    this.#folders = folders;
    this.#runs = runs;
  }

  /** Throws a CommandError if the run has none, or one of an earlier version. */
  of(run: Run): Promise<RecordedReport> {
    if (!Runs.hasReport(run)) throw new CommandError(`run ${run.number} has no report`);
    const report = this.#kept.get(run.id) ?? this.#read(run);
    this.#kept.delete(run.id);
    this.#kept.set(run.id, report);
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    report.catch(() => this.#kept.delete(run.id));
    return report;
  }

  /** The latest completed run of a project with its report; undefined if there is none. */
  async latest(project: string): Promise<{ readonly run: Run; readonly report: RecordedReport } | undefined> {
    const run = await this.#runs.lastDone(project, 2 ** 31 - 1);
    return run && { run, report: await this.of(run) };
  }

  /** The clashes of a run, for the history of its project. */
  async found(run: string): Promise<FoundClash[]> {
    const folder = this.#folders.report(run);
    const record = await readRecord(folder);
    const clashes = record ? await RecordedReport.clashesOf(folder, record) : [];
    return clashes.map(({ id, a, b, formerIds }) => ({
      ...{ id, formerIds },
      sides: [a, b]
        .map((side) => oneLine(sideName(side), NAME_MAX))
        .sort()
        .join(' × '),
    }));
  }

  async #read({ id, number }: Run): Promise<RecordedReport> {
    const folder = this.#folders.report(id);
    const record = await readRecord(folder);
    if (!record?.model)
      throw new CommandError(
        `run ${number} was made by an earlier version, which recorded less: start another`,
      );
    return new RecordedReport(folder, record, record.model, await RecordedReport.clashesOf(folder, record));
  }
}
