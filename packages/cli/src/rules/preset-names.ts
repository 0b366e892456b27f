/** The names of the rule files that come with the command. */
export const PRESETS = ['coordination', 'mep-structure', 'architecture', 'plant', 'space'] as const;
export type Preset = (typeof PRESETS)[number];
