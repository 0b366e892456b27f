/** The page of one issue: what it is, its picture, facts, a plan cut at its height, and comments. */
import { CLASH_KIND_TABLE, CLASH_KINDS } from '@impinge/model';
import { statusText } from '../../wire/review.js';
import { lengthText, oneLine, plural } from '../../wire/text.js';
import { type Issue, placesOf } from '../issue-summary.js';
import { objectName } from '../object-name.js';
import { PENETRATIONS } from '../penetrations.js';
import type { Picture } from '../picture.js';
import { measureText } from '../report-data.js';
import { PAGE, type SheetDocument } from './sheet-document.js';
import { BOTTOM, drawRule, GREY, INNER_WIDTH, LINE, MARGIN, TOP } from './sheet-page.js';

const PICTURE_HEIGHT = (INNER_WIDTH * 3) / 4;
const GAP = 16;
const PLAN_WIDTH = 232;
const PLAN_HEIGHT = (PLAN_WIDTH * 3) / 4;
const FACTS_WIDTH = INNER_WIDTH - PLAN_WIDTH - GAP;
const LABEL_WIDTH = 64;
/** Clashes that are named. */
const NAMED_MAX = 3;

export async function drawIssue(
  document: SheetDocument,
  issue: Issue,
  picture: (() => Promise<Picture>) | undefined,
  plan: (() => Promise<Picture>) | undefined,
): Promise<void> {
  let y = TOP - 6;
  y += document.text(issue.title, MARGIN, y, INNER_WIDTH, { size: 12.5, isBold: true, lines: 2 }) + 8;
  if (picture) {
    await drawPicture(document, await picture(), MARGIN, y, INNER_WIDTH, PICTURE_HEIGHT);
    y += PICTURE_HEIGHT + GAP;
  }
  const facts = drawFacts(document, issue, y);
  let side = y;
  if (plan) {
    const left = PAGE.width - MARGIN - PLAN_WIDTH;
    await drawPicture(document, await plan(), left, y, PLAN_WIDTH, PLAN_HEIGHT);
    side += PLAN_HEIGHT + 4;
    const height = `Plan, cut at ${heightText(issue.point[2])}`;
    side += document.text(height, left, side, PLAN_WIDTH, { size: 7.5, colour: GREY });
  }
  drawComments(document, issue, Math.max(facts, side) + GAP / 2);
}

async function drawPicture(
  document: SheetDocument,
  { png }: Picture,
  x: number,
  y: number,
  width: number,
  height: number,
): Promise<void> {
  await document.image(png, x, y, width, height);
  document.box(x, y, width, height, LINE, false);
}

/** Returns where they end. */
function drawFacts(document: SheetDocument, issue: Issue, from: number): number {
  let y = from;
  for (const [label, text, lines] of factsOf(issue)) {
    if (text === '') continue;
    document.text(label, MARGIN, y, LABEL_WIDTH, { size: 8, colour: GREY });
    const width = FACTS_WIDTH - LABEL_WIDTH;
    y += document.text(text, MARGIN + LABEL_WIDTH, y, width, { size: 8, lines }) + 4;
  }
  return y;
}

function factsOf(issue: Issue): (readonly [label: string, text: string, lines: number])[] {
  const { decision, kinds, clashes, clashCount } = issue;
  const found = CLASH_KINDS.flatMap((kind) => (kinds[kind] ? [`${kinds[kind]} ${kind}`] : []));
  const openings = PENETRATIONS.filter((one) => clashes.some(({ penetration }) => penetration === one));
  const [x, y, z] = issue.point.map((metres) => metres.toFixed(3));
  const named = clashes.slice(0, NAMED_MAX).map((clash) => {
    const measure = measureText(clash);
    const way = CLASH_KIND_TABLE[clash.kind].figure;
    return `${objectName(clash.a)} / ${objectName(clash.b)}${measure === undefined ? '' : `, ${measure} ${way}`}`;
  });
  if (clashCount > named.length)
    named.push(`and ${plural(clashCount - named.length, 'more clash', 'more clashes')}`);
  return [
    ['Status', [statusText(decision.status, true), issue.status].filter(Boolean).join(', '), 1],
    ['Assignee', oneLine(decision.assignee), 1],
    ['Due', decision.due, 1],
    ['Found', found.join(', '), 1],
    ['Opening', openings.join(', '), 1],
    ['Rule', oneLine(issue.rule), 2],
    ['Storey', oneLine(issue.storey), 1],
    ['Room', oneLine(placesOf(issue, 'room')), 1],
    ['Grid', placesOf(issue, 'grid'), 1],
    ['Between', issue.disciplines.join(', '), 2],
    ['Place', `${x}, ${y}, ${z} m`, 1],
    ['Since', issue.since.slice(0, 10), 1],
    ['Clashes', named.join('\n'), 7],
    ['Id', issue.id, 1],
  ];
}

function drawComments(document: SheetDocument, { decision }: Issue, from: number): void {
  drawRule(document, from);
  let y = from + 8;
  const label = decision.comments.length === 0 ? 'Notes' : 'Comments';
  document.text(label, MARGIN, y, LABEL_WIDTH, { size: 8, colour: GREY });
  for (const { author, date, text } of decision.comments) {
    if (y > BOTTOM - 24) break;
    const who = [author, date.slice(0, 10)].filter((part) => part !== '').join(', ');
    const said = who === '' ? text : `${who}: ${text}`;
    const lines = Math.max(1, Math.floor((BOTTOM - y) / 10));
    const width = INNER_WIDTH - LABEL_WIDTH;
    y += document.text(said, MARGIN + LABEL_WIDTH, y, width, { size: 8, lines }) + 5;
  }
}

function heightText(z: number): string {
  return `${z < 0 ? '−' : '+'}${lengthText(Math.abs(z))}`;
}
