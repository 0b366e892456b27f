/** Renders the figures as markup for the check to write into report.html, readable without scripts. */
import { signal } from '@preact/signals';
import { type ComponentChildren, Fragment, h, type VNode } from 'preact';
import type { FigureMarkup, ReportPageData } from '../../../cli/src/wire/report.js';
import { ClashReview } from '../clash-review.js';
import { Report } from '../report.js';
import { ReviewKeeper } from '../review-keeper.js';
import { Figures, Tiles } from './figures.js';

export function figureMarkup(data: ReportPageData, total: number): FigureMarkup {
  const review = new ClashReview(new Report(data), new ReviewKeeper(data.review));
  return {
    tiles: markup(h(Tiles, { review, total, telling: data.telling })),
    figures: markup(h(Figures, { review, matrix: signal(0) })),
  };
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: unknown): string {
  return String(text).replace(/[&<>"]/g, (character) => ESCAPES[character]);
}

/** For components without state; event handlers are omitted. */
function markup(node: ComponentChildren): string {
  if (node === null || node === undefined || typeof node === 'boolean') return '';
  if (Array.isArray(node)) return node.map(markup).join('');
  if (typeof node !== 'object') return escaped(node);
  const { type, props } = node as VNode<Record<string, unknown>>;
  const children = props['children'] as ComponentChildren;
  if (type === Fragment) return markup(children);
  if (typeof type === 'function')
    return markup((type as (props: Record<string, unknown>) => ComponentChildren)(props));
  const attributes = Object.entries(props)
    .filter(([name, value]) => name !== 'children' && typeof value !== 'function' && value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`);
  return `<${type}${attributes.join('')}>${markup(children)}</${type}>`;
}
