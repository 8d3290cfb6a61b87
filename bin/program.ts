/** The command tree. A command's modules are loaded when it is called, so that help and the client start quickly. */
import { Command, CommanderError } from 'commander'
import { helpLines } from '../cli/register/command.ts'
import { registerClient } from '../cli/register.ts'
import { type ProcessContext, processContext, runInContext } from '../src/base/process-context.ts'
import { keepHeapSmall } from '../src/commands/heap-growth.ts'
import { type Flags, serveOptions, storageOptions } from '../src/config-options.ts'
import { version } from '../src/version.ts'
import { exitCodeOf, exitHelp } from '../terminal/exit.ts'
import { dataStream, messageStream, printError } from '../terminal/output.ts'
import { visible } from '../terminal/visible.ts'
import { addAdmin } from './admin.ts'
import { addBackup, addRestore } from './backup.ts'
import { addFsck } from './fsck.ts'
import { addMigrate } from './migrate.ts'
import { sentenceOf } from './name-fields.ts'
import { addServerCommand } from './server-command.ts'
import { addStorage } from './storage.ts'
import { addExport, addImport } from './transfer.ts'

const serveExamples = ['serve --data-dir /srv/filestore --port 8080', 'serve --demo --data-dir demo-data']
const serveHelp = 'SIGTERM or Ctrl-C lets running requests finish; a second one ends them.'

function addServe(program: Command): void {
  addServerCommand(program, 'serve', 'run the server', [...storageOptions, ...serveOptions])
    .helpGroup('Server commands:')
    .addHelpText('after', helpLines(serveExamples, serveHelp))
    .addHelpText('after', `\n${exitHelp}`)
    .action(async (flags: Flags) => {
      keepHeapSmall()
      const { stdout, stderr } = processContext()
      // A full disk, or a reader that closed the pipe, must not stop the server.
      for (const output of [stdout, stderr]) output.on('error', () => undefined)
      const { serve } = await import('../src/commands/serve.ts')
      await serve(flags, { print: line => console.log(line), isInteractive: stdout.isTTY })
    })
}

/** Makes commander and its sub-commands throw instead of exiting, so that one place decides on the exit code. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride()
  for (const child of command.commands) throwInsteadOfExit(child)
}

/** The width of the help, in columns. */
const helpWidthOn = ({ isTTY, columns }: NodeJS.WriteStream): number => (isTTY ? columns : 80)

function createProgram(): Command {
  const program = new Command('filestore')
    .description('Self-hosted file storage: the server, its administration, and a client for the terminal.')
    .version(version)
    .showHelpAfterError('Run with --help for the options.')
    .configureOutput({
      writeOut: text => dataStream().write(text),
      writeErr: text => messageStream().write(text),
      // Commander's errors repeat the arguments, which a script may have taken from an untrusted source.
      outputError: (text, write) => write(text.split('\n').map(visible).join('\n')),
      getOutHelpWidth: () => helpWidthOn(processContext().stdout),
      getErrHelpWidth: () => helpWidthOn(processContext().stderr),
    })
  addServe(program)
  addMigrate(program)
  addFsck(program)
  addAdmin(program)
  addBackup(program)
  addRestore(program)
  addExport(program)
  addImport(program)
  addStorage(program)
  registerClient(program)
  throwInsteadOfExit(program)
  return program
}

async function run(args: readonly string[], context: ProcessContext): Promise<void> {
  const program = createProgram()
  let running: Command | undefined
  program.hook('preAction', (_program, command) => {
    running = command
  })
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    // Commander has already printed its own errors, and the help.
    if (!(error instanceof CommanderError)) printError(sentenceOf(error, running))
    context.exitCode = exitCodeOf(error)
  }
}

/** Runs one command line, given without the program's name, and sets the context's exit code. Never throws. */
export const runProgram = (args: readonly string[], context: ProcessContext): Promise<void> =>
  runInContext(context, () => run(args, context))
