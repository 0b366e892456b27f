/**
 * Clashes added to a plant on purpose, and near misses that must not be reported.
 *
 * Idea: the layout names sites, places with nothing else nearby: in front of a wall, under a beam, inside a vessel.
 * Each recipe adds one or two objects at a site. The expected finding follows from the construction. Depth is the
 * largest distance to the other's surface over the points of one surface that lie inside the other, the larger of both
 * directions.
 */
import type { Random } from '../random.js';
import { unitCircle } from './circle.js';
import type { Grade } from './grade.js';
import { sidesOf, valveDraft } from './piping.js';
import { CABINET, DUCT_HALF_HEIGHT } from './services.js';
import { type Discipline, type Draft, X, Z } from './shape.js';
import type { Axis, Solid } from './solid.js';

export type InjectedKind = 'hard' | 'inside' | 'clearance' | 'duplicate';

export interface TruthClash {
  readonly kind: InjectedKind;
  readonly form?: 'protruding' | 'piercing';
  /** Ids of the objects; a is the added one. */
  readonly a: string;
  readonly b: string;
  readonly depth?: number;
  readonly distance?: number;
}

export interface Truth {
  readonly clashes: readonly TruthClash[];
  /** Pairs that are close, touch, or have overlapping boxes, and must not be reported at a clearance of 50 mm. */
  readonly decoys: readonly { readonly a: string; readonly b: string }[];
}

export const SITE_KINDS = ['wall', 'slab', 'beam', 'duct', 'pipe', 'vessel', 'cabinet', 'part'] as const;
export type SiteKind = (typeof SITE_KINDS)[number];

/** A place for one injection. The meaning of `at` and `size` depends on the kind; see the recipes. */
export interface Site {
  readonly kind: SiteKind;
  /** The existing draft. */
  readonly host: Draft;
  readonly at: readonly [number, number, number];
  readonly size: number;
}

export interface Injection {
  /** The first clashes with the host, or with the second if there are two. */
  readonly drafts: readonly Draft[];
  /** Undefined for a decoy. */
  readonly finding?: Omit<TruthClash, 'a' | 'b'>;
}

interface Recipe {
  readonly site: SiteKind;
  make(site: Site, random: Random, grade: Grade): Injection;
}

/** Gaps below a clearance of 50 mm, and above it. */
const violatedGap = (random: Random) => random.integer(6, 46) / 1024;
const keptGap = (random: Random) => random.integer(57, 71) / 1024;

const THIN = [0.015625, 0.0234375, 0.03125, 0.046875] as const;
/** The radius that a polygon of that many sides certainly encloses. */
const inradius = (radius: number, sides: number) => radius * unitCircle(2 * sides)[2];

