/**
 * `matrix:` in a file of rules: which sets or disciplines are checked against which, in one table.
 *
 *   matrix:
 *     structural: { structural: off, hvac: 25mm, plumbing: hard }
 *     hvac: { hvac: hard, plumbing: { clearance: 50mm, tolerance: 5mm } }
 */
import type { CheckRule, Selector } from '@impinge/model';
import { isMap, isScalar, type Node } from 'yaml';
import { quoted } from '../formats/format-error.js';
import type { NodeReader } from './node-reader.js';
import type { PlacedRule } from './placed-rule.js';

interface MatrixContext {
  /** Whether a name is that of a set; otherwise it is a pattern of disciplines. */
  readonly isSet: (name: string) => boolean;
  readonly limits: (node: Node, what: string) => Partial<CheckRule>;
  /** Names of the rules so far; those of the table are added. */
  readonly names: Set<string>;
}

/** A rule for each cell, named `structural / hvac`, in the order of the table. */
export function readMatrix(given: Node, nodes: NodeReader, context: MatrixContext): PlacedRule[] {
  const selector = (name: string): Selector => (context.isSet(name) ? { set: name } : { discipline: name });
  return [...nodes.map(given, 'matrix', undefined)].flatMap(([row, cells]) =>
    [...nodes.map(cells, 'a row of the matrix', undefined)].flatMap(([column, cell]) => {
      const name = `${row} / ${column}`;
      if (context.names.has(name) || context.names.has(`${column} / ${row}`))
        return (
          nodes.problem(cell, `${name}: the matrix already has this pair, or a rule has this name`) ?? []
        );
      context.names.add(name);
      const place = nodes.placeOf(cell);
      const rule = { name, a: selector(row), b: selector(column), ...readCell(cell, nodes, context, name) };
      return [{ rule, places: { a: place, b: place } }];
    }),
  );
}

/** `off`, `hard`, a clearance, or limits by name. */
function readCell(
  given: Node,
  nodes: NodeReader,
  { limits }: MatrixContext,
  name: string,
): Partial<CheckRule> {
  const node = nodes.followed(given);
  if (isMap(node)) return limits(given, 'a cell of the matrix');
  const word = isScalar(node) ? node.value : undefined;
  if (word === 'off') return { ignore: true };
  if (word === 'hard') return { clearance: 0 };
  if (typeof word === 'number' || (typeof word === 'string' && /^\d/.test(word))) {
    const clearance = nodes.length(given, name);
    return clearance === undefined ? {} : { clearance };
  }
  const text = isScalar(node) ? quoted(String(word)) : 'this';
  nodes.problem(
    given,
    `${name}: ${text} is not off, hard, a clearance such as 50mm, or {clearance, tolerance, allowance, kinds}`,
  );
  return {};
}
