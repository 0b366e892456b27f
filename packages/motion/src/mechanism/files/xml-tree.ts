/** XML in memory, as elements that know their lines. Untrusted: depth, elements and text are bounded. */
import { ImpingeError } from 'impinge';
import { oneLine, quoted } from 'impinge/internal/formats/mesh-file.js';
import { SaxesParser } from 'saxes';

const MOST_DEEP = 64;
const MOST_ELEMENTS = 500_000;
const MOST_TEXT = 256e6;

export class XmlElement {
  readonly name: string;
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[] = [];
  text = '';
  readonly #file: string;

  constructor(file: string, name: string, line: number, attributes: Readonly<Record<string, string>>) {
    this.#file = file;
    this.name = name;
    this.line = line;
    this.attributes = attributes;
  }

  /** An error that names the file and the line. */
  fail(why: string): ImpingeError {
    return failure(this.#file, this.line, why);
  }

  all(name: string): XmlElement[] {
    return this.children.filter((child) => child.name === name);
  }

  /** The first child of a name. */
  first(name: string): XmlElement | undefined {
    return this.children.find((child) => child.name === name);
  }

  need(name: string): XmlElement {
    const found = this.first(name);
    if (found) return found;
    throw this.fail(`<${this.name}> has no <${name}>`);
  }

  attribute(name: string): string | undefined {
    return Object.hasOwn(this.attributes, name) ? this.attributes[name] : undefined;
  }

  needAttribute(name: string): string {
    const found = this.attribute(name)?.trim();
    if (found) return found;
    throw this.fail(`<${this.name}> has no ${name}`);
  }

  /** A finite number. */
  number(text: string, what: string): number {
    const value = Number(text);
    if (text.trim() !== '' && Number.isFinite(value)) return value;
    throw this.fail(`${what} is ${quoted(text.trim())}, not a finite number`);
  }

  /** Finite numbers between spaces. */
  numbers(text: string, what: string, count: number): number[] {
    const words = text.trim() === '' ? [] : text.trim().split(/\s+/);
    if (words.length !== count) throw this.fail(`${what} has ${words.length} numbers, not ${count}`);
    return words.map((word) => this.number(word, what));
  }
}

export function failure(file: string, line: number, why: string): ImpingeError {
  return new ImpingeError('bad-buffer', oneLine(`${file}: line ${line}: ${why}`), { file, line });
}

/** The root element of a document. */
export function readXml(text: string, file: string): XmlElement {
  if (text.length > MOST_TEXT)
    throw new ImpingeError('bad-buffer', `${file}: larger than ${MOST_TEXT} characters`);
  const parser = new SaxesParser({ position: true });
  let root: XmlElement | undefined;
  const open: XmlElement[] = [];
  let line = 1;
  let count = 0;
  parser.on('error', (error) => {
    const why = error.message.replace(/^(.*?:)?\d+:\d+: /, '').replace(/\.$/, '');
    throw failure(file, parser.line, `not XML: ${why}`);
  });
  parser.on('opentagstart', () => {
    line = parser.line;
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length === MOST_DEEP) throw failure(file, line, `elements are nested deeper than ${MOST_DEEP}`);
    if (++count > MOST_ELEMENTS) throw failure(file, line, `more than ${MOST_ELEMENTS} elements`);
    const element = new XmlElement(file, name, line, attributes as Record<string, string>);
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const note = (more: string) => {
    const element = open.at(-1);
    if (element) element.text += more;
  };
  parser.on('text', note);
  parser.on('cdata', note);
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(text).close();
  if (!root) throw failure(file, 1, 'not XML: there is no element');
  return root;
}
