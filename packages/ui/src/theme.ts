/** The colour theme: the system's until the user chooses one. */
import { computed, effect, signal } from '@preact/signals';
import { THEMES, type Theme } from './list-address.js';

const systemDark = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(systemDark.matches);
systemDark.addEventListener('change', () => {
  systemIsDark.value = systemDark.matches;
});

export const theme = signal<Theme>('system');

export const shownTheme = computed<'light' | 'dark'>(() =>
  theme.value === 'system' ? (systemIsDark.value ? 'dark' : 'light') : theme.value,
);

effect(() => {
  document.documentElement.dataset['theme'] = shownTheme.value;
});

/** Cycles through system, light and dark. */
export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length];
}
