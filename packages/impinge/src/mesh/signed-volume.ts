/** Six times the volume that a closed mesh bounds, about its first vertex: meshes far away keep their digits. */
export function signedVolumeTimes6(x: ArrayLike<number>, indices: ArrayLike<number>): number {
  const origin = 3 * indices[0];
  const [ox, oy, oz] = [x[origin], x[origin + 1], x[origin + 2]];
  let volume = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const ax = x[a] - ox;
    const ay = x[a + 1] - oy;
    const az = x[a + 2] - oz;
    const bx = x[b] - ox;
    const by = x[b + 1] - oy;
    const bz = x[b + 2] - oz;
    const cx = x[c] - ox;
    const cy = x[c + 1] - oy;
    const cz = x[c + 2] - oz;
    volume += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return volume;
}
