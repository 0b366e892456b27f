/**
 * What BCF 2.1 asks of its XML files, written down as the order of elements and the form of values, and a checker for
 * it. Only what is allowed is listed: anything else is a fault.
 */
import { SaxesParser } from 'saxes';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** The root of a well-formed document; throws otherwise. */
export function parseXml(source: string): XmlElement {
  const stack: XmlElement[] = [{ name: '', attributes: {}, children: [], text: '' }];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    stack.at(-1)!.children.push(element);
    stack.push(element);
  });
  parser.on('text', (text) => {
    stack.at(-1)!.text += text;
  });
  parser.on('closetag', () => {
    stack.pop();
  });
  parser.write(source).close();
  return stack[0].children[0];
}

export function childrenOf(element: XmlElement, ...path: string[]): XmlElement[] {
  return path.reduce(
    (found, name) => found.flatMap((one) => one.children.filter((c) => c.name === name)),
    [element],
  );
}

/** The form of a value. */
const FORMS: Readonly<Record<string, RegExp>> = {
  text: /^/,
  filled: /\S/,
  guid: /^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}$/,
  ifcGuid: /^[0-9A-Za-z_$]{22}$/,
  dateTime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/,
  integer: /^[+-]?\d{1,9}$/,
  double: /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/,
  fieldOfView: /^(4[5-9]|5\d)(\.\d*)?$|^60$/,
  boolean: /^(true|false|0|1)$/,
  colour: /^[0-9A-F]{6}([0-9A-F]{2})?$/,
  version: /^2\.1$/,
  nothing: /^\s*$/,
};

interface Rule {
  readonly name: string;
  /** `1`, `?` may be missing, `*` may be repeated or missing, `+` may be repeated. */
  readonly occurs: string;
  readonly text: string;
  /** The name of the form of each; those that end in `!` are required. */
  readonly attributes: Readonly<Record<string, string>>;
  /** In their order. */
  readonly children: Rule[];
}

/**
 * Rules as lines: the name of an element and how often it occurs, the form of its text, its attributes; children are
 * indented.
 */
function ruleOf(lines: string): Rule {
  const above: Rule[] = [{ name: '', occurs: '1', text: 'nothing', attributes: {}, children: [] }];
  for (const line of lines
    .replaceAll('VECTOR', VECTOR)
    .split('\n')
    .filter((one) => one.trim() !== '')) {
    const [word, ...rest] = line.trim().split(' ');
    const depth = line.search(/\S/) / 2;
    const pairs = rest.filter((part) => part.includes('='));
    const rule: Rule = {
      name: word.replace(/[?*+]$/, ''),
      occurs: /[?*+]$/.exec(word)?.[0] ?? '1',
      text: rest.find((part) => !part.includes('=')) ?? 'nothing',
      attributes: Object.fromEntries(pairs.map((pair) => pair.split('='))),
      children: [],
    };
    above[depth].children.push(rule);
    above[depth + 1] = rule;
  }
  return above[0].children[0];
}

/** Below an element that is three deep. */
const VECTOR = ['X', 'Y', 'Z'].map((axis) => `\n      ${axis} double`).join('');

export const VERSION = ruleOf(`
Version VersionId!=version
  DetailedVersion? text`);

export const PROJECT_EXTENSION = ruleOf(`
ProjectExtension
  Project? ProjectId!=filled
    Name? text
  ExtensionSchema text`);

export const MARKUP = ruleOf(`
Markup
  Header?
    File+ IfcProject=ifcGuid IfcSpatialStructureElement=ifcGuid isExternal=boolean
      Filename? text
      Date? dateTime
      Reference? text
  Topic Guid!=guid TopicType=text TopicStatus=text
    ReferenceLink* text
    Title filled
    Priority? text
    Index? integer
    Labels* text
    CreationDate dateTime
    CreationAuthor filled
    ModifiedDate? dateTime
    ModifiedAuthor? text
    DueDate? dateTime
    AssignedTo? text
    Stage? text
    Description? text
  Viewpoints* Guid!=guid
    Viewpoint? text
    Snapshot? text
    Index? integer`);

/** Components are named by their GUIDs, or by what their tool calls them. */
const COMPONENTS = (indent: string) => `
${indent}Component+ IfcGuid=ifcGuid
${indent}  OriginatingSystem? text
${indent}  AuthoringToolId? text`;

export const VISUALIZATION_INFO = ruleOf(`
VisualizationInfo Guid!=guid
  Components?
    Selection?${COMPONENTS('      ')}
    Visibility DefaultVisibility=boolean
      Exceptions?${COMPONENTS('        ')}
    Coloring?
      Color+ Color=colour${COMPONENTS('        ')}
  PerspectiveCamera?
    CameraViewPoint VECTOR
    CameraDirection VECTOR
    CameraUpVector VECTOR
    FieldOfView fieldOfView
  ClippingPlanes?
    ClippingPlane*
      Location${VECTOR.replaceAll('      ', '        ')}
      Direction${VECTOR.replaceAll('      ', '        ')}`);

/** What is wrong with an element, each fault with its place; nothing when it is as it should be. */
export function schemaFaults(element: XmlElement, rule: Rule, place = rule.name): string[] {
  if (element.name !== rule.name) return [`${place}: is ${element.name}`];
  return [...attributeFaults(element, rule, place), ...contentFaults(element, rule, place)];
}

function attributeFaults({ attributes }: XmlElement, rule: Rule, place: string): string[] {
  const required = Object.keys(rule.attributes).filter((key) => key.endsWith('!'));
  const faults = required
    .filter((key) => !(key.slice(0, -1) in attributes))
    .map((key) => `${place}: no ${key.slice(0, -1)}`);
  for (const [key, value] of Object.entries(attributes)) {
    const form = rule.attributes[key] ?? rule.attributes[`${key}!`];
    if (!form) faults.push(`${place}: may not have ${key}`);
    else if (!FORMS[form].test(value)) faults.push(`${place}: ${key} is ${value}`);
  }
  return faults;
}

function contentFaults({ children, text }: XmlElement, rule: Rule, place: string): string[] {
  const faults = FORMS[rule.text].test(text) ? [] : [`${place}: the text is ${text}`];
  let at = 0;
  for (const own of rule.children) {
    const first = at;
    while (children[at]?.name === own.name && (at === first || /[*+]/.test(own.occurs))) {
      faults.push(...schemaFaults(children[at], own, `${place}/${own.name}`));
      at++;
    }
    if (at === first && /[1+]/.test(own.occurs)) faults.push(`${place}: no ${own.name} in its place`);
  }
  if (at < children.length) faults.push(`${place}: ${children[at].name} out of place`);
  return faults;
}
