/**
 * Untrusted YAML 1.2 and JSON, with the place of every node. Size and nesting are limited while parsing, before
 * recursive code sees more; the caller follows and counts aliases.
 */
import {
  Composer,
  type CST,
  type Document,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  visit,
} from 'yaml';

export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Problem extends Place {
  readonly message: string;
}

export const MAX_CHARACTERS = 2_000_000;
const MAX_DEPTH = 64;

/** Advice for a frequent mistake in patterns. */
export const IN_QUOTES = 'quote a text that begins with one of * { [ !';

const MESSAGES: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a second document begins here; a file of rules is a single one',
  BLOCK_AS_IMPLICIT_KEY: 'unexpected on this line; quote a text that contains ": "',
  BAD_DQ_ESCAPE: 'double a backslash between double quotes, or use single quotes',
  UNEXPECTED_TOKEN: `this is unexpected; ${IN_QUOTES}`,
  TAG_RESOLVE_FAILED: `this is not a known tag; ${IN_QUOTES}`,
};

export class YamlDocument {
  /** The content; undefined if it is empty or there are problems. */
  readonly root: Node | undefined;
  /** Problems that prevent reading it at all. */
  readonly problems: readonly Problem[];
  readonly #document: Document.Parsed | undefined;
  readonly #lines = new LineCounter();

  constructor(text: string, most = MAX_CHARACTERS) {
    if (text.length > most) {
      this.problems = [
        { line: 1, column: 1, message: `the file is longer than ${most / 1e6} million characters` },
      ];
      return;
    }
    const tokens = tokensOf(text, this.#lines.addNewLine);
    if (typeof tokens === 'number') {
      this.problems = [this.#problem(tokens, `nested more than ${MAX_DEPTH} deep`)];
      return;
    }
    // the library compares each key with all others
    const [document, second] = new Composer({ version: '1.2', uniqueKeys: false }).compose(
      tokens,
      true,
      text.length,
    );
    const said = [...(document?.errors ?? []), ...(document?.warnings ?? [])];
    const problems = said.map((one) => this.#problem(one.pos[0], MESSAGES[one.code] ?? one.message));
    for (const key of document ? repeatedKeys(document) : [])
      problems.push(this.#problem(key.range?.[0] ?? 0, 'this key is here twice'));
    if (second !== undefined) problems.push(this.#problem(second.range[0], MESSAGES['MULTIPLE_DOCS']));
    this.problems = problems;
    this.#document = document as Document.Parsed;
    if (problems.length === 0) this.root = document?.contents ?? undefined;
  }

  /** The target of an alias. */
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

/** Keys that occurred earlier in their mapping. */
function repeatedKeys(document: Document): Node[] {
  const repeated: Node[] = [];
  visit(document, {
    Map(_, { items }) {
      const known = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (known.has(key.value)) repeated.push(key);
        known.add(key.value);
      }
    },
  });
  return repeated;
}

/** The tokens of a text, or the offset at which it is nested too deeply: the parser recurses as deep as its stack. */
function tokensOf(text: string, onNewLine: (offset: number) => void): CST.Token[] | number {
  const parser = new Parser(onNewLine);
  const tokens: CST.Token[] = [];
  onNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH) return parser.offset;
  }
  tokens.push(...parser.end());
  return tokens;
}
