/**
 * Tests items against near and far images, many pixels a point.
 *
 * A point is some rows of an entry's rectangle; an instance is a bit of the codes. It is drawn to the texel of the
 * entry's group and that bit if in one of its pixels the entry is neither before nor behind all that is in the tile of
 * the other side. The rows are counted in the rectangle as the shader sees it: whatever number of points the host asked
 * for, together they are all of it.
 */
import { COVER_GLSL, PIXEL_GLSL, ROW } from './cover-shader.js';

/** `aPoint`: the entry, and which part of its rows, of how many, as part + 65 536 · parts. */
export const TEST_VERTEX = `${COVER_GLSL}
layout(location = 0) in uvec2 aPoint;
uniform int uAcross;
uniform int uFirstBit;
uniform int uGroups;
uniform int uSheets;
uniform int uSheet;
uniform vec2 uFlags;
flat out vec4 vAb;
flat out vec4 vCReach;
flat out vec4 vPlane;
flat out vec2 vRange;
flat out ivec2 vTile;
flat out ivec4 vPixels;

void main() {
  uvec4 entry = entryAt(int(aPoint.x));
  Cover cover = coverOf(entry);
  vAb = cover.ab;
  vCReach = cover.cReach;
  vPlane = cover.plane;
  vRange = cover.range;
  int tile = 2 * gl_InstanceID + 1 - int((entry.y >> uint(uFirstBit + gl_InstanceID)) & 1u);
  vTile = uResolution * ivec2(tile % uAcross, tile / uAcross);
  int part = int(aPoint.y & 65535u), parts = int(aPoint.y >> 16u), rows = cover.pixels.w - cover.pixels.y + 1;
  vPixels = ivec4(cover.pixels.x, cover.pixels.y + rows * part / parts, cover.pixels.z,
    cover.pixels.y + rows * (part + 1) / parts - 1);
  int texel = (gl_InstanceID * uSheets + uSheet) * uGroups + int(entry.z);
  gl_Position = vec4((vec2(texel & ${ROW - 1}, texel / ${ROW}) + 0.5) * 2.0 / uFlags - 1.0, 0.0, 1.0);
  gl_PointSize = 1.0;
}
`;

export const TEST_FRAGMENT = `${PIXEL_GLSL}
uniform sampler2D uNearImage;
uniform sampler2D uFarImage;
uniform vec4 uChannel;
flat in ivec2 vTile;
flat in ivec4 vPixels;
out vec4 flag;

void main() {
  for (int y = vPixels.y; y <= vPixels.w; y++) {
    for (int x = vPixels.x; x <= vPixels.z; x++) {
      vec2 p = vec2(x, y) + 0.5;
      if (!covered(p)) continue;
      vec2 depths = depthsAt(p);
      ivec2 at = vTile + ivec2(x, y);
      if (depths.y < texelFetch(uNearImage, at, 0).x || depths.x > texelFetch(uFarImage, at, 0).x) continue;
      flag = uChannel;
      return;
    }
  }
  discard;
}
`;
