/**
 * Every kind of bounding volume, in the order of their numbers in a tree's header: a new one goes to the end. The
 * module of a kind is the file of its name beside this one.
 */
export const VOLUME_KINDS = ['sphere', 'aabb', 'obb', 'dop26'] as const;
export type VolumeKind = (typeof VOLUME_KINDS)[number];
/** The kinds that the kernels do not know. */
export type FittedKind = Exclude<VolumeKind, 'obb'>;
