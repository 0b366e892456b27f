/** What readers of JUnit files agree on: which elements are where, what they must say and may say. */
import type { XmlElement } from './reports-bcf-schema.js';

interface Rule {
  readonly required: Readonly<Record<string, RegExp>>;
  readonly optional: Readonly<Record<string, RegExp>>;
  readonly children: readonly string[];
  readonly hasText?: boolean;
}

const TEXT = /^/;
const NAME = /\S/;
const COUNT = /^\d+$/;
const SECONDS = /^\d+(\.\d+)?$/;
const COUNTS = { failures: COUNT, errors: COUNT, skipped: COUNT, disabled: COUNT, time: SECONDS };
const OUTCOME = { required: {}, optional: { message: TEXT, type: TEXT }, children: [], hasText: true };

const RULES: Readonly<Record<string, Rule>> = {
  testsuites: { required: {}, optional: { name: TEXT, tests: COUNT, ...COUNTS }, children: ['testsuite'] },
  testsuite: {
    required: { name: NAME, tests: COUNT },
    optional: { ...COUNTS, timestamp: TEXT, hostname: TEXT, id: TEXT, package: TEXT },
    children: ['properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: {
    required: { name: NAME, classname: NAME },
    optional: { time: SECONDS, assertions: COUNT, status: TEXT },
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: OUTCOME,
  error: OUTCOME,
  skipped: OUTCOME,
};
const OUTCOMES = ['skipped', 'error', 'failure'];

/** What is wrong with a document, if anything. */
export function junitFaults(root: XmlElement): string[] {
  return root.name === 'testsuites' ? faultsIn(root) : [`the root is ${root.name}`];
}

function faultsIn(element: XmlElement): string[] {
  const rule = RULES[element.name];
  if (rule === undefined) return [`unknown element ${element.name}`];
  const { name, attributes, children, text } = element;
  const known = { ...rule.required, ...rule.optional };
  const faults = Object.keys(rule.required)
    .filter((key) => !(key in attributes))
    .map((key) => `${name} without ${key}`);
  for (const [key, value] of Object.entries(attributes)) {
    if (!(key in known)) faults.push(`${name} has ${key}`);
    else if (!known[key].test(value)) faults.push(`${name}: ${key} is "${value}"`);
  }
  if (!rule.hasText && text.trim() !== '') faults.push(`text in ${name}`);
  const places = children.map((child) => rule.children.indexOf(child.name));
  children.forEach((child, i) => {
    if (places[i] < 0) faults.push(`${child.name} in ${name}`);
    else if (i > 0 && places[i] < places[i - 1]) faults.push(`${child.name} after ${children[i - 1].name}`);
  });
  if (children.filter((child) => OUTCOMES.includes(child.name)).length > 1) faults.push(`${name} ends twice`);
  return [...faults, ...children.flatMap(faultsIn)];
}
