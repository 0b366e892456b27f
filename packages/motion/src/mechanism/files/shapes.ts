/** Shapes of links, which URDF and SDF write alike. */
import type { Pose } from 'impinge';
import { quoted } from 'impinge/internal/formats/mesh-file.js';
import type { LinkShape } from '../mechanism-data.js';
import type { RobotMeshes } from './robot-meshes.js';
import type { XmlElement } from './xml-tree.js';

/** How a dialect writes numbers (as attributes, or as elements), and where a mesh is. */
export interface Dialect {
  text(shape: XmlElement, name: string): { readonly of: XmlElement; readonly text: string } | undefined;
  readonly address: string;
}

export async function readShape(
  geometry: XmlElement,
  pose: Pose,
  dialect: Dialect,
  meshes: RobotMeshes,
): Promise<LinkShape> {
  const [shape] = geometry.children;
  if (!shape) throw geometry.fail('<geometry> has no shape');
  const size = (name: string) => {
    const found = dialect.text(shape, name);
    if (!found) throw shape.fail(`<${shape.name}> has no ${name}`);
    return positive(found.of, found.of.number(found.text, name), name);
  };
  switch (shape.name) {
    case 'box': {
      const found = dialect.text(shape, 'size');
      if (!found) throw shape.fail('<box> has no size');
      const box = found.of.numbers(found.text, 'size', 3);
      for (const edge of box) positive(found.of, edge, 'size');
      return { pose, box };
    }
    case 'sphere':
      return { pose, sphere: { radius: size('radius') } };
    case 'cylinder':
      return { pose, cylinder: { radius: size('radius'), length: size('length') } };
    case 'capsule':
      return { pose, capsule: { radius: size('radius'), length: size('length') } };
    case 'mesh': {
      const address = dialect.text(shape, dialect.address);
      if (!address || address.text.trim() === '') throw shape.fail(`<mesh> has no ${dialect.address}`);
      const scale = dialect.text(shape, 'scale');
      const factors = scale ? scale.of.numbers(scale.text, 'scale', 3) : [1, 1, 1];
      return { pose, mesh: await meshes.mesh(address.text.trim(), factors, shape) };
    }
    default:
      throw shape.fail(
        `unknown shape ${quoted(shape.name)}; it is one of box, sphere, cylinder, capsule, mesh`,
      );
  }
}

function positive(element: XmlElement, value: number, what: string): number {
  if (value > 0) return value;
  throw element.fail(`${what} is ${value}, not above 0`);
}
