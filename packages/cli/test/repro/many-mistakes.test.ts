/** A text with more mistakes than fit into one call: some are told, instead of an overflow of the stack. */
import { expect, test } from 'vitest';
import { CommandError } from '../../src/command-error.js';
import { parseReview } from '../../src/reports/review/review-file.js';
import { NodeReader } from '../../src/rules/node-reader.js';
import { parseRules } from '../../src/rules/read-rules.js';
import { YamlDocument } from '../../src/rules/yaml-document.js';

const linesOf = (act: () => unknown): readonly string[] => {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(CommandError);
    return (error as CommandError).lines;
  }
  throw new Error('nothing is wrong');
};

test('keys that are there a thousand times', () => {
  const text = 'a:\n'.repeat(1000);
  for (const lines of [
    linesOf(() => parseReview(text, 'review.yaml')),
    linesOf(() => parseRules(text, 'rules.yaml')),
  ]) {
    expect(lines).toHaveLength(100);
    expect(lines[0]).toMatch(/:2:1: this key is here twice$/);
  }
});

test('as many mistakes as a text of the largest size has', () => {
  const problems = new Array(1_000_000).fill({ line: 1, column: 1, message: 'this key is here twice' });
  const document = Object.assign(Object.create(YamlDocument.prototype), { problems }) as YamlDocument;
  expect(new NodeReader(document, () => undefined).problems).toHaveLength(100);
});
