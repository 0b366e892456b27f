/** The script of report.html: fills the page, and keeps its figures, maps and link up to date. */
import { effect, signal } from '@preact/signals';
import { type ComponentChild, render } from 'preact';
import type { ReportPageData } from '../../../cli/src/wire/report.js';
import type { ReportSaving } from '../../../cli/src/wire/view-manifest.js';
import { ClashDetails } from '../clash-details.js';
import { Apart, ClashFilters, FilterTags, listedText, Sorting } from '../clash-filters.js';
import { ClashList } from '../clash-list.js';
import { ClashReview } from '../clash-review.js';
import { reviewFile } from '../decisions.js';
import { putList, readList, THEMES, USUAL_LIST } from '../list-address.js';
import { Report } from '../report.js';
import { ReviewKeeper } from '../review-keeper.js';
import { saveFile } from '../save-file.js';
import { SavingKeeper } from '../saving-keeper.js';
import { grouped } from '../text.js';
import { nextTheme, shownTheme, theme } from '../theme.js';
import { ClashMap } from './clash-map.js';
import { ClashPicture } from './clash-picture.js';
import { Figures, Tiles } from './figures.js';
import { ViewerLink } from './viewer-link.js';

const data: ReportPageData = JSON.parse(document.getElementById('report-data')!.textContent);
const review = new ClashReview(new Report(data), keeperOf(document.documentElement.dataset['saving']));
/** The list starts with closed issues: they are fewer than clashes. */
const USUAL = { ...USUAL_LIST, issues: true };
review.closedIssues.value = new Set(data.groups.keys());

/** With the address of a service, decisions are saved there, and those of others are shown. */
function keeperOf(given: string | undefined): ReviewKeeper {
  if (given === undefined) return new ReviewKeeper(data.review);
  const saving: ReportSaving = JSON.parse(given);
  const keeper = new SavingKeeper({ review: saving.review, live: true, saving }, { data, date: '' });
  // an event for every change, and one at once for those since the page was written
  const load = () => void keeper.load().catch(() => {});
  const events = new EventSource(saving.events);
  events.addEventListener('open', load);
  events.addEventListener('review', load);
  return keeper;
}

/** Replaces the page's content for browsers without scripts. */
function fill(id: string, content: ComponentChild): void {
  const place = document.getElementById(id)!;
  place.replaceChildren();
  render(content, place);
}

function show(clash: number): void {
  review.show(clash);
  review.openIssueOf(clash);
}

/** Selects a clash from a figure or a map. */
function lead(clash: number): void {
  show(clash);
  document.getElementById('list')!.scrollIntoView();
}

function changedCount(): number {
  const state = review.keeper.state.value;
  return state.kind === 'here' ? state.count : 0;
}

function SaveButton() {
  if (changedCount() === 0) return null;
  return (
    <button
      type="button"
      class="primary"
      id="save-review"
      onClick={() => {
        const text = reviewFile(review.keeper.decisions.peek());
        saveFile(new Blob([text], { type: 'application/json' }), 'review.json');
      }}
    >
      Save review.json ({grouped(changedCount())} changed)
    </button>
  );
}

function Filtered() {
  return (
    <>
      <span id="shown" aria-live="polite">
        {listedText(review)}
      </span>
      <FilterTags review={review} />
      <SaveButton />
    </>
  );
}

function ListPanel() {
  return (
    <>
      <div class="panel-tools">
        <ClashFilters review={review} />
        <Apart review={review} />
        <Sorting review={review} />
      </div>
      <ClashList review={review} onShow={show} />
    </>
  );
}

function DetailsPanel() {
  const clash = review.current.value;
  if (clash < 0) return <p class="empty">Select a clash to see its details and to record a decision.</p>;
  const picture = data.models[clash] ?? '';
  return (
    <ClashDetails
      review={review}
      clash={clash}
      onStep={(by) => review.step(by)}
      facts={
        <>
          <dt>In 3-D</dt>
          <dd>
            <ViewerLink id={data.clashes.id[clash]} />
          </dd>
        </>
      }
    >
      {picture !== '' && <ClashPicture key={clash} report={review.report} clash={clash} text={picture} />}
    </ClashDetails>
  );
}

function readAddress(): void {
  const values = new URLSearchParams(location.hash.slice(1));
  const wanted = readList(values, USUAL);
  review.follow(wanted);
  theme.value = THEMES.find((one) => one === values.get('theme')) ?? 'system';
  const clash = review.report.clashOf(wanted.clash);
  if (clash === undefined) review.showNone();
  else show(clash);
}

function writeAddress(): void {
  const values = new URLSearchParams();
  putList(values, review.address, USUAL);
  if (theme.value !== 'system') values.set('theme', theme.value);
  const hash = values.size > 0 ? `#${values}` : '';
  // no history entry per typed letter
  if (location.hash !== hash) history.replaceState(null, '', hash || location.pathname + location.search);
}

function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    const typing = (event.target as Element).closest?.('input, select, textarea');
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'n') review.step(1);
    else if (event.key === 'p') review.step(-1);
    else if (event.key === 'Escape') review.showNone();
  });
}

document.getElementById('theme')!.addEventListener('click', () => {
  // each click changes the visible theme
  const before = shownTheme.value;
  do nextTheme();
  while (shownTheme.value === before);
});
document.getElementById('print')!.addEventListener('click', () => print());

readAddress();
if (review.report.count > 0) {
  const matrix = signal(0);
  fill('tiles', <Tiles review={review} telling={data.telling} />);
  fill('figures', <Figures review={review} matrix={matrix} />);
  fill('filtered', <Filtered />);
  fill(
    'maps',
    <>
      <ClashMap review={review} data={data} title="From above" vertical="y" onPick={lead} />
      <ClashMap review={review} data={data} title="From the front" vertical="z" onPick={lead} />
    </>,
  );
  fill('list', <ListPanel />);
  fill('shown-clash', <DetailsPanel />);
  for (const one of document.querySelectorAll<HTMLElement>('[data-clash]'))
    one.addEventListener('click', () => lead(Number(one.dataset['clash'])));
  listenToKeys();
  addEventListener('beforeunload', (event) => {
    if (changedCount() > 0) event.preventDefault();
  });
}
effect(writeAddress);
addEventListener('hashchange', readAddress);
