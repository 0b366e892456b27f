/** Templates that escape every value except HTML made by them, so that names from files stay text. */
import { escapeMarkup } from '@impinge/cli/internal/reports/text.js';

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | null | undefined | false | readonly Value[];

export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((text, part, i) => text + put(values[i - 1]) + part));
}

function put(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(put).join('');
  return escapeMarkup(String(value));
}
