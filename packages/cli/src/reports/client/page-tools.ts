/**
 * What the script of the report page shares. Functions in this folder run in the reader's browser: they are put into
 * the page as text, so that each stands alone and takes what it needs as arguments.
 */

type Child = Node | string;

export type PageTools = ReturnType<typeof pageTools>;

export function pageTools() {
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

  /** A button that puts an id on the clipboard and says so. */
  function copyButton(id: string): HTMLElement {
    const copied = make('button', { type: 'button', class: 'copy', title: 'Copy this id' }, id);
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

  /** As `lengthText` of the reports. */
  function length(metres: number, error = 0): string {
    const [scale, unit] = Math.abs(metres) < 1 ? [1000, 'mm'] : [1, 'm'];
    const value = metres * scale;
    const known = error > 0 ? Math.max(0, -Math.floor(Math.log10(error * scale))) : 3;
    const worthwhile = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3;
    const digits = Math.min(known, worthwhile);
    const least = 10 ** -digits;
    if (value !== 0 && Math.abs(value) < least) return `< ${least} ${unit}`;
    return `${Number(value.toFixed(digits))} ${unit}`;
  }

  function byId(id: string): HTMLElement {
    return document.getElementById(id)!;
  }

  return { make, button, copyButton, count, length, byId };
}