const CLASHES: readonly Recipe[] = [
  // wall: at is a point of its front face y, size its thickness
  {
    site: 'wall',
    make(site, random, grade) {
      const depth = random.integer(8, 90) / 1024;
      const [x, y, z] = site.at;
      return {
        drafts: [pipe(grade, 1, [x, y - 0.5, z], 0.5 + depth, random.pick(THIN))],
        finding: { kind: 'hard', form: 'protruding', depth },
      };
    },
  },
  { site: 'part', make: duplicate },
  {
    site: 'wall',
    make(site, random) {
      const gap = violatedGap(random);
      return { drafts: [boxAt(site, gap, 'junction box')], finding: { kind: 'clearance', distance: gap } };
    },
  },
  // beam: at is a point of its lower face, size the thickness of its flange
  {
    site: 'beam',
    make(site, random, grade) {
      const depth = random.integer(5, Math.floor(site.size * 512)) / 1024;
      const [x, y, z] = site.at;
      return {
        drafts: [pipe(grade, 2, [x, y, z - 0.75], 0.75 + depth, random.pick(THIN))],
        finding: { kind: 'hard', form: 'protruding', depth },
      };
    },
  },
  // vessel: at is its middle
  {
    site: 'vessel',
    make(site, random, grade) {
      const [x, y, z] = site.at;
      const inner: Draft = random.chance(0.5)
        ? {
            ...about('valve', 'piping'),
            ...valveDraft(grade, 0.03125, [x - 0.171875, y, z - 0.125], X, Z),
          }
        : {
            ...about('strainer', 'mechanical'),
            build: (solid) => solid.box(x - 0.25, y - 0.1875, z - 0.125, x + 0.25, y + 0.1875, z + 0.125),
          };
      return { drafts: [inner], finding: { kind: 'inside' } };
    },
  },
  // duct: at is a point of its middle plane, 0.2 m from a side
  {
    site: 'duct',
    make(site, _random, grade) {
      const [x, y, z] = site.at;
      const reach = DUCT_HALF_HEIGHT + 0.125;
      return {
        drafts: [pipe(grade, 2, [x, y, z - reach], 2 * reach, 0.015625, 'conduit', 'electrical')],
        finding: { kind: 'hard', form: 'piercing', depth: DUCT_HALF_HEIGHT },
      };
    },
  },
  // pipe: at is a point of its axis, size its radius
  {
    site: 'pipe',
    make(site, random, grade) {
      const [x, y, z] = site.at;
      const gap = violatedGap(random);
      const radius = random.pick([0.015625, 0.0234375]);
      return {
        drafts: [pipe(grade, 0, [x - 0.1875, y + site.size + gap + radius, z], 0.375, radius)],
        finding: { kind: 'clearance', distance: gap },
      };
    },
  },
  {
    site: 'wall',
    make(site, random, grade) {
      const [x, y, z] = site.at;
      const radius = random.pick(THIN);
      const depth = Math.max(site.size / 2, inradius(radius, sidesOf(grade, radius)));
      return {
        drafts: [pipe(grade, 1, [x, y - 0.4375, z], site.size + 0.75, radius)],
        finding: { kind: 'hard', form: 'piercing', depth },
      };
    },
  },
  // cabinet: at is where the next one of the row would stand
  {
    site: 'cabinet',
    make(site, random) {
      const [x, y, z] = site.at;
      const overlap = random.integer(20, 300) / 1024;
      const start = y - overlap;
      return {
        drafts: [
          {
            ...about('cabinet', 'electrical'),
            build: (solid) =>
              solid.box(x, start, z, x + CABINET.depth, start + CABINET.width, z + CABINET.height),
          },
        ],
        finding: { kind: 'inside', depth: Math.min(overlap, CABINET.depth / 2) },
      };
    },
  },
  // slab: at is a point of its upper face, size its thickness
  {
    site: 'slab',
    make(site, random, grade) {
      const [x, y, z] = site.at;
      const radius = random.pick(THIN);
      const depth = Math.max(site.size / 2, inradius(radius, sidesOf(grade, radius)));
      return {
        drafts: [pipe(grade, 2, [x, y, z - 0.625], 1.5, radius)],
        finding: { kind: 'hard', form: 'piercing', depth },
      };
    },
  },
  {
    site: 'beam',
    make(site, random, grade) {
      const [x, y, z] = site.at;
      const gap = violatedGap(random);
      const radius = random.pick(THIN);
      return {
        drafts: [pipe(grade, 0, [x - 0.5, y, z - gap - radius], 1, radius)],
        finding: { kind: 'clearance', distance: gap },
      };
    },
  },
  {
    site: 'pipe',
    make(site, _random, grade) {
      const [x, y, z] = site.at;
      const reach = site.size + 0.125;
      return {
        drafts: [pipe(grade, 2, [x, y, z - reach], 2 * reach, 0.015625, 'impulse line')],
        finding: { kind: 'hard', form: 'piercing', depth: inradius(site.size, sidesOf(grade, site.size)) },
      };
    },
  },
];

