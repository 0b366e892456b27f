/**
 * The kinds of clashes, gravest first, one entry each. Rules, options, --help, the order, colours and words of reports
 * and the topics of BCF all follow from this table. Only how a kind is found is elsewhere, in measure-pair.ts.
 *
 * Words and colours are here although only reports use them: with a second table in the command, and a third in a
 * viewer, a kind would again be spread over several places.
 */
export interface ClashKindInfo {
  /** The meaning, for help texts and legends: a clause. */
  readonly meaning: string;
  /**
   * The measure of severity. Kinds with a depth are overlaps: a rule's tolerance permits shallow ones. Kinds with a
   * distance are searched only where a rule sets a clearance or a zone. An excess, too, is in `distance`.
   */
  readonly measure: 'depth' | 'distance' | 'excess' | 'none';
  /** The word after it, `12 mm deep`. */
  readonly figure: string;
  /** Looked for where neither the check nor the rule names kinds. */
  readonly byDefault: boolean;
  /** Surfaces alone show it. Otherwise both objects must be in memory as a whole, or be streamed through it. */
  readonly ofSurfaces: boolean;
  /** Settled in a way of its own, and never in one issue with other kinds. */
  readonly ownIssues: boolean;
  readonly colour: { readonly light: string; readonly dark: string };
  /** The type of its topics in BCF, and the least priority they have. */
  readonly bcf: { readonly type: string; readonly priority: 'Low' | 'Medium' };
}

const TABLE = {
  hard: {
    meaning: 'surfaces pass through each other (protruding: one reaches in; piercing: it comes out again)',
    measure: 'depth',
    figure: 'deep',
    byDefault: true,
    ofSurfaces: true,
    ownIssues: false,
    colour: { light: '#c8281d', dark: '#ff7a6b' },
    bcf: { type: 'Clash', priority: 'Low' },
  },
  inside: {
    meaning: 'a closed object lies within another, or shares space with it though no surface passes through',
    measure: 'depth',
    figure: 'deep',
    byDefault: true,
    ofSurfaces: false,
    ownIssues: false,
    colour: { light: '#8439b8', dark: '#c990f2' },
    bcf: { type: 'Clash', priority: 'Low' },
  },
  duplicate: {
    meaning: 'the same geometry in the same place',
    measure: 'none',
    figure: '',
    byDefault: true,
    ofSurfaces: false,
    ownIssues: true,
    colour: { light: '#946000', dark: '#e8b34f' },
    bcf: { type: 'Clash', priority: 'Medium' },
  },
  obstruction: {
    meaning:
      'something is in the space that a rule keeps free around an object (headroom, access, door swings)',
    measure: 'distance',
    figure: 'free',
    byDefault: true,
    ofSurfaces: false,
    ownIssues: true,
    colour: { light: '#0d6f7a', dark: '#5fc9d6' },
    bcf: { type: 'Clash', priority: 'Medium' },
  },
  blocked: {
    meaning:
      'no way was found, within the limits of the search, to take an object where a rule wants it (access)',
    measure: 'none',
    figure: '',
    byDefault: true,
    ofSurfaces: true,
    ownIssues: true,
    colour: { light: '#9c2f6b', dark: '#f08fc0' },
    bcf: { type: 'Clash', priority: 'Medium' },
  },
  clearance: {
    meaning: 'closer than the required clearance',
    measure: 'distance',
    figure: 'apart',
    byDefault: true,
    ofSurfaces: true,
    ownIssues: false,
    colour: { light: '#1f66c7', dark: '#7db1ff' },
    bcf: { type: 'Clash', priority: 'Low' },
  },
  oversized: {
    meaning: 'a pipe, duct or cable goes through an opening that is larger than it needs with its clearance',
    measure: 'excess',
    figure: 'more opening than needed',
    byDefault: true,
    ofSurfaces: false,
    ownIssues: true,
    colour: { light: '#6b5e00', dark: '#d6c65f' },
    bcf: { type: 'Clash', priority: 'Low' },
  },
  touch: {
    meaning: 'contact without depth',
    measure: 'none',
    figure: '',
    byDefault: false,
    ofSurfaces: true,
    ownIssues: true,
    colour: { light: '#45715b', dark: '#8ec3a6' },
    bcf: { type: 'Clash', priority: 'Low' },
  },
} as const satisfies Record<string, ClashKindInfo>;

/** The name of a kind; `CLASH_KIND_TABLE` has their meanings. */
export type ClashKind = keyof typeof TABLE;

/** The properties of each kind. */
export const CLASH_KIND_TABLE: Readonly<Record<ClashKind, ClashKindInfo>> = TABLE;

/** The names of all kinds, gravest first. */
export const CLASH_KINDS: readonly ClashKind[] = Object.keys(TABLE) as ClashKind[];

/** Whether a kind is an overlap, which has a depth. */
export function isOverlap(kind: ClashKind): boolean {
  return CLASH_KIND_TABLE[kind].measure === 'depth';
}

/** The bit of a kind in a mask. */
export function kindBit(kind: ClashKind): number {
  return 1 << CLASH_KINDS.indexOf(kind);
}

/** The bits of the kinds that `has` accepts. */
export function kindBits(has: (info: ClashKindInfo) => boolean): number {
  return CLASH_KINDS.reduce((bits, kind) => (has(TABLE[kind]) ? bits | kindBit(kind) : bits), 0);
}
