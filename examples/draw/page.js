// A model with levels on a page. The store is read from where the page is, part by part.
import { openStoreUrl } from '@impinge/model';
import { DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { LevelView, levelColor } from './level-view.js';

const element = (id) => document.getElementById(id);
const show = (id, text) => {
  element(id).textContent = text;
};
const thousands = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const fail = (error) => {
  show('problem', error.message);
  console.error(error);
};

/** The box around all objects: its middle, and half its diagonal. */
function extentOf({ directory: { objectBox } }) {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  objectBox.forEach((x, i) => {
    box[i % 6] = i % 6 < 3 ? Math.min(box[i % 6], x) : Math.max(box[i % 6], x);
  });
  const middle = [0, 1, 2].map((k) => (box[k] + box[k + 3]) / 2);
  return { middle, radius: Math.hypot(...[0, 1, 2].map((k) => (box[k + 3] - box[k]) / 2)) || 1 };
}

function length(units, metresPerUnit) {
  const metres = units * metresPerUnit;
  return metres < 0.1 ? `${(1000 * metres).toPrecision(3)} mm` : `${metres.toPrecision(3)} m`;
}

async function start() {
  const model = await openStoreUrl(new URL('model.impinge', location.href));
  const { middle, radius } = extentOf(model);
  show('title', model.meta.title || 'A model with levels');
  show('of', thousands.format(model.triangleCount));

  const renderer = new WebGLRenderer({ antialias: true, alpha: true });
  document.body.prepend(renderer.domElement);
  const camera = new PerspectiveCamera(45, 1, radius / 2000, 20 * radius);
  camera.up.set(0, 0, 1);
  camera.position.set(-1.4 * radius, -1.9 * radius, 1.15 * radius); // all of it is in the picture
  const light = new DirectionalLight('#ffffff', 2);
  light.position.set(0.4, 0.8, 1); // over the shoulder of whoever looks
  light.target.position.set(0, 0, -1);
  camera.add(light, light.target);
  const sky = new HemisphereLight('#f4f8ff', '#8d8374', 1.4);
  sky.position.set(0, 0, 1); // Z is up
  const scene = new Scene();
  scene.add(camera, sky);
  // a frame is drawn when something has changed
  let isDue = true;
  const draw = () => {
    isDue = true;
  };
  const view = new LevelView(model, { origin: middle, onLoad: draw, onError: fail });
  scene.add(view.group);
  const controls = new OrbitControls(camera, renderer.domElement);
  controls.enableDamping = true;
  controls.zoomToCursor = true;
  controls.addEventListener('change', draw);
  element('panel').addEventListener('input', draw);

  const resize = () => {
    renderer.setPixelRatio(devicePixelRatio);
    renderer.setSize(innerWidth, innerHeight);
    camera.aspect = innerWidth / innerHeight;
    camera.updateProjectionMatrix();
    draw();
  };
  addEventListener('resize', resize);
  resize();

  const settings = () => ({
    pixelError: 2 ** Number(element('pixel-error').value),
    budget: 10 ** Number(element('budget').value),
  });
  element('by-level').addEventListener('change', ({ target }) => {
    view.setByLevel(target.checked);
    const legend = target.checked
      ? Array.from({ length: 9 }, (_, level) => levelColor(level).getStyle())
      : [];
    element('legend').replaceChildren(
      ...legend.map((color) =>
        Object.assign(document.createElement('span'), { style: `background: ${color}` }),
      ),
    );
  });

  const frame = () => {
    controls.update();
    if (!isDue) return;
    isDue = false;
    camera.updateMatrixWorld();
    const { pixelError, budget } = settings();
    show('pixel-error-value', `${+pixelError.toPrecision(2)} px`);
    show('budget-value', short.format(budget));
    if (!element('hold').checked || !view.front) {
      const { width, height } = renderer.domElement;
      const before = performance.now();
      const front = view.update(camera, { pixelError, budget, width, height });
      show('choosing', `${(performance.now() - before).toFixed(1)} ms`);
      tell(front);
    }
    renderer.render(scene, camera);
  };

  const tell = (front) => {
    show('triangles', thousands.format(front.triangles));
    show('error', front.pixelError < Infinity ? `${front.pixelError.toPrecision(2)} px` : 'loading');
    show('space', length(front.collisionError, model.meta.metresPerUnit));
    show('pieces', `${thousands.format(front.count)}`);
    show('to-load', thousands.format(front.fetch.length));
    show('loaded', `${(view.bytes / 1e6).toFixed(1)} MB`);
  };
  renderer.setAnimationLoop(frame);
  return { view, camera, controls, draw };
}

/** For whoever wants to look closer from the console. */
globalThis.page = start();
globalThis.page.catch(fail);
