/**
 * `files:` in a file of rules: what is said about single files of the model, by name or pattern.
 *
 *   files:
 *     "scan*.stl": { unit: mm, up: y }
 *     pipes.ifc: { place: "t=12,3.5,0 rz=60", discipline: plumbing }
 */
import { parseAxis, parsePlace } from '../asked-files.js';
import { CommandError } from '../command-error.js';
import type { FilePattern } from '../formats/file-settings.js';
import { parseUnit } from '../quantities.js';
import { defined, type NodeReader, type Optional } from './node-reader.js';

const KEYS = ['unit', 'up', 'place', 'discipline'] as const;

type FileSettingKey = (typeof KEYS)[number];

export function readFilePatterns(nodes: NodeReader, given: Optional): FilePattern[] {
  if (given === undefined) return [];
  return [...nodes.map(given, 'files', undefined)].map(([pattern, node]) => {
    const map = nodes.map(node, 'the entry of a file', KEYS);
    const text = (key: FileSettingKey) => {
      const value = map.get(key);
      return value && nodes.text(value, key);
    };
    const read = <T>(key: FileSettingKey, parse: (text: string, key: string) => T): T | undefined => {
      const written = text(key);
      try {
        return written === undefined ? undefined : parse(written, key);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        return nodes.problem(map.get(key)!, error.message);
      }
    };
    return {
      pattern,
      from: 'files',
      ...defined('unit', read('unit', parseUnit)),
      ...defined('up', read('up', parseAxis)),
      ...defined('place', read('place', parsePlace)),
      ...defined('discipline', text('discipline')),
    };
  });
}
