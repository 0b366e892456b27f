/** Default colours of objects, by discipline or, if there is only one, by type. */
import type { StoredModel } from '@impinge/model';

/** Indices into the palette: 0 is plain, 1 is structure, the rest are for others. */
export function ownColours(model: StoredModel, colours: number): Uint8Array<ArrayBuffer> {
  const disciplines = model.texts('discipline');
  const kind = disciplines.length > 1 ? 'discipline' : 'type';
  const texts = kind === 'type' ? model.texts('type') : disciplines;
  const number = new Map(texts.map((text, i) => [text, texts.length > 1 ? 2 + (i % (colours - 2)) : 0]));
  number.set('', 0);
  number.set('structure', 1);
  const ofObject = new Uint8Array(model.objectCount);
  for (let object = 0; object < model.objectCount; object++) {
    ofObject[object] = number.get(model.text(object, kind)) ?? 0;
  }
  return ofObject;
}
