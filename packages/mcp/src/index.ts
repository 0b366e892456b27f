/** The interface of this package to the command: options and action of `impinge mcp`. */
import type { McpPackage } from '@impinge/cli/internal/command-line/from-mcp.js';

export const { addMcp }: McpPackage = {
  addMcp(command) {
    command
      .argument('[folder]', 'files in this folder may be read, and none elsewhere', '.')
      .option('--write', 'reports and results may be written into it, too; existing files are kept')
      .addHelpText(
        'after',
        `
Answers questions of an agent about models, by the Model Context Protocol over standard input and output: what is in
them, what clashes, why, with a picture; how far things are apart, what is near; whether a body can be moved, or put
somewhere. Agents start it themselves; in most of them it is entered as

  { "mcpServers": { "impinge": { "command": "npx", "args": ["impinge", "mcp", "models/"] } } }

Every question is a process of its own of this command. Reports are kept until the agent leaves, in a folder of the
system for temporary files. More: docs/agents.md.

Examples:
  impinge mcp models/
  impinge mcp models/ --write`,
      )
      .action(async (folder: string, options: { write?: boolean }) => {
        const { Refusal, serve } = await import('./serve.js');
        await serve(folder, options.write === true).catch((error) => {
          if (!(error instanceof Refusal)) throw error;
          command.error(`error: ${error.message}`);
        });
      });
  },
};
