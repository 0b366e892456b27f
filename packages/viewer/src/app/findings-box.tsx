/** The findings of the check about files and rules, above its clashes. */
import {
  FINDING_KINDS,
  FINDING_SEVERITIES,
  FINDING_TITLES,
  type Finding,
} from '../../../cli/src/wire/finding.js';
import { grouped } from '../../../ui/src/text.js';

/** Red ones are open, the others closed. */
export function FindingsBox({ findings }: { readonly findings: readonly Finding[] }) {
  return FINDING_SEVERITIES.map((severity) => {
    const own = findings.filter((finding) => finding.severity === severity);
    if (own.length === 0) return null;
    return (
      <details key={severity} class={`findings ${severity}`} open={severity === 'red'}>
        <summary>
          {FINDING_TITLES[severity]} <span class="count">{grouped(own.length)}</span>
        </summary>
        <ul>
          {own.map(({ kind, message, suggestion }) => (
            <li key={message}>
              <b>{FINDING_KINDS[kind]}</b>
              <span>{message}</span>
              {suggestion !== '' && <code>{suggestion}</code>}
            </li>
          ))}
        </ul>
      </details>
    );
  });
}
