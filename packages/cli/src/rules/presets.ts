/** Files of rules that come with the command. */
import { fileURLToPath } from 'node:url';
import type { Preset } from './preset-names.js';
import { readText } from './read-rules.js';

/** Where the file of a preset is. */
export function presetPath(preset: Preset): string {
  return fileURLToPath(new URL(`../../presets/${preset}.yaml`, import.meta.url));
}

/** Its text, to copy and change. */
export function presetText(preset: Preset): Promise<string> {
  return readText(presetPath(preset));
}
