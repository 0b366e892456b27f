/** `impinge mcp`, which is in a package of its own: the help lists it, and it is loaded when it is called. */
import type { Command } from 'commander';
import { optionalPackage } from '../optional-package.js';
import type { AddCommand } from './shell.js';

export interface McpPackage {
  addMcp(command: Command): void;
}

export const addMcp: AddCommand = async (program, { command: called }) => {
  const command = program
    .command('mcp')
    .description('Answer questions of an agent (Model Context Protocol).');
  if (called !== 'mcp') return;
  (await optionalPackage<McpPackage>('"impinge mcp"', '@impinge/mcp')).addMcp(command);
};
