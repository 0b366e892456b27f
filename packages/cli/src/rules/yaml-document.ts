/**
 * YAML 1.2 and JSON of unknown origin, with the place of everything in it. Size and nesting are limited before the
 * parts of the parser that recurse see them; aliases are followed by the caller, who counts.
 */
import { Composer, type CST, type Document, LineCounter, type Node, Parser } from 'yaml';

export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Problem extends Place {
  readonly message: string;
}

export const MAX_CHARACTERS = 2_000_000;
const MAX_DEPTH = 64;

/** What patterns are prone to. */
export const IN_QUOTES = 'a text that begins with one of * { [ ! is written in quotes';

const MESSAGES: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this key is here twice',
  MULTIPLE_DOCS: 'a second document begins here; a file of rules is a single one',
  BLOCK_AS_IMPLICIT_KEY: 'this does not belong on the same line; a text with ": " in it is written in quotes',
  BAD_DQ_ESCAPE: 'between double quotes a backslash is written twice; single quotes take everything as it is',
  UNEXPECTED_TOKEN: `this is unexpected; ${IN_QUOTES}`,
  TAG_RESOLVE_FAILED: `this is not a known tag; ${IN_QUOTES}`,
};

export class YamlDocument {
  /** The content, undefined where it is empty or where there are problems. */
  readonly root: Node | undefined;
  /** What keeps it from being read at all. */
  readonly problems: readonly Problem[];
  readonly #document: Document.Parsed | undefined;
  readonly #lines = new LineCounter();

  constructor(text: string) {
    if (text.length > MAX_CHARACTERS) {
      this.problems = [
        { line: 1, column: 1, message: `the file is longer than ${MAX_CHARACTERS / 1e6} million characters` },
      ];
      return;
    }
    const tokens = [...new Parser(this.#lines.addNewLine).parse(text)];
    const tooDeep = deeperThan(MAX_DEPTH, tokens);
    if (tooDeep !== undefined) {
      this.problems = [this.#problem(tooDeep, `nested more than ${MAX_DEPTH} deep`)];
      return;
    }
    const [document, second] = new Composer({ version: '1.2', uniqueKeys: true }).compose(
      tokens,
      true,
      text.length,
    );
    const said = [...(document?.errors ?? []), ...(document?.warnings ?? [])];
    const problems = said.map((one) => this.#problem(one.pos[0], MESSAGES[one.code] ?? one.message));
    if (second !== undefined) problems.push(this.#problem(second.range[0], MESSAGES['MULTIPLE_DOCS']));
    this.problems = problems;
    this.#document = document as Document.Parsed;
    if (problems.length === 0) this.root = document?.contents ?? undefined;
  }

  /** What an alias stands for. */
  resolve(alias: Node & { resolve(document: Document.Parsed): Node | undefined }): Node | undefined {
    return this.#document === undefined ? undefined : alias.resolve(this.#document);
  }

  placeOf(node: Node): Place {
    return this.#place(node.range?.[0] ?? 0);
  }

  #problem(offset: number, message: string): Problem {
    return { ...this.#place(offset), message };
  }

  #place(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

/** Where nesting passes a limit, without recursion; undefined where it does not. */
function deeperThan(limit: number, tokens: readonly CST.Token[]): number | undefined {
  const stack = tokens.map((token) => ({ token, depth: 0 }));
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { token, depth } = top;
    if (depth > limit) return token.offset;
    if (token.type === 'document' && token.value) stack.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    for (const { key, value } of token.items) {
      if (key) stack.push({ token: key, depth: depth + 1 });
      if (value) stack.push({ token: value, depth: depth + 1 });
    }
  }
  return undefined;
}
