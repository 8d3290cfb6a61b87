/** The client's part of the command tree. Each command's code is loaded when it is called, so that help is quick. */
import { type Command, Option } from 'commander'
import type { ConflictRule, SortKey } from '../src/api/files.ts'
import type { DownloadOptions } from './commands/download.ts'
import type { LoginOptions } from './commands/login.ts'
import type { LogoutOptions } from './commands/logout.ts'
import type { LsOptions } from './commands/ls.ts'
import type { UploadOptions } from './commands/upload.ts'
import type { WhoamiOptions } from './commands/whoami.ts'

// Written out here because loading the contract's schemas takes longer than all of help.
const sorts = ['name', 'date', 'size', 'type'] as const satisfies readonly SortKey[]
const conflictRules = ['rename', 'fail', 'replace'] as const satisfies readonly ConflictRule[]

const pathHelp = "A path on the server looks like /Docs/a.pdf, or id:42; '/' is the root."

function addCommand(program: Command, name: string, summary: string): Command {
  return program
    .command(name)
    .description(summary)
    .helpGroup('Client commands:')
    .option('--profile <name>', 'which stored sign-in to use (default: "default")')
    .option('--json', 'print one JSON document')
}

function addAccountCommands(program: Command): void {
  addCommand(program, 'login', 'sign in to a server and store a key for this machine')
    .argument('[url]', 'address of the server')
    .option('--username <name>', 'sign in as this user')
    .option('--password-stdin', 'read the password from standard input')
    .option('--key-id <id>', 'use this API key instead of a password')
    .option('--secret-stdin', "read the key's secret from standard input")
    .action(async (url: string | undefined, options: LoginOptions) => {
      await (await import('./commands/login.ts')).logIn(url, options)
    })
  addCommand(program, 'logout', "delete this machine's key and forget the sign-in").action(
    async (options: LogoutOptions) => {
      await (await import('./commands/logout.ts')).logOut(options)
    },
  )
  addCommand(program, 'whoami', 'show the account in use').action(async (options: WhoamiOptions) => {
    await (await import('./commands/whoami.ts')).showWhoami(options)
  })
}

function addFileCommands(program: Command): void {
  addCommand(program, 'ls', 'list a folder')
    .argument('[path]', 'folder or file on the server', '/')
    .option('-l, --long', 'show ids and kinds too')
    .addOption(new Option('--sort <key>', 'order of the entries').choices(sorts).default('name'))
    .option('--reverse', 'in descending order')
    .addHelpText('after', `\n${pathHelp}`)
    .action(async (path: string, options: LsOptions) => {
      await (await import('./commands/ls.ts')).list(path, options)
    })
  addCommand(program, 'upload', 'upload files, and folders with all that is in them')
    .argument('<local...>', "files or folders on this machine; '-' is standard input")
    .option('--to <folder>', 'folder on the server, which must exist', '/')
    .option('--name <name>', 'name on the server, for a single file or folder')
    .addOption(new Option('--on-conflict <rule>', 'when a name is taken').choices(conflictRules).default('rename'))
    .addHelpText('after', `\n${pathHelp}`)
    .action(async (paths: string[], options: UploadOptions) => {
      await (await import('./commands/upload.ts')).upload(paths, options)
    })
  addCommand(program, 'download', 'download files')
    .usage('[options] <remote...> [local]')
    .argument('<paths...>', "files on the server, then a local file or folder ('-' is standard output)")
    .addHelpText(
      'after',
      `\n${pathHelp}\nOf two or more paths the last is the local one; a single file comes into\nthe current folder.`,
    )
    .action(async (paths: string[], options: DownloadOptions) => {
      await (await import('./commands/download.ts')).download(paths, options)
    })
}

/** Adds the commands that talk to a server to the program's tree. */
export function registerClient(program: Command): void {
  addAccountCommands(program)
  addFileCommands(program)
}
