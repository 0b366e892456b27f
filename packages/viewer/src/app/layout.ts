/** The layout: available space and open panels. */
import { computed, signal } from '@preact/signals';
import type { Tab } from './address.js';

function media(query: string) {
  const list = matchMedia(query);
  const matches = signal(list.matches);
  list.addEventListener('change', () => {
    matches.value = list.matches;
  });
  return matches;
}

/** One sheet at the bottom instead of side panels. */
export const isPhone = media('(max-width: 719px)');
/** Room for one panel beside the picture. */
const isNarrow = media('(max-width: 1099px)');

export const leftOpen = signal(true);
export const rightOpen = signal(!isNarrow.value);
export const tab = signal<Tab>('objects');

/** Contents and height of the sheet on phones. */
export const sheet = signal<Tab | 'details'>('objects');
export const SHEET_HEIGHTS = ['low', 'half', 'high'] as const;
export const sheetHeight = signal<(typeof SHEET_HEIGHTS)[number]>('low');

export const showsLeft = computed(() => !isPhone.value && leftOpen.value);
export const showsRight = computed(() => !isPhone.value && rightOpen.value);

export function showTab(which: Tab): void {
  tab.value = which;
  sheet.value = which;
  if (isPhone.value) {
    if (sheetHeight.value === 'low') sheetHeight.value = 'half';
  } else {
    leftOpen.value = true;
    if (isNarrow.value) rightOpen.value = false;
  }
}

/** Opens the details of a selection if there is room; on a phone, the picture stays visible. */
export function showDetails(): void {
  sheet.value = 'details';
  if (isPhone.value) {
    if (sheetHeight.value === 'high') sheetHeight.value = 'half';
  } else if (!isNarrow.value) rightOpen.value = true;
}

/** Lowers the sheet on a phone, for a tool that needs the picture. */
export function makeRoom(): void {
  if (isPhone.value) sheetHeight.value = 'low';
}
