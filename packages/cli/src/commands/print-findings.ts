/** Prints findings about files and rules for people. */
import { printable, type Terminal } from '../terminal.js';
import { FINDING_KINDS, type Finding } from '../wire/finding.js';

/** A prominent block; nothing if there are no findings. */
export function printFindings(findings: readonly Finding[], { out, colors }: Terminal): void {
  for (const { severity, kind, message, suggestion } of findings) {
    const paint = severity === 'red' ? colors.red : colors.yellow;
    out(`${colors.bold(paint(`▌ ${severity}: ${FINDING_KINDS[kind]}`))}\n`);
    for (const line of [message, suggestion].filter(Boolean)) out(`${paint('▌')} ${printable(line)}\n`);
  }
  if (findings.length > 0) out('\n');
}