const DECOYS: readonly Recipe[] = [
  { site: 'wall', make: (site, random) => ({ drafts: [boxAt(site, keptGap(random), 'junction box')] }) },
  // an elbow around a box: their boxes overlap, but they are 90 mm apart
  {
    site: 'wall',
    make(site, _random, grade) {
      const [x, y, z] = site.at;
      const radius = 0.03125;
      const bend = 0.3125;
      const sides = sidesOf(grade, radius);
      const corner = [x - 0.15625, y - 0.3125, z - 0.15625];
      const form = { radius, sides, bend, bendSteps: grade.bendSteps + 3, pitch: 1 };
      const points = [
        corner[0] + bend,
        corner[1],
        corner[2],
        ...corner,
        corner[0],
        corner[1],
        corner[2] + bend,
      ];
      const middle = [corner[0] + bend, corner[1], corner[2] + bend];
      return {
        drafts: [
          { ...about('elbow', 'piping'), build: (solid: Solid) => solid.tube(points, form) },
          {
            ...about('instrument', 'electrical'),
            build: (solid: Solid) =>
              solid.box(
                middle[0] - 0.125,
                middle[1] - 0.0625,
                middle[2] - 0.125,
                middle[0] - 0.015625,
                middle[1] + 0.0625,
                middle[2] - 0.015625,
              ),
          },
        ],
      };
    },
  },
  { site: 'wall', make: (site) => ({ drafts: [boxAt(site, 0, 'plate')] }) },
  {
    site: 'beam',
    make(site, random, grade) {
      const [x, y, z] = site.at;
      const radius = random.pick(THIN);
      return { drafts: [pipe(grade, 0, [x - 0.5, y, z - keptGap(random) - radius], 1, radius)] };
    },
  },
];

/** The recipe of each chosen site, by kind. */
export type InjectionPlan = ReadonlyMap<SiteKind, ReadonlyMap<number, Recipe>>;

/** Distributes clashes and half as many decoys over the sites of a plant; fewer if sites run out. */
export function planInjections(
  sites: ReadonlyMap<SiteKind, number>,
  clashes: number,
  random: Random,
): InjectionPlan {
  const wanted = new Map<SiteKind, Recipe[]>(SITE_KINDS.map((kind) => [kind, []]));
  const clash = takerOf(CLASHES, wanted, sites);
  const decoy = takerOf(DECOYS, wanted, sites);
  for (let i = 0; i < clashes; i++) {
    if (i % 2 === 0) decoy();
    clash();
  }
  const plan = new Map<SiteKind, Map<number, Recipe>>();
  for (const [kind, recipes] of wanted) {
    const count = sites.get(kind) ?? 0;
    const chosen = new Map<number, Recipe>();
    // shuffle the recipes of each kind, and use one per equal range of the sites
    for (let i = recipes.length - 1; i > 0; i--) {
      const j = random.integer(0, i);
      [recipes[i], recipes[j]] = [recipes[j], recipes[i]];
    }
    recipes.forEach((recipe, i) => {
      const low = Math.floor((i * count) / recipes.length);
      const high = Math.floor(((i + 1) * count) / recipes.length) - 1;
      chosen.set(random.integer(low, high), recipe);
    });
    plan.set(kind, chosen);
  }
  return plan;
}

/** Returns the next recipe that still has a site. */
function takerOf(
  recipes: readonly Recipe[],
  wanted: ReadonlyMap<SiteKind, Recipe[]>,
  sites: ReadonlyMap<SiteKind, number>,
): () => void {
  let turn = 0;
  return () => {
    for (let tries = 0; tries < recipes.length; tries++) {
      const recipe = recipes[turn++ % recipes.length];
      const list = wanted.get(recipe.site)!;
      if (list.length < (sites.get(recipe.site) ?? 0)) {
        list.push(recipe);
        return;
      }
    }
  };
}

function duplicate(site: Site): Injection {
  return { drafts: [site.host], finding: { kind: 'duplicate' } };
}

function about(type: string, discipline: Discipline) {
  return { type, discipline, line: 'field', properties: { system: 'field run' } };
}

/** A plain pipe along an axis. */
function pipe(
  grade: Grade,
  axis: Axis,
  [x, y, z]: readonly [number, number, number],
  length: number,
  radius: number,
  type = 'pipe',
  discipline: Discipline = 'piping',
): Draft {
  const sides = sidesOf(grade, radius);
  return {
    ...about(type, discipline),
    build: (solid) => solid.lathe(axis, x, y, z, sides, [0, radius, length, radius]),
  };
}

/** A box in front of a wall. */
function boxAt({ at: [x, y, z] }: Site, gap: number, type: string): Draft {
  return {
    ...about(type, 'electrical'),
    build: (solid) => solid.box(x - 0.125, y - gap - 0.125, z - 0.1875, x + 0.125, y - gap, z + 0.1875),
  };
}
