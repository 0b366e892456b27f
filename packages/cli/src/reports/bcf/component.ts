/** An object of the model as a BCF component. */
import type { Clash } from '@impinge/model';
import { oneLine } from '../../wire/text.js';
import { element, type Xml } from '../xml.js';

const ID_MAX = 200;

/** Identified by its GUID if it has one, otherwise by its id in the file. */
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

/** 128 bits in 22 base-64 digits: the first holds two bits. */
export function isIfcGuid(id: string): boolean {
  return /^[0-3][0-9A-Za-z_$]{21}$/.test(id);
}
