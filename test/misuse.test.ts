/** Every public function and method called in wrong ways: an ImpingeError, or an answer, but no other error. */
import * as dynamics from '@impinge/dynamics';
import * as models from '@impinge/model';
import * as modelNode from '@impinge/model/node';
import * as main from 'impinge';
import * as hierarchy from 'impinge/hierarchy';
import { arena } from 'impinge/internal/base/arena.js';
import * as node from 'impinge/node';
import * as parallel from 'impinge/parallel';
import { META, named, storeBytes } from '../packages/model/test/store/fixtures.js';
import { arrays, CALLED_BY_ENTRY_POINTS, CORNERS, FACES, pose, RightCalls } from './right-calls.js';

const calls = new RightCalls();
const { api } = calls;
const cube = main.Mesh.from(arrays());
const other = main.Mesh.from(arrays());
const tree = hierarchy.buildHierarchy(cube);
const bytes = await storeBytes([{ geometry: arrays(), objects: [named('a'), named('b')] }]);
const model = await models.openStore(new models.MemorySource(bytes));
/** Not taken apart: what is in it is not for callers. */
const pool = Object.assign(Object.create({}), modelNode.modelPool(0)) as ReturnType<
  typeof modelNode.modelPool
>;
const shape = () => ({ geometry: arrays(), objects: [{ ...named('a'), pose: pose() }] });
const meta = () => ({ ...META });
const signal = () => new AbortController().signal;
const collected = async (run: { batches(): AsyncIterable<unknown> }) => {
  for await (const _ of run.batches());
};

