/** The command tree. What a command needs is loaded when it is called, so that help and the client start quickly. */
import { Command, CommanderError, Option } from 'commander'
import { CommandError, exitCodeOf } from '../cli/exit.ts'
import { runInterruptibly } from '../cli/interrupt.ts'
import { printData, printError } from '../cli/output.ts'
import { ask, readSecret } from '../cli/prompt.ts'
import { registerClient } from '../cli/register.ts'
import { type Flags, type ServerOption, serveOptions, storageOptions } from '../src/config.ts'
import { version } from '../src/version.ts'

function addServerCommand(parent: Command, name: string, summary: string, options: readonly ServerOption[]): Command {
  const command = parent.command(name).description(summary)
  for (const { flags, description, env, default: value } of options) {
    // Only for the help: config.ts reads flag and environment itself.
    command.addOption(new Option(flags, `${description} (default: ${value}; ${env})`))
  }
  return command
}

function addServe(program: Command): void {
  addServerCommand(program, 'serve', 'run the server', [...storageOptions, ...serveOptions])
    .helpGroup('Server commands:')
    .action(async (flags: Flags) => {
      const { serve } = await import('../src/commands/serve.ts')
      await serve(flags, { print: line => console.log(line), isInteractive: process.stdout.isTTY })
    })
}

function addMigrate(program: Command): void {
  const migrate = program.command('migrate').description("change the database's tables").helpGroup('Server commands:')
  const load = () => import('../src/commands/migrate.ts')
  addServerCommand(migrate, 'up', 'run every migration that is still to be run', storageOptions).action(
    async (flags: Flags) => printData((await (await load()).runMigrateUp(flags)).join('\n')),
  )
  addServerCommand(migrate, 'down', 'take the last migrations back, with their data', storageOptions)
    .argument('[count]', 'how many', '1')
    .action(async (count: string, flags: Flags) =>
      printData((await (await load()).runMigrateDown(count, flags)).join('\n')),
    )
  addServerCommand(migrate, 'status', 'list the migrations', storageOptions).action(async (flags: Flags) =>
    printData((await (await load()).runMigrateStatus(flags)).join('\n')),
  )
}

interface CreateFlags extends Flags {
  username?: string
  email?: string
  fullName?: string
  passwordStdin?: boolean
}

/** The new password: from stdin, or asked for twice. */
async function askPassword(fromStdin: boolean, signal: AbortSignal): Promise<string> {
  if (fromStdin) return readSecret()
  const password = await ask('Password: ', '--password-stdin', signal, true)
  if (password !== (await ask('Once more: ', '--password-stdin', signal, true))) {
    throw new CommandError('usage', 'The two passwords differ')
  }
  return password
}

function addAdmin(program: Command): void {
  const admin = program.command('admin').description('administer the server').helpGroup('Server commands:')
  addServerCommand(admin, 'create', 'make one more administrator', storageOptions)
    .option('--username <name>', 'name to sign in with')
    .option('--email <address>', 'email address')
    .option('--full-name <name>', 'name to show')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (flags: CreateFlags) => {
      const { createAdmin } = await import('../src/commands/admin-create.ts')
      const input = await runInterruptibly(async signal => ({
        username: flags.username ?? (await ask('Username: ', '--username', signal)),
        email: flags.email ?? (await ask('Email: ', '--email', signal)),
        password: await askPassword(flags.passwordStdin ?? false, signal),
      }))
      const name = await createAdmin(flags, { ...input, fullName: flags.fullName ?? null })
      printData(`Administrator ${name} was created`)
    })
}

/** Commander throws instead of exiting, so that one place decides on the exit code; so do its sub-commands. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride()
  for (const child of command.commands) throwInsteadOfExit(child)
}

const program = new Command('filestore')
  .description('Self-hosted file storage: the server, its administration, and a client for the terminal.')
  .version(version)
  .showHelpAfterError('Run with --help for the options.')
addServe(program)
addMigrate(program)
addAdmin(program)
registerClient(program)
throwInsteadOfExit(program)

try {
  await program.parseAsync()
} catch (error) {
  // Commander has printed its own errors, and help.
  if (!(error instanceof CommanderError)) printError(error instanceof Error ? error.message : String(error))
  process.exitCode = exitCodeOf(error)
}
