/** XML as text: elements whose content and attributes cannot break out of them. */
import { escapeMarkup } from './text.js';

/** Text that is XML already. */
export type Xml = { readonly xml: string };

type Attributes = Readonly<Record<string, string | undefined>>;

/** An element; attributes that are undefined and children that are undefined are left out. */
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

/** A whole document. */
export function document(root: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.xml}\n`;
}