const placed = () => ({ pose: pose() });
api('Mesh.from', () => [arrays(), { name: 'x' }], main.Mesh.from);
api(
  'Mesh.from, lists',
  () => [{ positions: [...CORNERS], indices: [...FACES], stride: 3, offset: 0 }],
  main.Mesh.from,
);
api(
  'Mesh.from, geometry',
  () => [
    {
      attributes: { position: { array: Float32Array.from(CORNERS), count: 8, itemSize: 3 } },
      index: { array: FACES, count: 36, itemSize: 1 },
    },
  ],
  main.Mesh.from,
);
api('Mesh.fromBytes', () => [cube.toBytes()], main.Mesh.fromBytes);
api(
  'Mesh.setPositions',
  () => [Float32Array.from(CORNERS)],
  (p) => main.Mesh.from(arrays()).setPositions(p),
);
api(
  'Mesh.transformed',
  () => [pose(), { name: 'x' }],
  (m, o) => cube.transformed(m, o),
);
api('collide', () => [cube, other, { ...placed(), mode: 'all' as const, limit: 5 }], main.collide);
api('collide, both posed', () => [cube, other, { poseA: pose(), poseB: pose() }], main.collide);
api('within', () => [cube, other, { ...placed(), distance: 0.1, limit: 5 }], main.within);
api('hits', () => [cube, other, { ...placed(), distance: 0.1, mode: 'any' as const, error: 0 }], main.hits);
api('distance', () => [cube, other, { ...placed(), atMost: 3 }], main.distance);
api('selfIntersect', () => [cube, { limit: 3 }], main.selfIntersect);
api('contacts', () => [cube, other, { ...placed(), tolerance: 0.01 }], main.contacts);
api('contains', () => [cube, other, placed()], main.contains);
api('pointInMesh', () => [cube, [0.5, 0.5, 0.5] as main.Vec3, placed()], main.pointInMesh);
api(
  'raycast',
  () => [
    cube,
    { origin: [0.5, 0.5, 3], direction: [0, 0, -1] },
    { pose: pose(), mode: 'all', faces: 'front', atLeast: 0, atMost: 9 },
  ],
  main.raycast,
);
api(
  'raycast, a scene',
  () => [{ origin: [0.5, 0.5, 3], direction: [0, 0, -1] }, { mode: 'any' }],
  (ray, asked) => {
    const scene = new main.Scene();
    scene.add(cube);
    return main.raycast(scene, ray, asked);
  },
);
api(
  'raycastMany, a scene',
  () => [
    { origins: [0.5, 0.5, 3], directions: [0, 0, -1] },
    { mode: 'all', faces: 'front', atLeast: 0, atMost: 9 },
  ],
  (rays, asked) => {
    const scene = new main.Scene();
    scene.add(cube);
    return main.raycastMany(scene, rays, asked);
  },
);
api('raycast, a segment', () => [cube, { from: [0.5, 0.5, 3], to: [0.5, 0.5, 0] }], main.raycast);
api(
  'raycastMany',
  () => [
    cube,
    { origins: [0.5, 0.5, 3, 0.5, 0.5, 4], directions: [0, 0, -1, 0, 0, -1] },
    { pose: pose(), mode: 'any', faces: 'back', atLeast: 0, atMost: 9 },
  ],
  main.raycastMany,
);
api('closestPoint', () => [cube, [2, 0, 0], { pose: pose(), atMost: 9 }], main.closestPoint);
api('closestPoints', () => [cube, [2, 0, 0, 3, 3, 3], { pose: pose(), atMost: 9 }], main.closestPoints);
api('meetsShape', () => [cube, { centre: [2, 0, 0], radius: 1 }, { pose: pose() }], main.meetsShape);
api('meetsShape, a box', () => [cube, { min: [0, 0, 0], max: [1, 1, 1], pose: pose() }], main.meetsShape);
api('meetsShape, a half-space', () => [cube, { normal: [1, 0, 0], offset: 1 }], main.meetsShape);
api('meetsShape, points', () => [cube, { points: [1, 0, 0, 2, 0, 0, 0, 2, 0] }], main.meetsShape);
api(
  'meetsShape, a frustum',
  () => [cube, { projection: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -2, -1, 0, 0, -3, 0] }],
  main.meetsShape,
);
api(
  'trianglesInShape',
  () => [cube, { from: [2, 0, 0], to: [0, 0, 0], radius: 1 }, { pose: pose() }],
  main.trianglesInShape,
);
api(
  'meetsSpheres',
  () => [cube, { centres: [2, 0, 0, 3, 3, 3], radii: [1, 2] }, { pose: pose() }],
  main.meetsSpheres,
);
api(
  'shapeDistance',
  () => [cube, { centre: [3, 0, 0], radius: 1 }, { pose: pose(), atMost: 9 }],
  main.shapeDistance,
);
api(
  'sweepShape',
  () => [cube, { centre: [3, 0, 0], radius: 1 }, [-3, 0, 0], { pose: pose() }],
  main.sweepShape,
);
api('section', () => [cube, { normal: [0, 0, 1], offset: 0.5 }, { pose: pose() }], main.section);
api('signedDistance', () => [cube, [2, 0, 0], { pose: pose() }], main.signedDistance);
api('signedDistances', () => [cube, [2, 0, 0, 3, 3, 3], { pose: pose() }], main.signedDistances);
api('pointsInMesh', () => [cube, [2, 0, 0, 3, 3, 3], { pose: pose() }], main.pointsInMesh);
api('penetration', () => [cube, other, placed()], main.penetration);
api(
  'timeOfImpact',
  () => [
    cube,
    other,
    {
      motionA: { from: pose(), to: pose() },
      motionB: { from: pose(), to: { translation: [0, 0, 3] as main.Vec3 } },
      accuracy: 0.01,
      distance: 0,
    },
  ],
  main.timeOfImpact,
);
api('poseAt', () => [{ from: pose(), to: pose() }, 0.5], main.poseAt);
api('isClosed', () => [cube, { tolerance: 0.1 }], main.isClosed);
api('weld', () => [cube, { tolerance: 0.1, name: 'welded' }], main.weld);
api('countEdges', () => [cube], main.countEdges);
api('isConvex', () => [cube], main.isConvex);
api(
  'countObjects',
  () => [model, ['**', { set: 's', near: { set: 's', within: 1 } }], { s: { type: 'thing' } }],
  models.countObjects,
);
api(
  'selectObjects',
  () => [model, ['**', { type: 'thing' }], { s: { type: 'thing' } }],
  models.selectObjects,
);
api(
  'blockedClash',
  () => [model, { object: 0, obstacle: 1, point: [0, 0, 0] as main.Vec3, rule: 'r' }],
  models.blockedClash,
);
api('patternProblem', () => ['**/x*'], models.patternProblem);
api('useHierarchy', () => [tree], main.useHierarchy);
api(
  'Scene',
  () => [{ broadPhase: undefined }, cube, placed()],
  (o, m, p) => {
    const scene = new main.Scene(o);
    scene.add(m, p);
    scene.add(other).move(pose());
    return main.collideAll(scene, { distance: 0.1 });
  },
);
api(
  'Scene, move',
  () => [pose()],
  (p) => new main.Scene().add(cube).move(p),
);
api('collideAll', () => [new main.Scene(), { distance: 0.1 }], main.collideAll);
const scene = new main.Scene();
const [inScene] = [scene.add(cube, { name: 'one', userData: 1 }), scene.add(other)];
api('Scene, near', () => [inScene, 0.1], scene.near.bind(scene));
api('Scene, near a box', () => [{ min: [0, 0, 0], max: [1, 1, 1] }, 0.1], scene.near.bind(scene));
api('closestPoint, a scene', () => [scene, [2, 0, 0], { atMost: 9 }], main.closestPoint);
api('closestPoints, a scene', () => [scene, [2, 0, 0, 3, 3, 3], { atMost: 9 }], main.closestPoints);
api('signedDistance, a scene', () => [scene, [2, 0, 0], {}], main.signedDistance);
api('signedDistances, a scene', () => [scene, [2, 0, 0, 3, 3, 3], {}], main.signedDistances);
api('pointInMesh, a scene', () => [scene, [2, 0, 0], {}], main.pointInMesh);
api('pointsInMesh, a scene', () => [scene, [2, 0, 0, 3, 3, 3], {}], main.pointsInMesh);
api('meetsShape, a scene', () => [scene, { centre: [2, 0, 0], radius: 1 }, {}], main.meetsShape);
api('trianglesInShape, a scene', () => [scene, { centre: [2, 0, 0], radius: 1 }], main.trianglesInShape);
api('objectsInShape', () => [scene, { normal: [1, 0, 0], offset: 1 }], main.objectsInShape);
api('meetsSpheres, a scene', () => [scene, { centres: [2, 0, 0], radii: [1] }, {}], main.meetsSpheres);
api(
  'shapeDistance, a scene',
  () => [scene, { min: [2, 0, 0], max: [3, 1, 1] }, { atMost: 9 }],
  main.shapeDistance,
);
api('sweepShape, a scene', () => [scene, { centre: [2, 0, 0], radius: 1 }, [-3, 0, 0]], main.sweepShape);
api(
  'CharacterController',
  () => [
    scene,
    {
      ...{ position: [5, 0, 0], height: 1.8, radius: 0.3, up: [0, 1, 0], skin: 0.01 },
      ...{ stepHeight: 0.3, maxSlope: 0.8, snap: 0.3, ignores: () => false },
    },
    [1, 0, 0],
  ],
  (s, o, by) => new main.CharacterController(s, o).move(by),
);
api(
  'Primitive',
  () => [{ from: [0, 0, 0], to: [1, 0, 0], radius: 1 }],
  (shape) => new main.Primitive(shape),
);
api(
  'Primitive, in a scene',
  () => [
    { pose: pose(), name: 'ball' },
    { origin: [0, 0, 9], direction: [0, 0, -1] },
  ],
  (added, ray) => {
    const own = new main.Scene();
    const object = own.add(new main.Primitive({ centre: [0, 0, 0], radius: 1 }), added);
    own.add(cube);
    main.nearest(own, object);
    main.collideAll(own, { distance: 0.1 });
    return main.raycast(own, ray);
  },
);
api('collideOne', () => [scene, inScene, { distance: 0.1, mode: 'all' }], main.collideOne);
api('nearest', () => [scene, inScene, { count: 2, atMost: 3 }], main.nearest);
api('nearestPair', () => [scene, { atMost: 3 }], main.nearestPair);
api(
  'check',
  () => [
    model,
    {
      clearance: 0.1,
      tolerance: 0,
      kinds: ['hard'],
      memory: 1 << 25,
      rules: [{ name: 'r', a: 'a', b: { set: 's' }, clearance: 0.1 }],
      sets: { s: { path: 'b', near: undefined } },
      exclusions: { openings: false },
      allowEmptyRules: false,
      signal: signal(),
      done: () => false,
      onProgress: () => {},
    },
  ],
  (m, o) => collected(models.check(m, o)),
);
api(
  'measure',
  () => [cube, other, { ...placed(), clearance: 0.1, tolerance: 0.01, kinds: ['hard', 'touch'] as const }],
  models.measure,
);
api(
  'ObjectCheck',
  () => [
    model,
    {
      ...{ clearance: 0.1, tolerance: 0, kinds: ['hard'], memory: 1 << 25 },
      rules: [{ name: 'r', a: 'a', b: { set: 's' }, clearance: 0.1 }],
      sets: { s: { path: 'b', near: undefined } },
      exclusions: { openings: false },
    },
    0,
    { pose: pose(), clearance: 0.1, among: [1] },
  ],
  async (m, o, object, question) => {
    const moving = await models.ObjectCheck.open(m, o);
    try {
      moving.clearanceOf(object, 1);
      return await moving.clashesOf(object, question);
    } finally {
      await moving.dispose();
    }
  },
);
api(
  'Session',
  () => [model, { memory: 1 << 25, horizon: 3 }, cube, placed()],
  async (m, o, mesh, p) => {
    const session = new models.Session(m, o);
    try {
      const body = session.add(mesh, p);
      await body.hits({ mode: 'any' });
    } finally {
      await session.dispose();
    }
  },
);
api(
  'Session, body',
  () => [
    { distance: 1, mode: 'all' as const, error: 0.1 },
    { atMost: 3, error: 0 },
    pose(),
    ...[0, 0],
    { distance: 1 },
    { distance: 0.1, error: 0.1 },
    { error: 0.1 },
  ],
  async (w, d, p, object, target, around, near, deep) => {
    const session = new models.Session(model, { memory: 1 << 25 });
    try {
      const body = session.add(cube);
      body.move(p);
      await body.hits(w);
      await body.distance(d);
      (await body.around(around)).dispose();
      await body.contacts(near);
      await body.penetration(deep);
      await session.take(object, target);
      session.hide(1);
      session.show(1);
    } finally {
      await session.dispose();
    }
  },
);
api(
  'StoredTarget',
  () => [model, { memory: 1 << 25 }, [0, 1], 0, [0.1, 0.2, 0.3]],
  async (m, o, selected, object, point) => {
    const target = new models.StoredTarget(m, o);
    try {
      await main.collide(target, cube);
      await main.collide(target.select(selected), cube);
      await target.isInside(object, point);
    } finally {
      await target.dispose();
    }
  },
);
api(
  'Session, target',
  () => [
    0,
    { origin: [0.5, 0.5, 3], direction: [0, 0, -1] },
    [2, 0, 0],
    { centre: [2, 0, 0], radius: 1 },
    [-3, 0, 0],
  ],
  async (number, ray, point, shape, by) => {
    const session = new models.Session(model, { memory: 1 << 25 });
    try {
      const target = session.target(number);
      await main.raycast(target, ray, { mode: 'all' });
      await main.raycastMany(target, { origins: point, directions: [0, 0, 1] });
      await main.closestPoint(target, point, { atMost: 9 });
      await main.signedDistance(target, point);
      await main.pointInMesh(target, point as [number, number, number]);
      await main.meetsSpheres(target, { centres: point, radii: 1 });
      await main.meetsShape(target, shape);
      await main.trianglesInShape(target, shape);
      await main.objectsInShape(target, shape);
      await main.shapeDistance(target, shape, { atMost: 9 });
      await main.sweepShape(target, shape, by);
    } finally {
      await session.dispose();
    }
  },
);
api(
  'buildHierarchy',
  () => [cube, { volume: 'obb' as const, lazy: true }],
  (m, o) => hierarchy.buildHierarchy(m, o),
);
api('completeHierarchy', () => [hierarchy.buildHierarchy(cube)], hierarchy.completeHierarchy);
api('hierarchyFromBytes', () => [cube, hierarchy.hierarchyToBytes(tree)], hierarchy.hierarchyFromBytes);
api('hierarchyToBytes', () => [tree], hierarchy.hierarchyToBytes);
api('refitHierarchy', () => [hierarchy.buildHierarchy(cube)], hierarchy.refitHierarchy);
api('sahCost', () => [tree], hierarchy.sahCost);
api('validateHierarchy', () => [arena(), tree.block, tree.byteLength, cube], hierarchy.validateHierarchy);
const visitor = () => ({ bound: 0, leafPair: () => false });
api(
  'traversePair',
  () => [tree, tree, pose(), visitor(), { order: 'closest' as const }],
  hierarchy.traversePair,
);
api('traverseSelf', () => [tree, visitor(), { order: 'depth' as const }], hierarchy.traverseSelf);
api(
  'collideParallel',
  () => [cube, other, { pool, ...placed(), signal: signal() }],
  parallel.collideParallel,
);
api('withinParallel', () => [cube, other, { pool, distance: 0.1, ...placed() }], parallel.withinParallel);
api('selfIntersectParallel', () => [cube, { pool }], parallel.selfIntersectParallel);
api('buildHierarchyParallel', () => [cube, pool], parallel.buildHierarchyParallel);
api(
  'nodePool',
  () => [0],
  (size) => node.nodePool(size === Infinity ? 0 : size).dispose(),
);
api(
  'modelPool',
  () => [0],
  (size) => modelNode.modelPool(size === Infinity ? 0 : size).dispose(),
);
api('taskPool', () => [async () => ({ found: [], touches: 0, cache: {} })] as never, modelNode.taskPool);
api(
  'startTaskWorker',
  () => [farModel, { rules: [{ clearance: 0, tolerance: 0, kinds: 1 }], memory: 40e6 }] as const,
  async (model, settings) => (await modelNode.startTaskWorker(model, settings)).dispose(),
);
api('openStore', () => [new models.MemorySource(bytes)], models.openStore);
api(
  'openStoreFile',
  () => ['/nowhere'],
  async (path) => {
    if (path !== '/nowhere' && path !== 'x') await modelNode.openStoreFile(path);
  },
);
api(
  'Pace',
  () => [{ bytes: 1000, ms: 1000 }],
  (least) => new modelNode.Pace(least).end(),
);
const far = {
  byteLength: bytes.length,
  name: 'far',
  part: async (at: number, length: number) => bytes.slice(at, at + length),
};
const farModel = await modelNode.openRemoteStore(far);
api(
  'openRemoteStore',
  () => [{ ...far }, { kept: 1e6 }],
  async (file, options) => (await modelNode.openRemoteStore(file, options)).dispose(),
);
api('shareStore', () => [farModel], modelNode.shareStore);
api('fileSpill', () => [1000, '/nowhere'], modelNode.fileSpill);
api('reachOf', () => [[0, 0, 0, 1, 1, 1], pose()], models.reachOf);
api(
  'MemorySource',
  () => [bytes],
  (b) => models.openStore(new models.MemorySource(b)),
);
api(
  'buildLevels',
  () => [[{ mesh: cube, name: 'x', pose: pose() }], { pieceTriangles: 100, pool, onLevels: () => {} }],
  models.buildLevels,
);
api('frontOf', () => [model, 0, 0.1], models.frontOf);
api(
  'StoreWriter',
  () => [
    new models.MemorySink(),
    { pieceTriangles: 100, levels: true, pool, onLevels: () => {} },
    shape(),
    meta(),
  ],
  async (sink, o, s, m) => {
    const writer = new models.StoreWriter(sink, o);
    await writer.add(s);
    await writer.finish(m);
  },
);
api(
  'StoredModel',
  () => [0],
  async (i) => {
    model.object(i);
    model.pose(i);
    model.box(i);
    model.isClosed(i);
    model.firstPiece(i);
    model.pieceCountOf(i);
    model.trianglesOf(i);
    await model.properties(i);
  },
);
api(
  'StoredModel, texts',
  () => ['name' as const],
  (name) => [model.texts(name), model.text(0, name)],
);
api(
  'Deformables',
  () => [
    { thickness: 0.01 },
    { ...arrays(), kind: 'deforming' as const, self: true, collisionGroup: 1 },
    { thickness: 0.01 },
    { distance: 0.1 },
  ],
  (o, s, step, close) => {
    const all = new dynamics.Deformables(o);
    try {
      const surface = all.add(s);
      surface.moveTo?.(Float32Array.from(CORNERS));
      all.continuous(step);
      all.intersecting();
      all.within(close);
    } finally {
      all.dispose();
    }
  },
);
const simulated = (body: dynamics.Body) => {
  const simulation = new dynamics.Simulation({ dt: 0.01, thickness: 0.001 });
  try {
    simulation.add(body);
    simulation.step();
  } finally {
    simulation.dispose();
  }
};
api('isIfcGuid', () => ['3bXiCStxP6Fgxdej$yc503'], models.isIfcGuid);
api(
  'Recording',
  () => [{ lookOf: () => ({ colour: [1, 0, 0] }) }],
  (o) => {
    const simulation = new dynamics.Simulation({ dt: 0.01, thickness: 0.001 });
    try {
      simulation.add(dynamics.fixedBody(arrays()));
      simulation.step();
      const recording = new dynamics.Recording(simulation, o);
      recording.take();
      recording.toBytes();
    } finally {
      simulation.dispose();
    }
  },
);
api(
  'Simulation',
  () => [
    {
      ...{ dt: 0.01, thickness: 0.001, gravity: [0, -9, 0], friction: 0.1, restitution: 0 },
      contacts: { error: 0.001, engine: 'auto', budget: { tests: 100 } },
    },
    dynamics.fixedBody(arrays()),
  ],
  (o, body) => {
    const simulation = new dynamics.Simulation(o);
    try {
      simulation.add(body);
      simulation.step();
      simulation.intersections();
    } finally {
      simulation.dispose();
    }
  },
);
api(
  'fixedBody',
  () => [arrays(), { contactLevels: undefined }],
  (s, o) => simulated(dynamics.fixedBody(s, o)),
);
api(
  'kinematicBody',
  () => [arrays(), () => pose(), { contactLevels: undefined }],
  (s, path, o) => simulated(dynamics.kinematicBody(s, path, o)),
);
api(
  'kinematicBody, a path',
  () => [pose()],
  (p) => simulated(dynamics.kinematicBody(arrays(), () => p)),
);
api('pushBodies', () => [[], 80, 0.01], dynamics.pushBodies);
api(
  'cloth',
  () => [arrays(), { ...dynamics.CLOTH_DEFAULTS, velocity: [0, 0, 1] }],
  (s, o) => simulated(dynamics.cloth(s, o)),
);
api(
  'softVolume',
  () => [arrays(), { ...dynamics.SOFT_VOLUME_DEFAULTS, velocity: [0, 0, 1] }],
  (s, o) => simulated(dynamics.softVolume(s, o)),
);
api(
  'rigidBody',
  () => [arrays(), { ...dynamics.RIGID_BODY_DEFAULTS, velocity: [0, 0, 1], spin: [0, 1, 0] }],
  (s, o) => simulated(dynamics.rigidBody(s, o)),
);
const stored = await models.buildLevels(main.Mesh.from(arrays()));
api(
  'storedBody',
  () => [
    stored,
    {
      ...{ memory: dynamics.STORED_BODY_DEFAULTS.memory, name: 'x', velocity: [0, 0, 1] },
      ...{ mass: 1, centre: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0] },
    },
  ],
  async (model, o) => simulated(await dynamics.storedBody(model, o)),
);
api(
  'storedScenery',
  () => [stored, { name: 'x', memory: 2 ** 24, pose: pose() }],
  (model, o) => simulated(dynamics.storedScenery(model, o)),
);
api('shatter', () => [arrays(), { pieces: 2, seed: 1 }], dynamics.shatter);
api(
  'breakable',
  () => [
    Object.assign(Object.create({}), dynamics.shatter(arrays(), { pieces: 2, seed: 1 })) as dynamics.Fracture,
    { ...dynamics.BREAKABLE_DEFAULTS, velocity: [0, 0, 1] },
  ],
  (f, o) => simulated(dynamics.breakable(f, o)),
);

