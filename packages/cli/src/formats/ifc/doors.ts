/** How the leaves of doors move: IfcDoorTypeOperationEnum, of doors and of their types. */
import type { IfcEngine } from './engine.js';
import { eachLine, text } from './step-lines.js';

/** Where entities have it: IFC2X3 has it in styles, IFC4 in types and in doors. */
const OPERATION: Readonly<Record<string, number>> = {
  IFCDOOR: 11,
  IFCDOORSTANDARDCASE: 11,
  IFCDOORTYPE: 10,
  IFCDOORSTYLE: 8,
};

/** By the number of the door or type. */
export async function readDoorOperations(engine: IfcEngine): Promise<Map<number, string>> {
  const operations = new Map<number, string>();
  for (const [type, attribute] of Object.entries(OPERATION)) {
    await eachLine(engine, type, ({ id, values }) => {
      const operation = text(values[attribute]);
      if (operation !== '' && operation !== 'NOTDEFINED') operations.set(id, operation);
    });
  }
  return operations;
}
