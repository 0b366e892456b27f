/** Whether the page is being printed: everything must be rendered then, not only visible rows. */
import { signal } from '@preact/signals';

export const printing = signal(false);

globalThis.addEventListener?.('beforeprint', () => {
  printing.value = true;
});
globalThis.addEventListener?.('afterprint', () => {
  printing.value = false;
});
