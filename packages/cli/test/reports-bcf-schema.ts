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

type Value = RegExp | ((text: string) => boolean);

interface Rule {
  /** Children in their order; `?` may be missing, `*` may be repeated or missing, `+` may be repeated. */
  readonly sequence?: readonly (readonly [name: string, occurs: '1' | '?' | '*' | '+', rule: Rule])[];
  /** Attributes; a name that ends in `!` is required. */
  readonly attributes?: Readonly<Record<string, Value>>;
  /** The form of the text; elements with children have none. */
  readonly text?: Value;
}

const anything: Value = () => true;
const guid = /^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}$/;
const ifcGuid = /^[0-9A-Za-z_$]{22}$/;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/;
const integer = (text: string) => /^[+-]?\d+$/.test(text) && Math.abs(Number(text)) < 2 ** 31;
const double = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const boolean = /^(true|false|0|1)$/;
const notEmpty = (text: string) => text.trim() !== '';

const string: Rule = { text: anything };
const vector: Rule = {
  sequence: [
    ['X', '1', { text: double }],
    ['Y', '1', { text: double }],
    ['Z', '1', { text: double }],
  ],
};
const component: Rule = {
  sequence: [
    ['OriginatingSystem', '?', string],
    ['AuthoringToolId', '?', string],
  ],
  attributes: { IfcGuid: ifcGuid },
};
const components: Rule = { sequence: [['Component', '+', component]] };

export const VERSION: Rule = {
  sequence: [['DetailedVersion', '?', string]],
  attributes: { 'VersionId!': /^2\.1$/ },
};

export const PROJECT_EXTENSION: Rule = {
  sequence: [
    ['Project', '?', { sequence: [['Name', '?', string]], attributes: { 'ProjectId!': notEmpty } }],
    ['ExtensionSchema', '1', string],
  ],
};

export const MARKUP: Rule = {
  sequence: [
    [
      'Header',
      '?',
      {
        sequence: [
          [
            'File',
            '+',
            {
              sequence: [
                ['Filename', '?', string],
                ['Date', '?', { text: dateTime }],
                ['Reference', '?', string],
              ],
              attributes: { IfcProject: ifcGuid, IfcSpatialStructureElement: ifcGuid, isExternal: boolean },
            },
          ],
        ],
      },
    ],
    [
      'Topic',
      '1',
      {
        sequence: [
          ['ReferenceLink', '*', string],
          ['Title', '1', { text: notEmpty }],
          ['Priority', '?', string],
          ['Index', '?', { text: integer }],
          ['Labels', '*', string],
          ['CreationDate', '1', { text: dateTime }],
          ['CreationAuthor', '1', { text: notEmpty }],
          ['ModifiedDate', '?', { text: dateTime }],
          ['ModifiedAuthor', '?', string],
          ['DueDate', '?', { text: dateTime }],
          ['AssignedTo', '?', string],
          ['Stage', '?', string],
          ['Description', '?', string],
        ],
        attributes: { 'Guid!': guid, TopicType: anything, TopicStatus: anything },
      },
    ],
    [
      'Viewpoints',
      '*',
      {
        sequence: [
          ['Viewpoint', '?', string],
          ['Snapshot', '?', string],
          ['Index', '?', { text: integer }],
        ],
        attributes: { 'Guid!': guid },
      },
    ],
  ],
};

export const VISUALIZATION_INFO: Rule = {
  sequence: [
    [
      'Components',
      '?',
      {
        sequence: [
          ['Selection', '?', components],
          [
            'Visibility',
            '1',
            { sequence: [['Exceptions', '?', components]], attributes: { DefaultVisibility: boolean } },
          ],
          [
            'Coloring',
            '?',
            {
              sequence: [
                ['Color', '+', { ...components, attributes: { Color: /^[0-9A-F]{6}([0-9A-F]{2})?$/ } }],
              ],
            },
          ],
        ],
      },
    ],
    [
      'PerspectiveCamera',
      '?',
      {
        sequence: [
          ['CameraViewPoint', '1', vector],
          ['CameraDirection', '1', vector],
          ['CameraUpVector', '1', vector],
          [
            'FieldOfView',
            '1',
            { text: (text) => double.test(text) && Number(text) >= 45 && Number(text) <= 60 },
          ],
        ],
      },
    ],
    [
      'ClippingPlanes',
      '?',
      {
        sequence: [
          [
            'ClippingPlane',
            '*',
            {
              sequence: [
                ['Location', '1', vector],
                ['Direction', '1', vector],
              ],
            },
          ],
        ],
      },
    ],
  ],
  attributes: { 'Guid!': guid },
};

/** What is wrong with an element, each fault with its place; nothing when it is as it should be. */
export function schemaFaults(element: XmlElement, name: string, rule: Rule, place = name): string[] {
  if (element.name !== name) return [`${place}: is ${element.name}`];
  return [...attributeFaults(element, rule, place), ...contentFaults(element, rule, place)];
}

function attributeFaults({ attributes }: XmlElement, rule: Rule, place: string): string[] {
  const known = Object.entries(rule.attributes ?? {});
  const faults = known
    .filter(([key]) => key.endsWith('!') && !(key.slice(0, -1) in attributes))
    .map(([key]) => `${place}: no ${key.slice(0, -1)}`);
  for (const [key, value] of Object.entries(attributes)) {
    const form = known.find(([own]) => own.replace('!', '') === key)?.[1];
    if (!form) faults.push(`${place}: may not have ${key}`);
    else if (!fits(form, value)) faults.push(`${place}: ${key} is ${value}`);
  }
  return faults;
}

function contentFaults({ children, text }: XmlElement, rule: Rule, place: string): string[] {
  if (!rule.sequence) {
    if (children.length > 0) return [`${place}: may not hold ${children[0].name}`];
    const form = rule.text ?? /^\s*$/;
    return fits(form, text) ? [] : [`${place}: the text is ${text}`];
  }
  const faults = text.trim() === '' ? [] : [`${place}: holds text`];
  let at = 0;
  for (const [name, occurs, own] of rule.sequence) {
    const first = at;
    while (children[at]?.name === name && (at === first || occurs === '*' || occurs === '+')) {
      faults.push(...schemaFaults(children[at], name, own, `${place}/${name}`));
      at++;
    }
    if (at === first && (occurs === '1' || occurs === '+')) faults.push(`${place}: no ${name} in its place`);
  }
  if (at < children.length) faults.push(`${place}: ${children[at].name} out of place`);
  return faults;
}

function fits(form: Value, text: string): boolean {
  return form instanceof RegExp ? form.test(text) : form(text);
}
