/**
 * The bodies of a recording: nodes with a mesh, their places and shapes in every frame.
 *
 * Idea: keys of channels lie on frames, and between two keys that are farther apart nothing changes; so a frame has the
 * values of the last key that is not after it. Poses are products of those of the nodes above, in float64.
 */
import {
  areNumbers,
  check,
  type Fields,
  fieldsOf,
  type GlbDocument,
  isWhole,
  listOf,
} from './glb-document.js';

/** Rotation and scale row by row, then translation. */
export type Placement = Float64Array;

/** Triangles that bodies share. */
export interface RecordedSurface {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
}

export interface RecordedBody {
  readonly name: string;
  /** 0xrrggbb. */
  readonly colour: number;
  /** As it is in its first frame, in its own coordinates. */
  readonly surface: RecordedSurface;
  /** Whether anything about it changes. */
  readonly moves: boolean;
  /** In the coordinates of the file; all zero where the body is not there. */
  placeAt(frame: number): Placement;
  /** The vertices of one that deforms. */
  readonly shapeAt?: (frame: number) => Float32Array;
  isAsleep(frame: number): boolean;
}

interface Channel {
  /** The frame of each key, rising. */
  readonly frames: Uint32Array;
  readonly values: Float32Array;
}

interface Node {
  readonly fields: Fields;
  readonly parent: Node | undefined;
  readonly channels: Map<string, Channel>;
  /** First frame asleep, frame after the last, and so on. */
  readonly asleep: number[];
}

type Path = 'translation' | 'rotation' | 'scale';
const AT_REST: Readonly<Record<Path, readonly number[]>> = {
  translation: [0, 0, 0],
  rotation: [0, 0, 0, 1],
  scale: [1, 1, 1],
};
const [UINT16, UINT32, FLOAT] = [5123, 5125, 5126] as const;

/** `times` are those of the frames. */
export function readBodies(glb: GlbDocument, times: Float32Array, asleep: unknown): RecordedBody[] {
  const nodes = readNodes(glb);
  readChannels(glb, nodes, times);
  for (const entry of listOf(asleep)) {
    check(areNumbers(entry, 3) && nodes.has(entry[0]), '"asleep" is wrong');
    nodes.get(entry[0])!.asleep.push(entry[1], entry[2]);
  }
  const surfaces = new Map<unknown, RecordedSurface>();
  const bodies: RecordedBody[] = [];
  for (const node of nodes.values()) {
    const { mesh, skin } = node.fields;
    if (mesh === undefined) continue;
    const primitive = fieldsOf(listOf(glb.entry('meshes', mesh)['primitives'])[0]);
    const attributes = fieldsOf(primitive['attributes']);
    const key = `${attributes['POSITION']} ${primitive['indices']}`;
    const surface = surfaces.get(key) ?? readSurface(glb, attributes['POSITION'], primitive['indices']);
    surfaces.set(key, surface);
    const deforms =
      skin !== undefined
        ? skinned(glb, nodes, surface, attributes, glb.entry('skins', skin))
        : morphed(glb, node, surface, listOf(primitive['targets']));
    const above = chainOf(node);
    bodies.push({
      name: String(node.fields['name'] ?? ''),
      colour: colourOf(glb, primitive['material']),
      surface,
      moves: deforms !== undefined || above.some(({ channels }) => channels.size > 0),
      // a skin is placed by its joints
      placeAt: (frame) => (skin === undefined ? placeOf(node, frame) : Float64Array.from(IDENTITY)),
      ...(deforms && { shapeAt: deforms }),
      isAsleep: (frame) =>
        above.some(({ asleep }) => asleep.some((x, i) => i % 2 === 0 && x <= frame && frame < asleep[i + 1])),
    });
  }
  return bodies;
}

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

