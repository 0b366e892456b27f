/** An object of the model as BCF names it. */
import type { Clash } from '@impinge/model';
import { oneLine } from '../../wire/text.js';
import { element, type Xml } from '../xml.js';

const ID_MAX = 200;

/** By its GUID where it has one; otherwise by what the file calls it. */
export function component({ id, file }: Clash['a']): Xml {
  if (isIfcGuid(id)) return element('Component', { IfcGuid: id });
  const name = oneLine(id, ID_MAX);
  return element(
    'Component',
    {},
    element('OriginatingSystem', {}, oneLine(file, ID_MAX) || 'impinge'),
    name === '' ? undefined : element('AuthoringToolId', {}, name),
  );
}

/** 128 bits in 22 digits to the base 64: the first holds two of them. */
export function isIfcGuid(id: string): boolean {
  return /^[0-3][0-9A-Za-z_$]{21}$/.test(id);
}
