/** The scenes for simulation by name, with their texts for help and messages. */

export interface ListedScene {
  readonly about: string;
  /** Consists of rigid bodies and scenery only. */
  readonly rigid?: boolean;
  /** The meaning and the maximum of `--count`. */
  readonly counted?: { readonly what: string; readonly most: number };
}

export const SCENE_LIST = {
  tori: { about: '14 soft tori of 800 triangles fall into a tray and pile up' },
  'cloth-bunny': { about: 'a cloth of 20 K triangles falls on a bunny of 60 K' },
  letters: { about: '1,014 elastic letters, 900 K triangles, fall into a tray' },
  'cloth-ball': { about: 'a cloth drapes over a ball, which then turns; 92 K triangles' },
  breaking: { about: 'a ball hits a vase, which breaks' },
  pyramid: {
    rigid: true,
    about: '210 boxes in 20 rows stand',
    counted: { what: 'rows', most: 100 },
  },
  dominoes: {
    rigid: true,
    about: '120 dominoes along a spiral push each other over',
    counted: { what: 'dominoes', most: 10_000 },
  },
  gears: { rigid: true, about: 'a motor turns the first of five gears, teeth turn the others' },
  'nut-bolt': {
    rigid: true,
    about: 'a torque turns a nut of 6 K triangles down a bolt of 13 K',
  },
  pile: {
    rigid: true,
    about: '1,000 rings and letters, each concave and of 1,100 triangles, fall into a box',
    counted: { what: 'bodies', most: 20_000 },
  },
  'spoon-cup': { rigid: true, about: 'a spoon of 86 K triangles falls into a cup of 64 K' },
  'torus-peg': { rigid: true, about: 'a wrinkled torus of 32 K triangles falls down a spiral peg of 32 K' },
  'numbers-bowl': {
    rigid: true,
    about: 'numbers of 1,080 triangles fall into a bowl of 12 K',
    counted: { what: 'numbers', most: 1000 },
  },
  statue: { rigid: true, about: 'a stored model (--model) falls on another (--on); both have levels' },
} as const satisfies Record<string, ListedScene>;

export type SceneName = keyof typeof SCENE_LIST;

export const SCENE_NAMES = Object.keys(SCENE_LIST) as readonly SceneName[];

/** One line per scene. */
export function listedScenes(): string {
  const width = Math.max(...SCENE_NAMES.map(({ length }) => length)) + 2;
  return SCENE_NAMES.map((name) => `  ${name.padEnd(width)}${SCENE_LIST[name].about}`).join('\n');
}

/** For help: which scenes take `--count`, and its meaning. */
export function countedScenes(): string {
  return SCENE_NAMES.flatMap((name) => {
    const { counted }: ListedScene = SCENE_LIST[name];
    return counted ? [`${counted.what} of ${name}`] : [];
  }).join(', ');
}