/** Those of the scene, by number. */
function readNodes(glb: GlbDocument): Map<number, Node> {
  const nodes = new Map<number, Node>();
  const roots = listOf(glb.entry('scenes', 0)['nodes']);
  const left = [...roots].reverse().map((index): [unknown, Node | undefined] => [index, undefined]);
  for (let next = left.pop(); next; next = left.pop()) {
    const [index, parent] = next;
    const fields = glb.entry('nodes', index);
    check(!nodes.has(index as number), `node ${index} is in two places`);
    for (const path of ['translation', 'rotation', 'scale'] as const)
      check(
        fields[path] === undefined || areNumbers(fields[path], AT_REST[path].length),
        `"${path}" of node ${index} is wrong`,
      );
    check(fields['matrix'] === undefined, `node ${index} has a matrix`);
    const node = { fields, parent, channels: new Map(), asleep: [] };
    nodes.set(index as number, node);
    for (const child of [...listOf(fields['children'])].reverse()) left.push([child, node]);
  }
  return nodes;
}

function readChannels(glb: GlbDocument, nodes: ReadonlyMap<number, Node>, times: Float32Array): void {
  const frameAt = new Map(Array.from(times, (time, frame) => [time, frame]));
  const keys = new Map<unknown, Uint32Array>();
  for (const animation of glb.list('animations').map(fieldsOf)) {
    const samplers = listOf(animation['samplers']);
    for (const channel of listOf(animation['channels']).map(fieldsOf)) {
      const { node, path } = fieldsOf(channel['target']);
      const { input, output } = fieldsOf(samplers[channel['sampler'] as number]);
      let frames = keys.get(input);
      if (!frames) {
        const found = Array.from(glb.numbers(input, 'SCALAR', FLOAT), (time) => frameAt.get(time));
        check(found.length > 0 && found.every(isWhole), 'a key lies between frames');
        frames = Uint32Array.from(found as number[]);
        check(
          frames.every((frame, i) => i === 0 || frame > (frames as Uint32Array)[i - 1]),
          'keys do not rise',
        );
        keys.set(input, frames);
      }
      const type = path === 'weights' ? 'SCALAR' : path === 'rotation' ? 'VEC4' : 'VEC3';
      const values = glb.numbers(output, type, FLOAT);
      const target = nodes.get(node as number);
      const isKnown = target !== undefined && (path === 'weights' || String(path) in AT_REST);
      check(isKnown && values.length % frames.length === 0, 'a channel is wrong');
      const width = path === 'weights' ? values.length / frames.length : AT_REST[path as Path].length;
      check(values.length === width * frames.length, 'a channel is wrong');
      target.channels.set(String(path), { frames, values });
    }
  }
}

function readSurface(glb: GlbDocument, positions: unknown, indices: unknown): RecordedSurface {
  const surface = {
    positions: glb.numbers(positions, 'VEC3', FLOAT),
    indices: glb.numbers(indices, 'SCALAR', UINT32),
  };
  const count = surface.positions.length / 3;
  check(
    surface.indices.length % 3 === 0 && surface.indices.every((i) => i < count),
    'its triangles are wrong',
  );
  return surface;
}

/** The values of the last key that is not after a frame, or of the first one. */
function valuesAt({ frames, values }: Channel, frame: number): Float32Array {
  let [low, high] = [0, frames.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (frames[middle] <= frame) low = middle;
    else high = middle;
  }
  const width = values.length / frames.length;
  return values.subarray(width * low, width * low + width);
}

/** A node, and those above it. */
function chainOf(node: Node): Node[] {
  const chain: Node[] = [];
  for (let at: Node | undefined = node; at; at = at.parent) chain.push(at);
  return chain;
}

function placeOf(node: Node, frame: number): Placement {
  return chainOf(node)
    .map((one) => localPlace(one, frame))
    .reduce((below, above) => composed(above, below));
}

function localPlace({ fields, channels }: Node, frame: number): Placement {
  const at = (path: Path): ArrayLike<number> => {
    const channel = channels.get(path);
    return channel ? valuesAt(channel, frame) : ((fields[path] as number[] | undefined) ?? AT_REST[path]);
  };
  const [q, s, t] = [at('rotation'), at('scale'), at('translation')];
  const long = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] || 1);
  const [x, y, z, w] = [q[0], q[1], q[2], q[3]];
  return Float64Array.of(
    (1 - long * (y * y + z * z)) * s[0],
    long * (x * y - w * z) * s[1],
    long * (x * z + w * y) * s[2],
    long * (x * y + w * z) * s[0],
    (1 - long * (x * x + z * z)) * s[1],
    long * (y * z - w * x) * s[2],
    long * (x * z - w * y) * s[0],
    long * (y * z + w * x) * s[1],
    (1 - long * (x * x + y * y)) * s[2],
    ...[t[0], t[1], t[2]],
  );
}

