/** Draws the covers of items into a depth image: their near sides, or their far ones. */
import { COVER_GLSL, PIXEL_GLSL } from './cover-shader.js';

/**
 * Six vertices an entry. An instance is a bit of the codes: the entry goes into tile 2 · instance + its bit, of `uAcross`
 * tiles in a row. If `uAcross` is 0 there is one image for all.
 */
export const DRAW_VERTEX = `${COVER_GLSL}
uniform int uAcross;
uniform int uFirstBit;
uniform vec2 uImage;
flat out vec4 vAb;
flat out vec4 vCReach;
flat out vec4 vPlane;
flat out vec2 vRange;
flat out ivec2 vTile;

void main() {
  uvec4 entry = entryAt(gl_VertexID / 6);
  Cover cover = coverOf(entry);
  vAb = cover.ab;
  vCReach = cover.cReach;
  vPlane = cover.plane;
  vRange = cover.range;
  vTile = ivec2(0);
  if (uAcross > 0) {
    int tile = 2 * gl_InstanceID + int((entry.y >> uint(uFirstBit + gl_InstanceID)) & 1u);
    vTile = uResolution * ivec2(tile % uAcross, tile / uAcross);
  }
  int corner = gl_VertexID % 6;
  bool right = corner == 1 || corner == 2 || corner == 4, top = corner == 2 || corner > 3;
  ivec2 at = ivec2(right ? cover.pixels.z + 1 : cover.pixels.x, top ? cover.pixels.w + 1 : cover.pixels.y);
  gl_Position = vec4(vec2(at + vTile) * 2.0 / uImage - 1.0, 0.0, 1.0);
}
`;

export const DRAW_FRAGMENT = `${PIXEL_GLSL}
uniform bool uFar;
flat in ivec2 vTile;

void main() {
  vec2 p = vec2(ivec2(gl_FragCoord.xy) - vTile) + 0.5;
  if (!covered(p)) discard;
  vec2 depths = depthsAt(p);
  gl_FragDepth = uFar ? depths.y : depths.x;
}
`;
