/** Files of rules: YAML or JSON in, what the library takes out. */
import { createReadStream } from 'node:fs';
import { CommandError } from '../command-error.js';
import { fileErrorCause } from '../jobs/file-errors.js';
import { type PatternCheck, type RuleFile, RuleReader } from './rule-reader.js';
import { MAX_CHARACTERS, YamlDocument } from './yaml-document.js';

export type { PatternCheck, RuleFile } from './rule-reader.js';

/**
 * Reads a file of rules, lengths in metres. The message of the CommandError where something is wrong has a line for each
 * mistake, `FILE:LINE:COLUMN: what`. Patterns are looked at by `patternProblem`; without it, malformed ones are
 * refused when the check begins.
 */
export async function readRules(
  path: string,
  patternProblem: PatternCheck = () => undefined,
): Promise<RuleFile> {
  const chunks: Uint8Array[] = [];
  try {
    // a little more than is allowed, so that it shows
    for await (const chunk of createReadStream(path, { end: 2 * MAX_CHARACTERS })) chunks.push(chunk);
  } catch (error) {
    throw new CommandError(`${path}: cannot be read: ${fileErrorCause(error) ?? String(error)}`);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new CommandError(`${path}: is not a text in UTF-8, or a very long one`);
  }
  return parseRules(text, path, patternProblem);
}

/** The same for a text; `name` stands for it in errors. */
export function parseRules(
  text: string,
  name: string,
  patternProblem: PatternCheck = () => undefined,
): RuleFile {
  const reader = new RuleReader(new YamlDocument(text), patternProblem);
  const file = reader.read();
  if (reader.problems.length === 0) return file;
  const lines = [...reader.problems]
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`);
  throw new CommandError(lines);
}
