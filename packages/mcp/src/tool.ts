/** What tools have in common. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Asking, CommandRuns } from './command-runs.js';
import { Refusal, type RootFolder } from './root-folder.js';

/** What tools work with. */
export interface Workplace {
  readonly root: RootFolder;
  readonly runs: CommandRuns;
}

export interface Tool<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Shape;
  answer(asked: z.infer<z.ZodObject<Shape>>, workplace: Workplace, asking: Asking): Promise<Answer>;
}

export interface Answer {
  /** Plain data, printed as JSON. */
  readonly facts: unknown;
  readonly png?: Uint8Array | undefined;
}

/** So that what `answer` is asked has the type of `input`. */
export function tool<Shape extends z.ZodRawShape>(given: Tool<Shape>): Tool {
  return given as unknown as Tool;
}

export function addTool(
  server: McpServer,
  { name, title, description, input, answer }: Tool,
  place: Workplace,
): void {
  server.registerTool(
    name,
    { title, description, inputSchema: input, annotations: { readOnlyHint: !place.root.mayWrite } },
    async (asked, { signal, _meta, sendNotification }): Promise<CallToolResult> => {
      const progressToken = _meta?.progressToken;
      const onPulse = (seconds: number) => {
        if (progressToken === undefined) return;
        const params = { progressToken, progress: seconds, message: `${Math.round(seconds)} s` };
        void sendNotification({ method: 'notifications/progress', params });
      };
      try {
        const { facts, png } = await answer(asked, place, { signal, onPulse });
        const text = { type: 'text' as const, text: JSON.stringify(facts) };
        if (!png) return { content: [text] };
        const data = Buffer.from(png).toString('base64');
        return { content: [text, { type: 'image', mimeType: 'image/png', data }] };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { content: [{ type: 'text', text: error.message }], isError: true };
      }
    },
  );
}

/** Of inputs. */
export const fileName = z.string().min(1).describe('a file, as list_files names it');
export const fileNames = z.array(fileName).min(1).max(100).describe('model files, or one store (.impinge)');
export const length = z
  .string()
  .regex(/^(0|[\d.]+ ?(mm|cm|m|in|ft))$/)
  .describe('a length with its unit: 50mm, 2 cm, 1.5m, 2in, 1ft, or 0');
export const point = z.tuple([z.number(), z.number(), z.number()]).describe('x, y, z in metres; z is up');
/** `name:…` and the like can be no file; what has no field is a path. */
export const selector = z
  .string()
  .min(1)
  .describe(
    'an object of the model: its path, or FIELD:PATTERN, as in name:pump 7, id:2O2Fr$t4X7Zf8NOew3FNr2',
  );

export function selectorText(text: string): string {
  return /^[a-z]+:/.test(text) ? text : `path:${text}`;
}

/** An option with its value in one argument, so that no value is taken for an option. */
export function option(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}
