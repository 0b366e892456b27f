/** Covers of items in GLSL; drawn-cover.ts says what is computed here, and why that is enough. */
import { DEPTH_EPS, SLACK } from '../drawn-cover.js';

const float = (x: number) => (Number.isInteger(x) ? `${x}.0` : `${x}`);

/** Texels in a row of a texture that holds a list. */
export const ROW = 2048;

/**
 * What the vertex shaders share. Layout of an entry: item, code, group, margin (bits of a float32). An item is three
 * corners, or two of a box.
 */
export const COVER_GLSL = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
uniform sampler2D uData;
uniform usampler2D uEntries;
uniform vec4 uView[3];
uniform int uResolution;
uniform bool uBoxes;

struct Cover { ivec4 pixels; vec4 ab; vec4 cReach; vec4 plane; vec2 range; };

uvec4 entryAt(int i) { return texelFetch(uEntries, ivec2(i & ${ROW - 1}, i / ${ROW}), 0); }
vec3 dataAt(int i) { return texelFetch(uData, ivec2(i & ${ROW - 1}, i / ${ROW}), 0).xyz; }

vec3 seen(vec3 p) {
  float middle = 0.5 * float(uResolution);
  return vec3(dot(uView[0].xyz, p) + middle, dot(uView[1].xyz, p) + middle, dot(uView[2].xyz, p) + 0.5);
}

Cover coverOf(uvec4 entry) {
  vec3 a, b, c, pad;
  if (uBoxes) {
    vec3 low = dataAt(int(entry.x) * 2), high = dataAt(int(entry.x) * 2 + 1);
    a = b = c = seen(0.5 * (low + high));
    vec3 side = 0.5 * (high - low);
    pad = vec3(dot(abs(uView[0].xyz), side), dot(abs(uView[1].xyz), side), dot(abs(uView[2].xyz), side));
  } else {
    int first = int(entry.x) * 3;
    a = seen(dataAt(first));
    b = seen(dataAt(first + 1));
    c = seen(dataAt(first + 2));
    pad = uintBitsToFloat(entry.w) * vec3(uView[0].w, uView[1].w, uView[2].w);
  }
  vec3 low = min(min(a, b), c), high = max(max(a, b), c);
  vec2 extent = high.xy - low.xy;
  vec2 reach = pad.xy + ${float(0.5 + SLACK)};

  Cover cover;
  cover.pixels = clamp(
    ivec4(floor(vec4(low.xy - pad.xy - ${float(SLACK)}, high.xy + pad.xy + ${float(SLACK)}))),
    0, uResolution - 1);
  cover.ab = vec4(a.xy, b.xy);
  cover.cReach = vec4(c.xy, reach);
  cover.range = clamp(vec2(low.z - pad.z - ${DEPTH_EPS}, high.z + pad.z + ${DEPTH_EPS}), 0.2, 0.8);

  vec3 p = b - a, q = c - a;
  float a0 = p.x * q.y, a1 = q.x * p.y, area = a0 - a1, ofArea = abs(a0) + abs(a1);
  cover.plane = vec4(a.z, 0.0, 0.0, 2.0);
  if (abs(area) > ${2 ** -10} * ofArea && abs(area) > ${2 ** -40}) {
    float x0 = p.z * q.y, x1 = q.z * p.y, y0 = p.x * q.z, y1 = q.x * p.z;
    vec2 g = vec2(x0 - x1, y0 - y1) / area;
    vec2 eg = ${2 ** -19} * (vec2(abs(x0) + abs(x1), abs(y0) + abs(y1)) + abs(g) * ofArea) / abs(area);
    float radius = dot(abs(g), reach) + dot(eg, extent + 2.0 * reach)
      + ${2 ** -20} * dot(abs(g), extent + reach) + pad.z + ${DEPTH_EPS};
    cover.plane = vec4(a.z, g, radius);
  }
  return cover;
}
`;

/** What the fragment shaders share: whether the pixel with the centre p is in the cover, and [near, far] there. */
export const PIXEL_GLSL = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
flat in vec4 vAb;
flat in vec4 vCReach;
flat in vec4 vPlane;
flat in vec2 vRange;

bool beyond(vec2 p, vec2 a, vec2 b, vec2 c) {
  vec2 n = vec2(a.y - b.y, b.x - a.x);
  float e = dot(n, p - a), t = dot(n, c - a), r = dot(abs(n), vCReach.zw);
  return e < min(0.0, t) - r || e > max(0.0, t) + r;
}

bool covered(vec2 p) {
  return !(beyond(p, vAb.xy, vAb.zw, vCReach.xy) || beyond(p, vAb.zw, vCReach.xy, vAb.xy)
    || beyond(p, vCReach.xy, vAb.xy, vAb.zw));
}

vec2 depthsAt(vec2 p) {
  float middle = vPlane.x + dot(vPlane.yz, p - vAb.xy);
  return vec2(max(middle - vPlane.w, vRange.x), min(middle + vPlane.w, vRange.y));
}
`;
