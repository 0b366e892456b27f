/** The files of rules that come with the command, by name. */
export const PRESETS = ['mep-structure', 'architecture', 'plant'] as const;
export type Preset = (typeof PRESETS)[number];
