/** The schema of clashes that journals and reports share. */
import { CLASH_KINDS } from '@impinge/model';
import type { Vec3 } from 'impinge';
import * as v from 'valibot';

const vec3 = v.pipe(
  v.tuple([v.number(), v.number(), v.number()]),
  v.transform((x): Vec3 => x),
);

/** The same schema for each of these names. */
export function allOf<Name extends string, Schema>(names: readonly Name[], schema: Schema) {
  return Object.fromEntries(names.map((name) => [name, schema])) as { [Key in Name]: Schema };
}

export const CLASH_FORM = v.picklist(['protruding', 'piercing']);

export const BOX = v.object({ min: vec3, max: vec3 });

export const CLASH_FIELDS = {
  ...{ id: v.string(), kind: v.picklist(CLASH_KINDS), rule: v.string() },
  ...{ distance: v.number(), depth: v.number(), depthBound: v.number(), trianglePairs: v.number() },
  ...{ point: vec3, box: BOX },
};
