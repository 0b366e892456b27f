/** The files of rules that come with the command. */
import { createRequire } from 'node:module';
import type { Preset } from './preset-names.js';
import { readText } from './read-rules.js';

/** The path of the file of a preset. */
export function presetPath(preset: Preset): string {
  return createRequire(import.meta.url).resolve(`#presets/${preset}.yaml`);
}

/** Its text, to copy and change. */
export function presetText(preset: Preset): Promise<string> {
  return readText(presetPath(preset));
}
