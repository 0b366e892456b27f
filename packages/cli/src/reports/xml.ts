/** XML as text: elements whose content and attributes are escaped. */
import { escapeMarkup } from './text.js';

/** Text that is already XML. */
export type Xml = { readonly xml: string };

type Attributes = Readonly<Record<string, string | undefined>>;

/** An element; undefined attributes and children are omitted. */
export function element(
  name: string,
  attributes: Attributes,
  ...children: (Xml | string | number | undefined)[]
): Xml {
  const head = Object.entries(attributes)
    .map(([key, value]) => (value === undefined ? '' : ` ${key}="${attributeText(value)}"`))
    .join('');
  const content = children
    .filter((child) => child !== undefined)
    .map(contentOf)
    .join('');
  return { xml: content === '' ? `<${name}${head}/>` : `<${name}${head}>${content}</${name}>` };
}

function attributeText(value: string): string {
  return escapeMarkup(value).replace(/[\t\n\r]/g, (c) => `&#${c.charCodeAt(0)};`);
}

function contentOf(child: Xml | string | number): string {
  if (typeof child === 'object') return child.xml;
  return typeof child === 'number' ? String(child) : escapeMarkup(child);
}

export function document(root: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.xml}\n`;
}
