/** The colour of each kind of clash, light and dark, as a style sheet: for elements with the kind's name as a class. */
import { CLASH_KIND_TABLE, CLASH_KINDS } from '@impinge/model';

export function kindStyle(): string {
  return CLASH_KINDS.map((kind) => {
    const { light, dark } = CLASH_KIND_TABLE[kind].colour;
    return `.${kind}{--kind:light-dark(${light},${dark})}`;
  }).join('');
}
