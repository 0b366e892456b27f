/** How much room there is, and which panels are open. */
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

/** One sheet at the bottom instead of panels at the sides. */
export const isPhone = media('(max-width: 719px)');
/** Room for one panel beside the picture. */
const isNarrow = media('(max-width: 1099px)');

export const leftOpen = signal(true);
export const rightOpen = signal(!isNarrow.value);
export const tab = signal<Tab>('objects');

/** What the sheet of a phone shows, and how high it stands. */
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

/** Something was selected: its details are to be seen where there is room; on a phone the picture stays in view. */
export function showDetails(): void {
  sheet.value = 'details';
  if (isPhone.value) {
    if (sheetHeight.value === 'high') sheetHeight.value = 'half';
  } else if (!isNarrow.value) rightOpen.value = true;
}

/** A tool was opened, which needs the picture: on a phone the sheet gives way. */
export function makeRoom(): void {
  if (isPhone.value) sheetHeight.value = 'low';
}
