/**
 * Which of many patterns match a text. Patterns without wildcards are looked up in a map; the rest are combined into as
 * few automata as the texts allow.
 */
import { GlobAutomaton, GlobGraph, PatternSets } from './glob-automaton.js';
import { foldText, type GlobStyle, literalOf, parseGlob } from './glob-pattern.js';

export class GlobSet {
  readonly #style: GlobStyle;
  readonly #indexOf = new Map<string, number>();
  #count = 0;
  readonly #literals = new Map<string, number>();
  readonly #graph: GlobGraph;
  readonly #sets = new PatternSets();
  readonly #entries: { readonly pattern: string; readonly at: number }[] = [];
  #automata: readonly GlobAutomaton[] | undefined;

  constructor(style: GlobStyle) {
    this.#style = style;
    this.#graph = new GlobGraph(style.caseless);
  }

  /** Takes a pattern in and returns its number; equal ones share it. Throws `bad-option` where it is malformed. */
  add(pattern: string): number {
    const known = this.#indexOf.get(pattern);
    if (known !== undefined) return known;
    const items = parseGlob(pattern, this.#style);
    const literal = literalOf(items);
    const index = (literal === undefined ? undefined : this.#literals.get(literal)) ?? this.#count++;
    this.#indexOf.set(pattern, index);
    if (literal !== undefined) this.#literals.set(literal, index);
    else {
      this.#entries.push({ pattern, at: this.#graph.append(items, index) });
      this.#automata = undefined;
    }
    return index;
  }

  /** The outcome of a text: equal numbers mean the same matching patterns. */
  match(text: string): number {
    let outcome = 0;
    let crowded = false;
    this.#automata ??= this.#firstAutomaton();
    for (const automaton of this.#automata) {
      outcome = this.#sets.union(outcome, automaton.run(text));
      crowded ||= automaton.crowded;
    }
    if (crowded) this.#automata = this.#automata.flatMap((one) => (one.crowded ? one.halves() : one));
    if (this.#literals.size === 0) return outcome;
    const literal = this.#literals.get(this.#style.caseless ? foldText(text) : text.normalize());
    return literal === undefined ? outcome : this.#sets.union(outcome, this.#sets.of([literal]));
  }

  /** The same for patterns that match one of several texts; no text is the empty one. */
  matchAny(texts: readonly string[]): number {
    if (texts.length === 0) return this.match('');
    return texts.reduce((outcome, text) => this.#sets.union(outcome, this.match(text)), 0);
  }

  /** The patterns that match, by their numbers. */
  matched(outcome: number): ReadonlySet<number> {
    return this.#sets.get(outcome);
  }

  #firstAutomaton(): GlobAutomaton[] {
    if (this.#entries.length === 0) return [];
    // neighbours have the most states in common
    const sorted = this.#entries.sort((a, b) => (a.pattern < b.pattern ? -1 : 1));
    return [
      new GlobAutomaton(
        this.#graph,
        sorted.map((entry) => entry.at),
        this.#sets,
      ),
    ];
  }
}
