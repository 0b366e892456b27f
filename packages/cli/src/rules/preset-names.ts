/** The names of the rule files that come with the command. */
export const PRESETS = ['mep-structure', 'architecture', 'plant'] as const;
export type Preset = (typeof PRESETS)[number];