/** `b`, then `a`. */
export function composed(a: Placement, b: Placement): Placement {
  const out = new Float64Array(12);
  for (let row = 0; row < 3; row++) {
    const [p, q, r] = a.subarray(3 * row, 3 * row + 3);
    for (let k = 0; k < 3; k++) out[3 * row + k] = p * b[k] + q * b[3 + k] + r * b[6 + k];
    out[9 + row] = p * b[9] + q * b[10] + r * b[11] + a[9 + row];
  }
  return out;
}

/** Base positions and shares of the targets. */
function morphed(glb: GlbDocument, node: Node, { positions }: RecordedSurface, targets: readonly unknown[]) {
  const weights = node.channels.get('weights');
  if (!weights || targets.length === 0) return undefined;
  const steps = targets.map((target) => glb.numbers(fieldsOf(target)['POSITION'], 'VEC3', FLOAT));
  const width = weights.values.length / weights.frames.length;
  const isRight = width === steps.length && steps.every(({ length }) => length === positions.length);
  check(isRight, 'a deforming body is wrong');
  return (frame: number): Float32Array => {
    const out = Float32Array.from(positions);
    for (const [k, weight] of valuesAt(weights, frame).entries())
      if (weight !== 0) for (let i = 0; i < out.length; i++) out[i] += weight * steps[k][i];
    return out;
  };
}

/** Sums of where four joints take a vertex. */
function skinned(
  glb: GlbDocument,
  nodes: ReadonlyMap<number, Node>,
  { positions }: RecordedSurface,
  attributes: Fields,
  skin: Fields,
) {
  const joints = listOf(skin['joints']).map((joint) => nodes.get(joint as number));
  const bind = glb.numbers(skin['inverseBindMatrices'], 'MAT4', FLOAT);
  const number = glb.numbers(attributes['JOINTS_0'], 'VEC4', UINT16);
  const weight = glb.numbers(attributes['WEIGHTS_0'], 'VEC4', FLOAT);
  const isRight = bind.length === 16 * joints.length && 3 * number.length === 4 * positions.length;
  check(isRight && weight.length === number.length, 'a skin is wrong');
  check(number.every((j) => j < joints.length) && joints.every((joint) => joint), 'a skin is wrong');
  return (frame: number): Float32Array => {
    const places = joints.map((joint, j) => composed(placeOf(joint!, frame), columnMajor(bind, 16 * j)));
    const out = new Float32Array(positions.length);
    for (let v = 0; 3 * v < out.length; v++) {
      const [x, y, z] = [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
      for (let i = 4 * v; i < 4 * v + 4; i++) {
        const m = places[number[i]];
        for (let k = 0; k < 3; k++)
          out[3 * v + k] += weight[i] * (m[3 * k] * x + m[3 * k + 1] * y + m[3 * k + 2] * z + m[9 + k]);
      }
    }
    return out;
  };
}

function columnMajor(m: Float32Array, at: number): Placement {
  const row = (k: number) => [m[at + k], m[at + 4 + k], m[at + 8 + k]];
  return Float64Array.of(...row(0), ...row(1), ...row(2), m[at + 12], m[at + 13], m[at + 14]);
}

/** Of a material, whose numbers are linear. */
function colourOf(glb: GlbDocument, material: unknown): number {
  const factor =
    material === undefined
      ? undefined
      : fieldsOf(glb.entry('materials', material)['pbrMetallicRoughness'])['baseColorFactor'];
  const [r, g, b] = areNumbers(factor, 4) ? factor.map(shownOf) : [200, 200, 200];
  return (r << 16) | (g << 8) | b;
}

function shownOf(linear: number): number {
  const x = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
}
