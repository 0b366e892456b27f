/** Keeps the page's link up to date, and follows it when another one is opened in the same page. */
import { effect, untracked } from '@preact/signals';
import { theme } from '../../../ui/src/theme.js';
import { type Address, EMPTY_ADDRESS, readAddress, writeAddress } from './address.js';
import { showTab, tab } from './layout.js';
import type { Viewer } from './viewer.js';

/** Browsers limit the rate of changes to the address. */
const WRITE_MS = 400;
/** More selected objects would make the address too long. */
const MOST_OBJECTS = 20;

/** Call before anything else sets state; returns a function that stops it. */
export function linkAddress(viewer: Viewer): () => void {
  // parts that wait for the objects, the clashes and the picture
  let wanted: Address = EMPTY_ADDRESS;
  const waiting = { objects: false, review: false, view: false };
  let written = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  function follow(): void {
    wanted = readAddress(location.hash);
    waiting.objects = waiting.review = waiting.view = true;
    theme.value = wanted.theme;
    if (wanted.tab !== '') showTab(wanted.tab);
    viewer.tree.value = wanted.tree;
    viewer.search.value = wanted.search;
    settle();
  }

  /** Applies each part once, as soon as its data is loaded; the view last, since a clash frames itself. */
  function settle(): void {
    if (waiting.objects && viewer.columns.peek()) followObjects();
    if (waiting.review && viewer.review.peek()) followReview();
    const { report } = viewer.manifest.peek();
    if (waiting.view && viewer.picture.peek() && !waiting.objects && (report === null || !waiting.review))
      followView();
  }

  function followObjects(): void {
    waiting.objects = false;
    const columns = viewer.columns.peek()!;
    const objects = wanted.objects
      .map((text) => (text.startsWith('@') ? Number(text.slice(1)) : columns.ids.indexOf(text)))
      .filter((object) => Number.isInteger(object) && object >= 0 && object < columns.count);
    viewer.selection.value = new Set(objects);
  }

  function followReview(): void {
    waiting.review = false;
    const review = viewer.review.peek()!;
    review.follow(wanted);
    review.surroundings.value = wanted.surroundings;
    const clash = wanted.clash === '' ? undefined : review.report.clashOf(wanted.clash);
    if (clash !== undefined) viewer.showClash(clash);
    else review.showNone();
  }

  function followView(): void {
    waiting.view = false;
    const storey = viewer.storeys.peek().find(({ name }) => name === wanted.plan);
    if (storey) viewer.showPlan(storey);
    // a clash without a view frames itself
    if (wanted.view) viewer.picture.peek()?.look(wanted.view);
  }

  function now(): Address {
    const review = viewer.review.value;
    const columns = viewer.columns.value;
    const selected = [...viewer.selection.value].slice(0, MOST_OBJECTS);
    return {
      ...(review?.address ?? wanted),
      theme: theme.value,
      tab: tab.value,
      tree: viewer.tree.value,
      search: viewer.search.value,
      objects: columns ? selected.map((object) => columns.ids[object] || `@${object}`) : wanted.objects,
      surroundings: review?.surroundings.value ?? wanted.surroundings,
      plan: viewer.plan.value?.name ?? '',
      view: viewer.picture.value?.view ?? wanted.view,
    };
  }

  function write(): void {
    timer = undefined;
    const text = writeAddress(now());
    if (text === written) return;
    written = text;
    history.replaceState(null, '', `#${text}`);
  }
  const writeSoon = () => {
    timer ??= setTimeout(write, WRITE_MS);
  };

  follow();
  addEventListener('hashchange', follow);
  const ends = [
    effect(() => {
      const arrived = [viewer.columns.value, viewer.review.value, viewer.picture.value];
      if (arrived.some((one) => one !== undefined)) untracked(settle);
    }),
    effect(() => {
      now();
      writeSoon();
    }),
    effect(() => viewer.picture.value?.onFrame(writeSoon)),
    () => removeEventListener('hashchange', follow),
    () => clearTimeout(timer),
  ];
  return () => {
    for (const end of ends) end();
  };
}
