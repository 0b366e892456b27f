/**
 * The shaders of surfaces.
 *
 * Vertices are relative to the origin of their object; positions are made relative to the eye on the GPU, see
 * streaming/object-origins.ts for why nothing jitters. Normals are derived from screen-space slopes: they take no
 * memory, and are right for every level. Styles are looked up by object number.
 */
export const MOST_SECTIONS = 6;
/** Width of the textures indexed by object. */
export const COLUMNS = 1024;
/** Texels of a moved object; its rows are as wide as those by object. */
export const MOVE_TEXELS = 4;

/** Bits of a style. */
export const Style = { hidden: 1, ghost: 2, coloured: 4 } as const;
/** The pass of a draw: solids, ghosts, or both. */
export const Pass = { solid: 0, ghost: 1, both: 2 } as const;
/**
 * If both are drawn at once, depths of ghosts are scaled by 2⁻⁶⁰: behind all solids, without loss of precision.
 * Reversed depths of solids are larger up to a distance of 10⁹ times the model's size.
 */
const GHOST_DEPTH = 2 ** -60;

export const SURFACE_VERTEX = /* glsl */ `
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
in vec3 position;
in uint object;
uniform sampler2D origins;
uniform usampler2D styles;
uniform usampler2D ownColours;
uniform sampler2D palette;
uniform sampler2D moves;
uniform vec3 eyeHigh;
uniform vec3 eyeLow;
uniform mat4 clip;
uniform int pass;
invariant gl_Position;
out vec3 place;
flat out vec3 colour;
flat out uint number;
flat out uint ghostly;

void main() {
  ivec2 texel = ivec2(int(object) & ${COLUMNS - 1}, int(object) / ${COLUMNS});
  int style = int(texelFetch(styles, texel, 0).r);
  vec4 look = texelFetch(palette, ivec2(style, 0), 0);
  int bits = int(look.a * 255.0 + 0.5);
  bool isGhost = (bits & ${Style.ghost}) != 0;
  if ((bits & ${Style.hidden}) != 0 || (pass != ${Pass.both} && isGhost != (pass == ${Pass.ghost}))) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  colour = look.rgb;
  if ((bits & ${Style.coloured}) == 0) {
    colour = texelFetch(palette, ivec2(int(texelFetch(ownColours, texel, 0).r), 1), 0).rgb;
  }
  number = object;
  vec4 from = texelFetch(origins, texel, 0);
  if (from.w == 0.0) place = ((from.xyz - eyeHigh) + position) - eyeLow;
  else {
    int first = ${MOVE_TEXELS} * (int(from.w) - 1);
    ivec2 at = ivec2(first & ${COLUMNS - 1}, first / ${COLUMNS});
    vec4 x = texelFetch(moves, at, 0);
    vec4 y = texelFetch(moves, at + ivec2(1, 0), 0);
    vec4 z = texelFetch(moves, at + ivec2(2, 0), 0);
    vec3 turned = vec3(dot(x.xyz, position), dot(y.xyz, position), dot(z.xyz, position));
    vec3 to = texelFetch(moves, at + ivec2(3, 0), 0).xyz;
    place = ((to - eyeHigh) + turned) + (vec3(x.w, y.w, z.w) - eyeLow);
  }
  gl_Position = clip * vec4(place, 1.0);
  ghostly = isGhost ? 1u : 0u;
  if (isGhost && pass == ${Pass.both}) gl_Position.z *= ${GHOST_DEPTH};
}
`;

const CUT = /* glsl */ `
#if SECTIONS > 0
  for (int i = 0; i < SECTIONS; i++) if (dot(sections[i].xyz, place) > sections[i].w) discard;
#endif
`;

const FRAGMENT_HEAD = /* glsl */ `
precision highp float;
precision highp int;
in vec3 place;
flat in vec3 colour;
flat in uint number;
#if SECTIONS > 0
uniform vec4 sections[SECTIONS];
#endif
`;

/** Light from behind the camera and from the sky. */
export const SURFACE_FRAGMENT = /* glsl */ `
${FRAGMENT_HEAD}
uniform vec3 forward;
uniform bool isPerspective;
uniform vec3 cut;
uniform vec3 background;
uniform float ghost;
flat in uint ghostly;
out vec4 pixel;

void main() {
  ${CUT}
  vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
  vec3 sight = isPerspective ? normalize(place) : forward;
  float facing = abs(dot(normal, sight));
  float sky = 0.5 + 0.5 * normal.z;
  vec3 lit = colour * (0.42 + 0.34 * facing + 0.30 * sky);
#if SECTIONS > 0
  if (!gl_FrontFacing) lit = cut;
#endif
  if (ghostly == 1u) {
    // an outline is more than what one looks straight at
    float share = ghost * (0.55 + 1.6 * (1.0 - facing) * (1.0 - facing));
    lit = mix(background, lit, min(share, 0.6));
  }
  pixel = vec4(lit, 1.0);
}
`;

/** The object's number plus one, the position relative to the eye, and the normal. */
export const PICK_FRAGMENT = /* glsl */ `
${FRAGMENT_HEAD}
layout(location = 0) out uvec4 what;
layout(location = 1) out uvec4 slope;

void main() {
  ${CUT}
  what = uvec4(number + 1u, floatBitsToUint(place));
  slope = uvec4(floatBitsToUint(normalize(cross(dFdx(place), dFdy(place)))), 0u);
}
`;

export const COPY_VERTEX = /* glsl */ `
in vec3 position;
void main() {
  gl_Position = vec4(position.xy, 0.0, 1.0);
}
`;

/**
 * Copies to the screen, which may have more pixels, with dark lines along edges. Depth is linear in the picture over a
 * plane, so its second difference is 0 there; elsewhere, a surface ends or bends.
 */
export const COPY_FRAGMENT = /* glsl */ `
precision highp float;
precision highp sampler2D;
uniform sampler2D image;
uniform sampler2D depths;
uniform vec2 scale;
uniform vec3 edge;
uniform float strength;
out vec4 pixel;

float depth(ivec2 at, ivec2 size) {
  float deep = texelFetch(depths, clamp(at, ivec2(0), size - 1), 0).r;
  return deep > ${2 * GHOST_DEPTH} ? deep : 0.0; // ghosts have no edges
}

void main() {
  vec2 place = gl_FragCoord.xy * scale;
  ivec2 at = ivec2(place);
  ivec2 size = textureSize(image, 0);
  vec3 seen = texture(image, place / vec2(size)).rgb;
  if (strength > 0.0) {
    float here = depth(at, size);
    float left = depth(at - ivec2(1, 0), size);
    float right = depth(at + ivec2(1, 0), size);
    float below = depth(at - ivec2(0, 1), size);
    float above = depth(at + ivec2(0, 1), size);
    float bend = max(abs(left + right - 2.0 * here), abs(below + above - 2.0 * here));
    float nearest = max(here, max(max(left, right), max(below, above)));
    float line = nearest > 0.0 ? smoothstep(0.004, 0.03, bend / nearest) : 0.0;
    seen = mix(seen, edge, strength * line);
  }
  pixel = vec4(seen, 1.0);
}
`;
