/** What `report.html` says before its figures: whether the check could find what it was asked for. */
import {
  FINDING_KINDS,
  FINDING_SEVERITIES,
  FINDING_TITLES,
  type Finding,
  type FindingSeverity,
} from '../wire/finding.js';
import { oneLine } from '../wire/text.js';
import { escapeMarkup } from './text.js';

const TEXT_MAX = 1000;

/** A box for the red ones and one for the others. */
export function findingBoxes(findings: readonly Finding[]): string {
  const of = (severity: FindingSeverity) => findings.filter((one) => one.severity === severity);
  return FINDING_SEVERITIES.map((severity) => box(severity, FINDING_TITLES[severity], of(severity))).join('');
}

function box(severity: string, title: string, findings: readonly Finding[]): string {
  if (findings.length === 0) return '';
  const items = findings.map(({ kind, message, suggestion }) => {
    const hint = suggestion === '' ? '' : `<code>${escapeMarkup(oneLine(suggestion, TEXT_MAX))}</code>`;
    return `<li><b>${FINDING_KINDS[kind]}</b><span>${escapeMarkup(oneLine(message, TEXT_MAX))}</span>${hint}</li>`;
  });
  return `<section class="findings ${severity}"><h2>${title}</h2><ul>${items.join('')}</ul></section>\n`;
}
