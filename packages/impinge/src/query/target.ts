/**
 * What questions are asked about: a mesh, a scene of posed objects, or what is read in parts, such as a stored model.
 *
 * Every question is one function for all of them, with one type of options and one of answers. A mesh is asked itself;
 * everything else hands out its surface as meshes, the most promising first, and the question puts together what these
 * say. So a question is written once, for one mesh and for parts, and a kind of target is an implementation of
 * `TargetParts`.
 */
import { ImpingeError } from '../base/errors.js';
import type { Stretch } from '../math/linear-map.js';
import type { RigidPose, Vec3 } from '../math/pose.js';
import type { Mesh } from '../mesh/mesh.js';
import type { BoxBound } from '../scene/nearest-first.js';
import type { Scene, SceneObject } from '../scene/scene.js';
import type { ScenePrimitive } from '../scene/scene-primitive.js';

export type Target = Mesh | Scene | PartsTarget;

/** What can be asked about as a mesh. */
export interface TargetPart {
  /** Orders the parts of a target: of equal answers that of the earlier part counts. */
  readonly slot: number;
  /** What answers call it: triangles are numbered within an object of a scene, or within a piece of an object. */
  readonly place: {
    readonly object: SceneObject | number;
    readonly piece?: number | undefined;
  };
  readonly mesh: Mesh;
  /** Instead of a mesh. */
  readonly primitive?: ScenePrimitive | undefined;
  /** From the mesh's frame to the target's; what it does to lengths, where it is not rigid. */
  readonly pose: RigidPose;
  readonly stretch?: Stretch | undefined;
}

/** Returns the limit from then on, which does not rise; −1 ends the walk. */
export type VisitPart<Limit = number> = (part: TargetPart, limit: number) => Limit;

/** What questions need to know of a target that is no mesh. */
export interface TargetParts {
  /** Around everything, in the target's frame. */
  readonly box: { readonly min: Vec3; readonly max: Vec3 };
  /** Certified: no point of the parts is farther from the surface meant, or the other way round. */
  readonly error: number;
  /** Rises with every change; answers that take time are refused where it has. */
  readonly revision: number;
  /**
   * Visits the parts in whose boxes, in the target's frame, a bound is at most `limit`, in the order of their bounds.
   * Promises its end where parts have to be read: a part's mesh is there until the next is visited.
   */
  eachPart(bound: BoxBound, limit: number, visit: VisitPart): void | Promise<void>;
}

/** A target whose parts are read as they are needed: it promises its answers. */
export interface PartsTarget extends TargetParts {
  readonly name: string;
  /** Waits for the visitor, too. */
  eachPart(bound: BoxBound, limit: number, visit: VisitPart<number | Promise<number>>): Promise<void>;
  /**
   * The objects that a point, three numbers in the target's frame, is inside of, each as a target of its own. Objects
   * whose boxes hold it must be closed, else 'bad-input'. Needed where parts are less than whole objects.
   */
  objectsAround?(point: Float64Array): Promise<readonly PartsTarget[]>;
  // Answers about itself and another target, where it knows a faster way than part by part: what is asked and answered
  // is in pair/pair-request.ts and pair/results.ts.
  /** A `PairsRequest`: the pairs of triangles at most `distance` apart, as a `CollideResult`. */
  pairs?(request: object): Promise<object>;
  /** A `HitsRequest`: the pairs of objects at most `distance` apart, as a `HitsResult`. */
  hits?(request: object): Promise<object>;
  /** A `ClosestRequest`: the closest points, as a `DistanceResult`. */
  closest?(request: object): Promise<object>;
  // Questions that only some kinds of targets answer, about themselves and a mesh or one another.
  /** A `ContactsRequest`: the regions where both meet, as a `TargetContactsResult`. */
  contacts?(request: object): Promise<object>;
  /** A `PairRequest`: how far b must be moved to get it out of a, as a `PenetrationResult`. */
  penetration?(request: object): Promise<object>;
}

/** Meshes and scenes answer at once; other targets may have to read, and promise. */
export type Answer<T extends Target, One> = T extends Mesh | Scene ? One : Promise<One>;

/** Where an answer lies: in an object of a scene, or in a piece of an object, which numbers its triangles. */
export type Place<T extends Target = Mesh> = T extends Mesh
  ? { readonly object?: undefined; readonly piece?: undefined }
  : T extends Scene
    ? { readonly object: SceneObject; readonly piece?: undefined }
    : { readonly object: number; readonly piece: number };

/** The same of many answers, as columns: where there is none, undefined of a scene and −1 of other targets. */
export type PlaceColumns<T extends Target = Mesh> = T extends Mesh
  ? { readonly objects?: undefined; readonly pieces?: undefined }
  : T extends Scene
    ? { readonly objects: readonly (SceneObject | undefined)[]; readonly pieces?: undefined }
    : { readonly objects: Int32Array; readonly pieces: Int32Array };

/** Whether it is a target that is asked part by part. */
export function hasParts(target: unknown): target is Scene | PartsTarget {
  return typeof target === 'object' && target !== null && 'eachPart' in target;
}

/** Whether it promises its answers. */
export function isRead(target: unknown): target is PartsTarget {
  return hasParts(target) && !('nearPairs' in target);
}

/** Objects of targets have their own poses. */
export function refusePose(options: { readonly pose?: unknown } | undefined): void {
  if (options?.pose === undefined) return;
  throw new ImpingeError('bad-option', 'pose is for meshes: objects of scenes and models have their own', {
    option: 'pose',
  });
}

/** The answer when all parts were visited: at once, or promised. */
export function whenVisited<One>(
  visited: void | Promise<void>,
  answer: () => One | Promise<One>,
): One | Promise<One> {
  return visited ? visited.then(answer) : answer();
}

/** Asks `count` times, one after the other: pieces that several come to stay in a target's memory meanwhile. */
export function inTurn<Found>(
  count: number,
  ask: (i: number) => Found | Promise<Found>,
): Found[] | Promise<Found[]> {
  const answers: Found[] = [];
  const wait = async (first: Promise<Found>) => {
    answers.push(await first);
    while (answers.length < count) answers.push(await ask(answers.length));
    return answers;
  };
  while (answers.length < count) {
    const answer = ask(answers.length);
    if (answer instanceof Promise) return wait(answer);
    answers.push(answer);
  }
  return answers;
}

/** What follows from an answer. */
export function thenOf<One, Next>(
  answer: One | Promise<One>,
  next: (one: One) => Next,
): Next | Promise<Next> {
  return answer instanceof Promise ? answer.then(next) : next(answer);
}

/** Where many answers are. */
export function placeColumns(
  target: object,
  found: readonly (TargetPart['place'] | undefined)[],
): { objects: (TargetPart['place']['object'] | undefined)[] } | { objects: Int32Array; pieces: Int32Array } {
  if (!isRead(target)) return { objects: found.map((one) => one?.object) };
  return {
    objects: Int32Array.from(found, (one) => Number(one?.object ?? -1)),
    pieces: Int32Array.from(found, (one) => one?.piece ?? -1),
  };
}