api(
  'ShapeMatchingBodies',
  () => [
    [{ ...arrays(), lattice: { cellSize: 1, origin: [0, 0, 0], cells: [0, 0, 0] } }],
    [{ shape: 0, pose: pose(), velocity: [0, 0, 1], name: 'x' }],
    { ...dynamics.SHAPE_MATCHING_DEFAULTS },
  ],
  (surfaces, placements, o) => {
    for (const body of new dynamics.ShapeMatchingBodies(surfaces, placements, o).bodies) simulated(body);
  },
);
api(
  'ShapeMatchingBodies, of one',
  () => [
    { ...arrays(), lattice: { cellSize: 1, origin: [0, 0, 0], cells: [0, 0, 0] } },
    { shape: 0, pose: pose(), velocity: [0, 0, 1], name: 'x' },
  ],
  (surface, placement) => new dynamics.ShapeMatchingBodies([surface], [placement]),
);

calls.test(
  [main, hierarchy, parallel, models, modelNode, dynamics, node],
  [
    ...CALLED_BY_ENTRY_POINTS,
    ...['CheckRun', 'ShapeMatchingBody'], // made by others
    ...['FileSource', 'FileSink', 'MemorySink'], // used by openStoreFile and StoreWriter
    'openSharedStore', // takes what shareStore has made in another thread
    'TreeView', // of a memory that callers do not have
    ...['ImpingeError', 'prepareKernel'], // take nothing, or are to be extended
  ],
);
