/** The pictures of the worst issues, each drawn once for all reports that show it. */
import type { ReportFormat } from './choices.js';
import type { Issue, Issues } from './issue-summary.js';
import type { Painter, Picture } from './picture.js';
import { subjectOf } from './view.js';

/** A picture takes longer than the rest of an issue; only the worst have one. */
export const PICTURES_MAX = 200;

const WITH_PICTURES: readonly ReportFormat[] = ['bcf', 'xlsx', 'pdf'];
const WITH_PLANS: readonly ReportFormat[] = ['pdf'];

export function showPictures(formats: readonly ReportFormat[]): boolean {
  return formats.some((format) => WITH_PICTURES.includes(format));
}

type Drawn = ReadonlyMap<Issue, () => Promise<Picture>>;

export class IssuePictures {
  readonly #pictures: Drawn;
  readonly #plans: Drawn;

  /** Threads start drawing what these reports show at once. */
  constructor(painter: Painter, { open, approved, closed }: Issues, formats: readonly ReportFormat[]) {
    const worst = [...open, ...approved, ...closed].slice(0, PICTURES_MAX);
    const shown = (by: readonly ReportFormat[]) => (formats.some((one) => by.includes(one)) ? worst : []);
    this.#pictures = drawnOnce(painter, shown(WITH_PICTURES), false);
    this.#plans = drawnOnce(painter, shown(WITH_PLANS), true);
  }

  /** The picture of an issue; undefined: it has none. */
  of(issue: Issue): (() => Promise<Picture>) | undefined {
    return this.#pictures.get(issue);
  }

  /** The plan of an issue, cut at its height. */
  planOf(issue: Issue): (() => Promise<Picture>) | undefined {
    return this.#plans.get(issue);
  }
}

function drawnOnce(painter: Painter, issues: readonly Issue[], isPlan: boolean): Drawn {
  const pictures = painter.paint(issues.map((issue) => ({ ...subjectOf(issue), isPlan })));
  return new Map(
    issues.map((issue, i) => {
      let picture: Promise<Picture> | undefined;
      return [issue, () => (picture ??= pictures(i))];
    }),
  );
}
