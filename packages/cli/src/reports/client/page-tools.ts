/**
 * What the script of the report page shares. Functions in this folder run in the reader's browser: they are put into
 * the page as text, so that each stands alone and takes what it needs as arguments.
 */
import type { lengthText } from '../../wire/text.js';

type Child = Node | string;

export type PageTools = ReturnType<typeof pageTools>;

export function pageTools(length: typeof lengthText) {
  /** An element; whatever text it is given stays text. */
  function make(name: string, attributes: Record<string, string>, ...children: Child[]): HTMLElement {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  function button(label: string, className: string, onClick: (event: Event) => void): HTMLElement {
    const element = make('button', { type: 'button', class: className }, label);
    element.addEventListener('click', onClick);
    return element;
  }

  /** A button that puts an id, or another text, on the clipboard and says so. */
  function copyButton(id: string, title = 'Copy this id'): HTMLElement {
    const copied = make('button', { type: 'button', class: 'copy', title }, id);
    copied.addEventListener('click', (event) => {
      event.stopPropagation();
      const done = () => {
        copied.classList.add('copied');
        setTimeout(() => copied.classList.remove('copied'), 1200);
      };
      // pages opened from disk may not use the clipboard; then the text is selected for the reader to copy
      const select = () => getSelection()?.selectAllChildren(copied);
      if (navigator.clipboard) navigator.clipboard.writeText(id).then(done, select);
      else select();
    });
    return copied;
  }

  function count(n: number): string {
    return n.toLocaleString('en-US');
  }

  function byId(id: string): HTMLElement {
    return document.getElementById(id)!;
  }

  /** What was compressed (raw deflate) and written in base64. */
  async function inflated(text: string): Promise<ArrayBuffer> {
    const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new Response(stream).arrayBuffer();
  }

  return { inflated, make, button, copyButton, count, length, byId };
}
