/**
 * The functions and methods of `impinge/formats`, `impinge/geometry`, `impinge/web`, `@impinge/gpu` and
 * `@impinge/motion`, and what `@impinge/model` and `@impinge/dynamics` have for levels and for drawing, called in wrong
 * ways.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as dynamics from '@impinge/dynamics';
import * as gpu from '@impinge/gpu';
import * as models from '@impinge/model';
import * as motion from '@impinge/motion';
import * as main from 'impinge';
import * as formats from 'impinge/formats';
import * as geometry from 'impinge/geometry';
import * as web from 'impinge/web';
import { arrays, CALLED_BY_ENTRY_POINTS, CORNERS, pose, RightCalls } from './right-calls.js';

const calls = new RightCalls();
const { api } = calls;

const A = () => Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
const B = () => Float64Array.of(9, 9, 9, 0.2, 0.2, 0, 1, 1, 0, 0.3, 0.9, 0);
const out = () => new Float64Array(20);
api('closestPointOnTriangle', () => [B(), 0, A(), 0, out(), 2], geometry.closestPointOnTriangle);
api('crossingRayTriangle', () => [B(), 0, B(), 3, A(), 0], geometry.crossingRayTriangle);
api('distanceSqPointTriangle', () => [B(), 3, A(), 0, out()], geometry.distanceSqPointTriangle);
api('distanceSqSegmentSegment', () => [A(), 0, 3, B(), 3, 6, out()], geometry.distanceSqSegmentSegment);
api('distanceSqSegmentTriangle', () => [B(), 0, 3, A(), 0, out()], geometry.distanceSqSegmentTriangle);
api('distanceSqTriangleTriangle', () => [A(), 0, B(), 3, out()], geometry.distanceSqTriangleTriangle);
api('intersectionPolygonCoplanar', () => [A(), 0, B(), 3, out(), 2], geometry.intersectionPolygonCoplanar);
api('intersectionTriangleTriangle', () => [A(), 0, B(), 3, out(), 2], geometry.intersectionTriangleTriangle);
api('intersectsSegmentSegment', () => [A(), 0, 3, B(), 3, 6], geometry.intersectsSegmentSegment);
api('intersectsSegmentTriangle', () => [B(), 0, 3, A(), 0], geometry.intersectsSegmentTriangle);
api('intersectsTriangleTriangle', () => [A(), 0, B(), 3], geometry.intersectsTriangleTriangle);
api('pointOnTriangle', () => [B(), 3, A(), 0], geometry.pointOnTriangle);
const step = () => Float64Array.from([...A(), 0, 0, 1, ...A(), 0.2, 0.2, -1]);
api('timeOfImpactVertexFace', () => [step(), { distance: 0.1 }], geometry.timeOfImpactVertexFace);
api('timeOfImpactEdgeEdge', () => [step(), { distance: 0.1 }], geometry.timeOfImpactEdgeEdge);

const file = () => new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
api(
  'readMeshes',
  () => [file(), { name: 'a.obj', format: 'obj', resource: () => undefined }],
  formats.readMeshes,
);

const cube = main.Mesh.from(arrays());
const options = () => ({
  resolution: 16,
  method: 'queries',
  stages: ['objects', 'triangles'],
  partSize: 64,
  randomDirections: 1,
  seed: 2,
  rounds: 1,
  onFallback: () => {},
  now: () => 0,
});
api(
  'VisibilityCuller',
  () => [['cpu'], options()],
  async (devices, read) => {
    const culler = new gpu.VisibilityCuller(devices, read);
    try {
      culler.add(cube);
      culler.add(cube, { pose: pose() as main.Pose });
      await culler.collide();
    } finally {
      culler.dispose();
    }
  },
);
api(
  'VisibilityCuller, one device',
  () => ['cpu'],
  (device) => new gpu.VisibilityCuller(device).dispose(),
);
api(
  'VisibilityCuller, methods',
  () => [
    arrays(),
    { pose: pose(), self: true },
    { distance: 0.1 },
    { distance: 0.1 },
    { atMost: 3 },
    Float64Array.from([0, 0].flatMap(() => [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])),
    pose(),
    Float32Array.from(CORNERS),
  ],
  async (shape, added, within, candidates, distance, poses, moved, positions) => {
    const culler = new gpu.VisibilityCuller('cpu');
    try {
      const object = culler.add(shape, added);
      culler.add(cube);
      culler.moveAll(poses);
      object.move(moved);
      object.deform(positions);
      object.replace(shape);
      await culler.within(within);
      await culler.candidates(candidates);
      await culler.distance(distance);
    } finally {
      culler.dispose();
    }
  },
);
api('requestGpu', () => [undefined], gpu.requestGpu);
api(
  'SceneCuller',
  () => [
    new main.Scene(),
    'cpu',
    { ...options(), engine: 'culler' },
    { distance: 0.1, mode: 'all', limit: 3 },
  ],
  async (all, devices, read, asked) => {
    if (all instanceof main.Scene) for (let i = 0; i < 2; i++) all.add(cube);
    const culler = new gpu.SceneCuller(all, devices, read);
    try {
      await culler.collideAll(asked);
    } finally {
      culler.dispose();
    }
  },
);
api(
  'SceneCuller, filter',
  () => ['culler', { filter: () => true }],
  async (engine, asked) => {
    const all = new main.Scene();
    for (let i = 0; i < 2; i++) all.add(cube);
    const culler = new gpu.SceneCuller(all, 'cpu', { engine });
    try {
      await culler.collideAll(asked);
    } finally {
      culler.dispose();
    }
  },
);
api(
  'DeformableCuller',
  () => [new dynamics.Deformables(), 'cpu', { ...options(), engine: 'culler' }, { distance: 0.1 }],
  async (detector, devices, read, asked) => {
    if (detector instanceof dynamics.Deformables)
      detector.add({ ...arrays(), kind: 'deforming', self: true });
    const culler = new gpu.DeformableCuller(detector, devices, read);
    try {
      await culler.within(asked);
      await culler.intersecting();
    } finally {
      culler.dispose();
    }
  },
);
for (const [name, { pairs }] of Object.entries(main.BROAD_PHASES)) {
  api(`BROAD_PHASES, ${name}`, () => [Float64Array.of(0, 0, 0, 1, 1, 1, 0, 0, 0, 2, 2, 2), 0.1], pairs);
}

api(
  'webPool',
  () => [2],
  async (size) => {
    await web.webPool(size).dispose();
  },
);
api('webCullingDevices', () => [], gpu.webCullingDevices);

const model = await models.buildLevels(cube);
const server = createServer(async (request, response) => {
  const [from, to] = request.headers.range!.match(/\d+/g)!.map(Number);
  const part = new Uint8Array(to + 1 - from);
  await model.source.read(from, [part]);
  response.writeHead(206, { 'Content-Range': `bytes ${from}-${to}/${model.source.byteLength}` }).end(part);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
server.unref();
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
api('openStoreUrl', () => [url], models.openStoreUrl);
api('UrlSource.open', () => [url], models.UrlSource.open);

const camera = () => ({
  pose: pose(),
  projection: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -1, 0],
  width: 8,
  height: 6,
});
api(
  'Drawing',
  () => [
    model,
    { allLoaded: true },
    { camera: camera(), pixelError: 1, collisionError: 2, budget: 100 },
    [0],
    0,
    pose(),
  ],
  (levels, options, asked, pieces, object, placed) => {
    const drawing = new models.Drawing(levels, options);
    drawing.selectLevels(asked);
    drawing.dropped(pieces);
    drawing.loaded(pieces);
    drawing.move(object, placed);
    drawing.pose(object);
    drawing.unneeded();
  },
);
api(
  'Drawing, a function for an error',
  () => [() => 1],
  (collisionError) => new models.Drawing(model).selectLevels({ camera: camera(), collisionError }),
);
api(
  'Drawing, an error near a place',
  () => [{ box: [0, 0, 0, 1, 1, 1], error: 1 }],
  (collisionError) => new models.Drawing(model).selectLevels({ camera: camera(), collisionError }),
);
api('readPieces', () => [model, [0]], models.readPieces);

api(
  'LevelsTarget',
  () => [
    model,
    { memory: 1e8 },
    { distance: 0.1, error: 0.2 },
    { error: 0.2 },
    { object: 0, piece: 0, first: 0, count: 1 },
  ],
  async (read, options, asked, limit, patch) => {
    const target = new models.LevelsTarget(read, options);
    try {
      await main.within(target, cube, asked);
      await main.distance(cube, target, { ...limit, atMost: 1 });
      await main.collide(target, target, { ...limit, mode: 'any' });
      await target.trianglesOf(patch);
      await target.originalsOf(patch);
      target.errorsOf(patch.object, patch.piece);
    } finally {
      await target.dispose();
    }
  },
);
api(
  'contacts of a stored model',
  () => [new models.LevelsTarget(model), cube, { distance: 0.1, error: 0.2, poseA: pose(), poseB: pose() }],
  main.contacts,
);
api(
  'penetration of a stored model',
  () => [new models.LevelsTarget(model), cube, { error: 0.2, poseA: pose(), poseB: pose() }],
  main.penetration,
);
api(
  'LevelsTarget, a function for an error',
  () => [() => 0.1],
  (error) => main.within(new models.LevelsTarget(model), cube, { distance: 0.1, error }),
);

api('buildContactLevels', () => [cube, { volumes: 'hulls' }], dynamics.buildContactLevels);
const dualOfCube = dynamics.buildContactLevels(cube);
api(
  'ContactLevels',
  () => [dualOfCube.toBytes(), 'h', 0],
  (bytes, name, level) => {
    const read = dynamics.ContactLevels.fromBytes(bytes);
    read.array(name);
    read.nodesOf(level);
    read.toBytes();
    read.dispose();
  },
);

const contactPair = new dynamics.ContactPair(dualOfCube, dualOfCube);
api(
  'ContactPair',
  () => [dualOfCube, dualOfCube],
  (a, b) => new dynamics.ContactPair(a, b).dispose(),
);
const allowed = () => ({
  size: 0.1,
  speed: { seconds: 1, a: { velocity: [1, 0, 0], spin: [0, 1, 0], centre: [0, 0, 0] } },
  view: { pixels: 1, camera: [0, 0, 9], angle: 1, height: 500 },
  combined: 'max',
});
const budget = () => ({ tests: 100, ms: 5, now: () => 0 });
api(
  'ContactPair.contacts',
  () => [
    { poseA: pose(), poseB: pose(), distance: 0.1, allowed: allowed(), budget: budget(), bounded: true },
  ],
  (options) => contactPair.contacts(options),
);
api(
  'ContactPair.distance',
  () => [{ pose: pose(), atMost: 2, allowed: 0.1, budget: budget() }],
  (options) => contactPair.distance(options),
);

api(
  'motionFree',
  () => [
    cube,
    cube,
    { from: pose(), to: pose(), kind: 'screw', centre: [0, 0, 0], clearance: 0.1, accuracy: 0.1 },
  ],
  motion.motionFree,
);

const far = () => ({ translation: [3, 0, 0] });
api(
  'findPath',
  () => [
    cube,
    cube,
    {
      start: far(),
      goals: [{ translation: [0, 3, 0] }],
      bounds: { min: [-5, -5, -5], max: [5, 5, 5] },
      seed: 1,
      planner: 'connect',
      timeLimit: 1,
      limits: { nodes: 100 },
      speed: { along: 1, turning: 1 },
      upright: { angle: 1, up: [0, 0, 1], own: [0, 0, 1] },
      clearance: 0.1,
      accuracy: 0.1,
      centre: [0, 0, 0],
    },
  ],
  motion.findPath,
);
api(
  'verifyPath',
  () => [
    cube,
    cube,
    { poses: [Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0)], centre: [0, 0, 0] },
    { clearance: 0.1, upright: { angle: 1, up: [0, 0, 1], own: [0, 0, 1] } },
  ],
  motion.verifyPath,
);
const box = () => ({ min: [-5, -5, -5], max: [5, 5, 5] });
api(
  'makeRoadmap',
  () => [
    cube,
    cube,
    {
      ...{ nodes: 3, limits: { nodes: 100 }, seed: 1, timeLimit: 1, clearance: 0.1, accuracy: 0.1 },
      ...{ bounds: box(), centre: [0, 0, 0], upright: { angle: 1 }, speed: { along: 1, turning: 1 } },
    },
  ],
  motion.makeRoadmap,
);
const roadmap = await motion.makeRoadmap(cube, cube, { nodes: 3, bounds: box() });
api(
  'Roadmap.find',
  () => [
    { start: far(), goals: [{ translation: [0, 3, 0] }], seed: 1, timeLimit: 1, limits: { nodes: 100 } },
  ],
  (question) => roadmap.find(question),
);
api(
  'posesFree',
  () => [
    cube,
    cube,
    Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0),
    {
      clearance: 0.1,
      pool: Object.assign(Object.create({}), web.webPool(0)) as ReturnType<typeof web.webPool>,
      onProgress: () => {},
      signal: new AbortController().signal,
    },
  ],
  motion.posesFree,
);
const walked = () => ({ stepHeight: 0.2, maxSlope: 0.5, up: [0, 0, 1], own: [0, 0, 1], clearance: 0.1 });
const floor = main.Mesh.from({ positions: [-9, -9, -1, 9, -9, -1, 9, 9, -1] });
api(
  'findWalk',
  () => [
    cube,
    floor,
    {
      ...walked(),
      start: { translation: [3, 0, -1] },
      goals: [{ translation: [3, 1, -1] }],
      bounds: { min: [-5, -5, -5], max: [5, 5, 5] },
      seed: 1,
      timeLimit: 1,
      limits: { nodes: 100 },
      speed: { along: 1, turning: 1 },
      accuracy: 0.1,
    },
  ],
  motion.findWalk,
);
api(
  'verifyWalk',
  () => [
    cube,
    floor,
    {
      poses: [Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, -1)],
      centre: [0, 1, 2].map((k) => (k < 2 ? 0.5 * (cube.box.min[k] + cube.box.max[k]) : cube.box.min[k])),
    },
    walked(),
  ],
  motion.verifyWalk,
);
const wish = () => ({
  region: { min: [-5, -5, -5], max: [5, 5, 5] },
  clearance: 0.1,
  turn: 'none' as const,
  up: [0, 0, 1],
  rest: false,
  accuracy: 1,
  limits: { cells: 100 },
});
api('place', () => [cube, cube, { near: pose(), ...wish() }], motion.place);
api('placeAll', () => [[{ body: cube, near: pose() }], cube, wish()], motion.placeAll);
const other = main.Mesh.from(arrays());
api(
  'disassemble',
  () => [
    [cube, other],
    {
      remove: [cube],
      directions: [[0, 0, 1] as main.Vec3],
      clearance: 0,
      allowed: 0,
      limits: { nodes: 10, seconds: 0.01 },
      timeLimit: 1,
    },
  ],
  motion.disassemble,
);
api(
  'verifyDisassembly',
  () => [
    [cube, other],
    [
      {
        moves: [
          { part: cube, poses: [Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0)], centre: [0, 0, 0] },
        ],
      },
    ],
    { clearance: 0, allowed: 0 },
  ],
  (parts, steps, o) => motion.verifyDisassembly(parts, steps, o),
);
const shapes = () => [{ mesh: cube, pose: pose() }, { box: [1, 1, 1] }, { sphere: { radius: 1 } }];
const machine = () => ({
  name: 'arm',
  base: pose(),
  links: [
    { name: 'a', shapes: shapes() },
    { name: 'b', shapes: [{ cylinder: { radius: 1, length: 2 } }] },
    { name: 'c' },
  ],
  joints: [
    {
      name: 'j',
      type: 'revolute',
      parent: 'a',
      child: 'b',
      pose: pose(),
      axis: [0, 0, 1],
      lower: -1,
      upper: 1,
    },
    {
      ...{ name: 'k', type: 'prismatic', parent: 'b', child: 'c' },
      mimic: { joint: 'j', multiplier: 2, offset: 1 },
    },
  ],
});
const arm = new motion.Mechanism(machine() as motion.MechanismData);
const space = new motion.MechanismSpace(arm, cube, { allowed: [['a', 'b']] });
api(
  'Mechanism',
  () => [machine()],
  (data) => new motion.Mechanism(data).name,
);
api(
  'Mechanism.linkOf',
  () => ['b'],
  (name) => arm.linkOf(name),
);
api(
  'Mechanism.attach',
  () => ['b', { box: [1, 1, 1], pose: pose() }, { name: 'tool', touching: ['c'] }],
  (...args) =>
    new motion.Mechanism(machine() as motion.MechanismData).attach(...(args as Parameters<typeof arm.attach>))
      .name,
);
api(
  'freeBody',
  () => [shapes(), pose()],
  (...args: Parameters<typeof motion.freeBody>) => motion.freeBody(...args).name,
);
api(
  'MechanismSpace',
  () => [
    arm,
    cube,
    { allowed: [['a', 'b']], contact: { configurations: [[0]], allowed: 0.1, clearance: 0.1 } },
  ],
  (...args) =>
    new motion.MechanismSpace(...(args as ConstructorParameters<typeof motion.MechanismSpace>)).isFree([0]),
);
api(
  'MechanismSpace.isFree',
  () => [[0], 0.1],
  (q, clearance) => space.isFree(q, clearance),
);
api(
  'MechanismSpace.meeting',
  () => [[0], 0.1],
  (q, clearance) => space.meeting(q, clearance)?.a,
);
api(
  'MechanismSpace.areFree',
  () => [[0, 1], 0.1],
  (q, clearance) => space.areFree(q, clearance),
);
api(
  'MechanismSpace.edge',
  () => [[0], [1], { clearance: 0.1, accuracy: 0.1, mode: 'any', allowed: 0.1 }],
  (from, to, rest) => space.edge(from, to, rest),
);
api(
  'configurationsFree',
  () => [
    space,
    Float64Array.of(0, 1),
    {
      clearance: 0.1,
      pool: Object.assign(Object.create({}), web.webPool(0)) as ReturnType<typeof web.webPool>,
      onProgress: () => {},
      signal: new AbortController().signal,
    },
  ],
  motion.configurationsFree,
);
const alone = new motion.MechanismSpace(arm, undefined, { allowed: [['a', 'b']] });
api(
  'findJointPath',
  () => [
    alone,
    {
      start: [0],
      goals: [[1]],
      seed: 1,
      planner: 'connect',
      timeLimit: 1,
      limits: { nodes: 100 },
      clearance: 0.1,
      accuracy: 0.1,
      speeds: [1],
      allowed: 0.1,
    },
  ],
  motion.findJointPath,
);
api(
  'makeJointRoadmap',
  () => [
    alone,
    ...[
      { nodes: 3, limits: { nodes: 100 }, seed: 1, timeLimit: 1, clearance: 0.1, accuracy: 0.1, speeds: [1] },
    ],
  ],
  motion.makeJointRoadmap,
);
api(
  'verifyJointPath',
  () => [
    alone,
    { configurations: [Float64Array.of(0), Float64Array.of(1)] },
    { clearance: 0.1, allowed: 0.1 },
  ],
  motion.verifyJointPath,
);
api(
  'MechanismSpace.edgeClearance',
  () => [[0], [1], { atMost: 1, accuracy: 0.1 }],
  (from, to, rest) => space.edgeClearance(from, to, rest),
);
api('allowedPairs', () => [arm, { samples: 2, seed: 1, range: 1 }], motion.allowedPairs);
const robot = '<robot name="r"><link name="a"/></robot>';
api(
  'readRobot',
  () => [robot, { name: 'r.urdf', files: { open: async () => undefined } }],
  (text, options) => motion.readRobot(text, options),
);
api('readDisabledPairs', () => ['<robot/>', arm, 'r.srdf'], motion.readDisabledPairs);

const others: Record<string, unknown> = { ...models, ...dynamics };
const calledHere = Object.fromEntries(CALLED_BY_ENTRY_POINTS.map((name) => [name, others[name]]));
calls.test([formats, geometry, gpu, motion, web, calledHere], []);
