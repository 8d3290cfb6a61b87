/** The command tree. What a command needs is loaded when it is called, so that help and the client start quickly. */
import { Command, CommanderError } from 'commander'
import { exitCodeOf, exitHelp } from '../cli/exit.ts'
import { dataStream, messageStream, printError } from '../cli/output.ts'
import { helpLines } from '../cli/register/command.ts'
import { registerClient } from '../cli/register.ts'
import { visible } from '../cli/visible.ts'
import { holdYoungSpace } from '../src/commands/young-space.ts'
import { type Flags, serveOptions, storageOptions } from '../src/config.ts'
import { version } from '../src/version.ts'
import { addAdmin } from './admin.ts'
import { addBackup, addRestore } from './backup.ts'
import { addFsck } from './fsck.ts'
import { addMigrate } from './migrate.ts'
import { sentenceOf } from './name-fields.ts'
import { addServerCommand } from './server-command.ts'
import { addExport, addImport } from './tree.ts'

const serveExamples = ['serve --data-dir /srv/filestore --port 8080', 'serve --demo --data-dir demo-data']
const serveHelp = 'SIGTERM or Ctrl-C lets running requests finish; a second one ends them.'

function addServe(program: Command): void {
  addServerCommand(program, 'serve', 'run the server', [...storageOptions, ...serveOptions])
    .helpGroup('Server commands:')
    .addHelpText('after', helpLines(serveExamples, serveHelp))
    .addHelpText('after', `\n${exitHelp}`)
    .action(async (flags: Flags) => {
      holdYoungSpace()
      const { serve } = await import('../src/commands/serve.ts')
      await serve(flags, { print: line => console.log(line), isInteractive: process.stdout.isTTY })
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
  .configureOutput({
    writeOut: text => dataStream().write(text),
    writeErr: text => messageStream().write(text),
    // Its errors repeat what was typed, or what a script took from elsewhere.
    outputError: (text, write) => write(text.split('\n').map(visible).join('\n')),
  })
addServe(program)
addMigrate(program)
addFsck(program)
addAdmin(program)
addBackup(program)
addRestore(program)
addExport(program)
addImport(program)
registerClient(program)
throwInsteadOfExit(program)
let running: Command | undefined
program.hook('preAction', (_program, command) => {
  running = command
})

try {
  await program.parseAsync()
} catch (error) {
  // Commander has printed its own errors, and help.
  if (!(error instanceof CommanderError)) printError(sentenceOf(error, running))
  process.exitCode = exitCodeOf(error)
}
