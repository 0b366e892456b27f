/**
 * When products exist: from the start of the tasks that build them, until the end of those that take them away
 * (IfcTask). Actual dates count before scheduled ones. IFC4 has the dates and the type in the task and its time; IFC2X3
 * has dates in a control that is assigned to the task, and no types: all tasks build.
 */
import type { IfcEngine, StepValue } from './engine.js';
import { addTo, eachLine, eachOf, refs, text } from './step-lines.js';

const TASK_TIME = 11;
const PREDEFINED_TYPE = 12;
/** Start and finish, of IfcTaskTime and of IfcScheduleTimeControl. */
const SCHEDULE = [5, 6] as const;
const ACTUAL = [16, 17] as const;
const CONTROL_SCHEDULE = [8, 12] as const;
const CONTROL_ACTUAL = [5, 9] as const;
const BUILDS = /^(CONSTRUCTION|INSTALLATION|RENOVATION)$/;
const TAKES_AWAY = /^(DEMOLITION|DISMANTLE|DISPOSAL|REMOVAL)$/;
const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?)?/;
/** Limit per product. */
const MAX_TASKS = 64;

interface Task {
  readonly type: string;
  /** Empty where unknown. */
  readonly dates: readonly [start: string, finish: string];
}

/** By the number of the product: `2026-03-01/2026-05-01`. */
export async function readPeriods(engine: IfcEngine): Promise<Map<number, string>> {
  const tasks = await readTasks(engine);
  const periods = new Map<number, string>();
  if (tasks.size === 0) return periods;
  const tasksOf = new Map<number, number[]>();
  // what a task works on, and what comes out of it
  await eachLine(engine, 'IFCRELASSIGNSTOPROCESS', ({ values }) => {
    const [task] = refs(values[6]);
    for (const product of refs(values[4])) if (tasks.has(task)) addTo(tasksOf, product, task, MAX_TASKS);
  });
  await eachLine(engine, 'IFCRELASSIGNSTOPRODUCT', ({ values }) => {
    const [product] = refs(values[6]);
    for (const task of refs(values[4])) if (tasks.has(task)) addTo(tasksOf, product, task, MAX_TASKS);
  });
  for (const [product, own] of tasksOf) {
    const dates = (pattern: RegExp, end: 0 | 1) =>
      own
        .map((task) => tasks.get(task)!)
        .filter(({ type }) => pattern.test(type))
        .map(({ dates }) => dates[end])
        .filter((date) => date !== '')
        .sort();
    const [from = ''] = dates(BUILDS, 0);
    const until = dates(TAKES_AWAY, 1).at(-1) ?? '';
    if (from !== '' || until !== '') periods.set(product, `${from}/${until}`);
  }
  return periods;
}

async function readTasks(engine: IfcEngine): Promise<Map<number, Task>> {
  const timeOf = new Map<number, { readonly time: number | undefined; readonly type: string }>();
  await eachLine(engine, 'IFCTASK', ({ id, values }) => {
    timeOf.set(id, { time: refs(values[TASK_TIME])[0], type: text(values[PREDEFINED_TYPE]) });
  });
  if (timeOf.size === 0) return new Map();
  await eachLine(engine, 'IFCRELASSIGNSTASKS', ({ values }) => {
    const [time] = refs(values[7]);
    for (const task of refs(values[4]))
      if (timeOf.has(task)) timeOf.set(task, { time, type: 'CONSTRUCTION' });
  });
  const times = new Map<
    number,
    { readonly dates: Task['dates']; readonly refs: readonly (number | undefined)[] }
  >();
  await eachOf(
    engine,
    [...timeOf.values()].flatMap(({ time }) => time ?? []),
    ({ id, type, values }) => {
      const isControl = type === 'IfcScheduleTimeControl';
      const [schedule, actual] = isControl ? [CONTROL_SCHEDULE, CONTROL_ACTUAL] : [SCHEDULE, ACTUAL];
      const said = (k: 0 | 1) => DATE.exec(text(values[actual[k]]) || text(values[schedule[k]]))?.[0] ?? '';
      const refersTo = (k: 0 | 1) => refs(values[actual[k]])[0] ?? refs(values[schedule[k]])[0];
      times.set(id, { dates: [said(0), said(1)], refs: isControl ? [refersTo(0), refersTo(1)] : [] });
    },
  );
  const calendar = await readCalendar(
    engine,
    [...times.values()].flatMap((time) => time.refs.flatMap((ref) => ref ?? [])),
  );
  const datesOf = (time: number | undefined): Task['dates'] => {
    const known = time === undefined ? undefined : times.get(time);
    const date = (k: 0 | 1) => known?.dates[k] || calendar.get(known?.refs[k] ?? -1) || '';
    return [date(0), date(1)];
  };
  return new Map([...timeOf].map(([id, { time, type }]) => [id, { type, dates: datesOf(time) }]));
}

/** The days of IFC2X3 by their numbers: IfcCalendarDate, alone or with a time. */
async function readCalendar(engine: IfcEngine, ids: readonly number[]): Promise<Map<number, string>> {
  const days = new Map<number, string>();
  const dayOf = new Map<number, number>();
  const take = (id: number, values: readonly StepValue[]) => {
    const [day, month, year] = values.map(Number);
    if (!(year >= 1000 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= 31)) return;
    days.set(id, [`${year}`, ...[month, day].map((x) => `${x}`.padStart(2, '0'))].join('-'));
  };
  await eachOf(engine, ids, ({ id, type, values }) => {
    if (type === 'IfcCalendarDate') take(id, values);
    else if (type === 'IfcDateAndTime') for (const day of refs(values[0])) dayOf.set(id, day);
  });
  await eachOf(engine, [...new Set(dayOf.values())], ({ id, values }) => take(id, values));
  for (const [id, day] of dayOf) if (days.has(day)) days.set(id, days.get(day)!);
  return days;
}
