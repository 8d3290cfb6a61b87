/** The upload and download commands. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ConflictRule } from '../../src/api/files.ts'
import { addToList } from '../../terminal/options.ts'
import type { DownloadOptions } from '../commands/download.ts'
import type { UploadOptions } from '../commands/upload.ts'
import { addCommand, pathHelp } from './command.ts'

// Listed here because loading the contract's schemas takes longer than printing all of the help.
const conflictRules = ['rename', 'fail', 'replace'] as const satisfies readonly ConflictRule[]

/**
 * Small files mostly wait for responses, so many at once help; the server allows a device key 16 requests at a time.
 */
const mostAtOnce = 16

function readConcurrency(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= mostAtOnce) return count
  throw new InvalidArgumentError(`Use a whole number from 1 to ${mostAtOnce}.`)
}

const concurrencyOption = (): Option =>
  new Option('--concurrency <count>', 'how many files are on their way at once').argParser(readConcurrency).default(6)

const linkHelp = 'A link needs no sign-in: give its whole address.'

export function addTransferCommands(program: Command): void {
  addCommand(program, 'upload', 'upload files, and folders with all that is in them')
    .argument('[local...]', "files or folders on this machine; '-' is standard input")
    .option('--to <folder>', 'folder on the server, which must exist, or the address of a link', '/')
    .option('--name <name>', 'name on the server, for a single file or folder')
    .addOption(new Option('--on-conflict <rule>', 'when a name is taken').choices(conflictRules).default('rename'))
    .option('-m, --metadata <name=value>', 'value of a metadata field for each file; may be repeated', addToList)
    .option('--sender <name>', 'your name, for a link that asks for it')
    .option('--password-stdin', 'read the password of a link from standard input')
    .addOption(concurrencyOption())
    .option('-n, --dry-run', 'say what would be done, and do nothing')
    .option('--discard', 'drop uploads that broke off: those with the given ids, or all')
    .option('--yes', 'do not ask before all are dropped')
    .addHelpText(
      'after',
      `\n${pathHelp}\nWhat is there already under its name, with the very same bytes, is not sent again.\nA large file goes on where an upload of it broke off.\n${linkHelp}\n
Examples:
  filestore upload report.pdf --to /Reports
  filestore upload Photos --to @Accounts/2026 --on-conflict replace
  mysqldump shop | filestore upload - --name shop.sql --to /Backups
  filestore upload essay.pdf --to https://files.example.org/s/… --sender Anna`,
    )
    .action(async (paths: string[], options: UploadOptions) => {
      await (await import('../commands/upload.ts')).upload(paths, options)
    })
  addCommand(program, 'download', 'download files, and folders with all that is in them')
    .usage('[options] <remote...> [local]')
    .argument('<paths...>', "files or folders on the server, or a link, then a local place ('-': standard output)")
    .option('--zip', 'as one ZIP file')
    .option('--password-stdin', 'read the password of a link from standard input')
    .addOption(concurrencyOption())
    .addHelpText(
      'after',
      `\n${pathHelp}\nOf two or more paths the last is the local one; a single item comes into\nthe current folder.\n${linkHelp}\n
Examples:
  filestore download /Reports/may.pdf
  filestore download /Photos /Music backup/
  filestore download --zip /Photos - | ssh nas 'cat > photos.zip'
  filestore download https://files.example.org/s/… photos`,
    )
    .action(async (paths: string[], options: DownloadOptions) => {
      await (await import('../commands/download.ts')).download(paths, options)
    })
}
