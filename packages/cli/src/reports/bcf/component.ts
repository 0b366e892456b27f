/** An object of the model as a BCF component. */
import { type Clash, isIfcGuid } from '@impinge/model';
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
