/** All tools, in the order of their buttons. */
import { measureTool } from './measure-tool.js';
import { moveTool } from './move-tool.js';
import { pathTool } from './path-tool.js';
import { planTool } from './plan-tool.js';
import { sectionTool } from './section-tool.js';
import type { ToolEntry } from './tool.js';

export const TOOLS = {
  section: sectionTool,
  plan: planTool,
  measure: measureTool,
  move: moveTool,
  path: pathTool,
} as const satisfies Record<string, ToolEntry>;

export type ToolName = keyof typeof TOOLS;
export const TOOL_NAMES = Object.keys(TOOLS) as readonly ToolName[];
