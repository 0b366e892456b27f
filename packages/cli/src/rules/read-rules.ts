/** Reads files of rules: from YAML or JSON to the library's types. */
import { CommandError } from '../command-error.js';
import { readBytes } from '../regular-file.js';
import { NodeReader, type PatternCheck } from './node-reader.js';
import { type RuleFile, RuleReader } from './rule-reader.js';
import { MAX_CHARACTERS, YamlDocument } from './yaml-document.js';

export type { PatternCheck } from './node-reader.js';
export type { RuleFile } from './rule-reader.js';

/**
 * Reads a file of rules, lengths in metres. If something is wrong, the message of the CommandError has a line for each
 * mistake, `FILE:LINE:COLUMN: what`. `patternProblem` checks patterns; without it, malformed ones are refused when the
 * check begins.
 */
export async function readRules(
  path: string,
  patternProblem: PatternCheck = () => undefined,
): Promise<RuleFile> {
  return parseRules(await readText(path), path, patternProblem);
}

/** The text of a file; throws if it is not text. */
export async function readText(path: string): Promise<string> {
  // slightly more than the limit, so that exceeding it is noticed
  const bytes = await readBytes(path, 2 * MAX_CHARACTERS + 1);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(`${path}: is not UTF-8 text, or is too long`);
  }
}

/** The same for a text; `name` is its name in errors. */
export function parseRules(
  text: string,
  name: string,
  patternProblem: PatternCheck = () => undefined,
): RuleFile {
  const nodes = new NodeReader(new YamlDocument(text), patternProblem);
  const file = new RuleReader(nodes).read();
  if (nodes.problems.length === 0) return file;
  const lines = [...nodes.problems]
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`);
  throw new CommandError(lines);
}
