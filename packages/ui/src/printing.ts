/** Whether the page is being put on paper, where nobody scrolls or opens anything. */
import { signal } from '@preact/signals';

export const printing = signal(false);

globalThis.addEventListener?.('beforeprint', () => {
  printing.value = true;
});
globalThis.addEventListener?.('afterprint', () => {
  printing.value = false;
});
