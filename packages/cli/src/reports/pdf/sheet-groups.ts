/** Issues put together for the sheets of a document: each group has its own pages. */
import { compareText } from '../../wire/text.js';
import type { SheetsBy } from '../choices.js';
import type { Issue, Issues } from '../issue-summary.js';

export interface SheetGroup {
  readonly title: string;
  /** Worst first. */
  readonly issues: readonly Issue[];
}

const TITLES: Readonly<Record<SheetsBy, (name: string) => string>> = {
  assignee: (name) => (name === '' ? 'Not assigned' : name),
  storey: (name) => (name === '' ? 'Several storeys, or none' : name),
};

/** By name; issues without one last. Approved issues and those that are gone need no meeting. */
export function sheetGroups({ open }: Issues, by: SheetsBy): SheetGroup[] {
  const groups = new Map<string, Issue[]>();
  for (const issue of open) {
    const name = by === 'assignee' ? issue.decision.assignee : issue.storey;
    const own = groups.get(name);
    if (own) own.push(issue);
    else groups.set(name, [issue]);
  }
  return [...groups]
    .sort(([p], [q]) => Number(p === '') - Number(q === '') || compareText(p, q))
    .map(([name, issues]) => ({ title: TITLES[by](name), issues }));
}
