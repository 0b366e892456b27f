/** Pairs that belong together by the relations of their file. */
import type { RelationKind } from '../../store/source.js';
import { type ExclusionReason, eitherWay } from './exclusion.js';
import type { ObjectFacts, ObjectTies } from './object-facts.js';

const tiedBy = (test: (ties: ObjectTies) => (a: number, b: number) => boolean) => (facts: ObjectFacts) =>
  facts.ties && eitherWay(test(facts.ties));

const referring = (kind: RelationKind) => tiedBy((ties) => (a, b) => ties.refers(kind, a, b));

export const openings: ExclusionReason = {
  meaning: 'a door or window, and the element with its opening',
  beforehand: referring('fills'),
};

export const coverings: ExclusionReason = {
  meaning: 'insulation or a covering, and the element that it covers',
  beforehand: referring('covers'),
};

export const connections: ExclusionReason = {
  meaning: 'elements connected by ports, such as a pipe and its fitting',
  beforehand: referring('connectedTo'),
};

/** By their overlap: one inside the other is no joint. */
export const joints: ExclusionReason = {
  meaning: 'elements that are joined, such as two walls at a corner',
  measured: (facts) => {
    const isJoined = referring('joinedTo')(facts);
    return isJoined && ((a, b, { kind }) => kind === 'hard' && isJoined(a, b));
  },
};

export const wholes: ExclusionReason = {
  meaning: 'a part, and the whole that it belongs to',
  beforehand: tiedBy((ties) => (a, b) => ties.isPart(a, b)),
};

export const assemblies: ExclusionReason = {
  meaning: 'parts of one assembly',
  beforehand: tiedBy((ties) => (a, b) => ties.shareWhole(a, b)),
};
