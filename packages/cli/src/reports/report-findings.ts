/** The findings at the top of `report.html`: whether the check could do what it was asked. */
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

/** One box for red findings, one for the others. */
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
