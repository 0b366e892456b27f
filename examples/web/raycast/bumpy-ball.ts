/** A ball with bumps, of about as many triangles as asked for. */
import { SphereGeometry, Vector3 } from 'three';

export function bumpyBall(triangles: number): SphereGeometry {
  const rows = Math.max(4, Math.round(Math.sqrt(triangles / 4)));
  const geometry = new SphereGeometry(1, 2 * rows, rows);
  const { position } = geometry.attributes;
  const place = new Vector3();
  for (let v = 0; v < position.count; v++) {
    const { x, y, z } = place.fromBufferAttribute(position, v);
    place.multiplyScalar(1 + 0.03 * Math.sin(20 * x) * Math.sin(17 * y) * Math.sin(13 * z));
    position.setXYZ(v, place.x, place.y, place.z);
  }
  geometry.computeVertexNormals();
  return geometry;
}
