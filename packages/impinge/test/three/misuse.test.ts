/** The functions of `impinge/three` called in wrong ways. */
import * as three from 'three';
import { arrays, pose, RightCalls } from '../../../../test/right-calls.js';
import { contacts, distance, Mesh, type Pose, Scene } from '../../src/index.js';
import * as entry from '../../src/three/index.js';

const calls = new RightCalls();
const { api } = calls;

const box = () => new three.Mesh(new three.BoxGeometry(1, 1, 1), new three.MeshBasicMaterial());
const cube = Mesh.from(arrays());

function batch(): three.BatchedMesh {
  const mesh = new three.BatchedMesh(1, 100, 100, new three.MeshBasicMaterial());
  mesh.addInstance(mesh.addGeometry(new three.BoxGeometry(1, 1, 1)));
  return mesh;
}

api('meshOf', () => [box()], entry.meshOf);
api('meshOf, of a batch', () => [batch(), 0], entry.meshOf);
api('treeBoxes', () => [cube, 2], entry.treeBoxes);
api(
  'acceleratedRaycast',
  () => [box(), new three.Raycaster(new three.Vector3(0, 0, 5), new three.Vector3(0, 0, -1)), []],
  (object, raycaster, found) => entry.acceleratedRaycast.call(object, raycaster, found),
);
api(
  'accelerateRaycasts',
  () => [],
  () => entry.accelerateRaycasts()(),
);
api('follow', () => [new Scene(), new three.Group().add(box()), { filter: () => true }], entry.follow);
api(
  'SceneLink',
  () => [box(), 0],
  (object, id) => {
    const link = entry.follow(new Scene(), new three.Group());
    link.objectOf(object, id);
    link.dispose();
  },
);
api(
  'TreeBoxes',
  () => [box(), 3, { color: 0xff0000 }],
  (object, depth, options) => new entry.TreeBoxes(object, depth, options).dispose(),
);
const poseB = pose() as Pose;
/** Not taken apart: it is no bag of options. */
const answer = (result: object) => Object.assign(Object.create({}), result);
api(
  'ContactLines',
  () => [answer(contacts(cube, cube, { poseB })), {}],
  (result, options) => new entry.ContactLines(options).show(result),
);
api(
  'DistanceLine',
  () => [answer(distance(cube, cube, { poseB })), {}],
  (result, options) => new entry.DistanceLine(options).show(result),
);

calls.test([entry], []);
