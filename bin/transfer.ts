/** `filestore export` and `filestore import`: copy whole trees between users' files and this machine's disk. */
import { type Command, Option } from 'commander'
import { helpLines } from '../cli/register/command.ts'
import { reachPath } from '../src/base/process-context.ts'
import type { AdoptionMode } from '../src/commands/transfer/adopt-bytes.ts'
import type { Imported } from '../src/commands/transfer/adopt-entries.ts'
import type { Exported } from '../src/commands/transfer/export.ts'
import type { Failure } from '../src/commands/transfer/failures.ts'
import { CommandError, exitHelp, exitOf } from '../terminal/exit.ts'
import { countOf, formatSize, thereAlready } from '../terminal/format.ts'
import { runInterruptibly } from '../terminal/interrupt.ts'
import { printError } from '../terminal/output.ts'
import { visible } from '../terminal/visible.ts'
import { answer, type DataFlags } from './answer.ts'
import { addDataCommand } from './server-command.ts'

// Listed here because loading the modules that use them takes longer than printing all of the help.
const modes = ['copy', 'reflink', 'link'] as const satisfies readonly AdoptionMode[]

const exportHelp = `Each user and each team folder gets a folder: in files/ the tree without the
trash, as it is while it is read, and in details.json tags, metadata, favorites
and decisions. Called again it writes what has changed, and deletes nothing but
half files of a run that was killed. 'filestore import' takes each of them.`

const importHelp = `What is there already under its name with the same content is left alone, so an
import that was cut goes on when it is called again; a name that is another
file's is an error of that file. Neither the size limit nor approval counts, but
the quota does. Links and names that are not UTF-8 are errors, half files of a
killed export are left out. All else goes on.

Modes:
  copy     the bytes are copied
  reflink  they share blocks until one changes (Btrfs, XFS; one file system)
  link     it is the very same file: nothing may ever change it any more
Where the file system cannot do it, the import says so and ends.`

const examples = {
  export: ['export /mnt/usb', 'export /srv/handover --user ann'],
  import: ['import /home/ann/Documents --user ann', 'import /srv/photos --user ann --to /Photos --mode link'],
}

/**
 * Runs an act on many items. Each failure is printed as it comes; `finish` throws `CommandError` with the exit of the
 * first failure, if there was one.
 */
async function runOnTree<Result>(act: (report: (failure: Failure) => void, signal: AbortSignal) => Promise<Result>) {
  const failures: Failure[] = []
  const report = (failure: Failure) => {
    failures.push(failure)
    printError(`${visible(failure.path)}: ${failure.error.message}`)
  }
  const result = await runInterruptibly(signal => act(report, signal))
  const finish = () => {
    const [first] = failures
    if (first !== undefined) throw new CommandError(exitOf(first.error), `${countOf(failures.length, 'item')} failed`)
  }
  return { result, finish }
}

const formatExported = (list: readonly Exported[]): string =>
  list
    .map(({ username, team, folder, files, folders, bytes, unchanged }) => {
      const counts = `${countOf(files, 'file')} and ${countOf(folders, 'folder')} in ${visible(folder)}`
      const written = unchanged === 0 ? formatSize(bytes) : `${formatSize(bytes)} written; ${thereAlready(unchanged)}`
      const name = username === null ? `team folder ${team}` : username
      return `${visible(name)}: ${counts} (${written})`
    })
    .join('\n')

function formatImported({ files, folders, bytes, unchanged }: Imported, isDry: boolean): string {
  const counts = `${countOf(files, 'file')} (${formatSize(bytes)}) and ${countOf(folders, 'folder')}`
  const skipped = unchanged === 0 ? '' : `; ${thereAlready(unchanged)}`
  return `${isDry ? 'Would import' : 'Imported'} ${counts}${skipped}`
}

export function addExport(program: Command): void {
  addDataCommand(program, 'export', "write users' files and team folders to a folder, as plain trees")
    .helpGroup('Server commands:')
    .argument('<folder>', 'empty, or with an earlier export')
    .option('--user <name>', 'only this one; as id:7, too')
    .addHelpText('after', helpLines(examples.export, exportHelp))
    .addHelpText('after', `\n${exitHelp}`)
    .action(async (folder: string, flags: DataFlags & { user?: string }) => {
      const { exportTrees } = await import('../src/commands/transfer/export.ts')
      const { result, finish } = await runOnTree((report, signal) =>
        exportTrees(flags, reachPath(folder), { user: flags.user, report, signal }),
      )
      await answer(flags, async () => result, formatExported)
      finish()
    })
}

interface ImportFlags extends DataFlags {
  user: string
  to: string
  mode: AdoptionMode
  dryRun?: boolean
}

export function addImport(program: Command): void {
  addDataCommand(program, 'import', "take a folder of this machine into a user's files")
    .helpGroup('Server commands:')
    .argument('<folder>', "any, or a user's in an export")
    .requiredOption('--user <name>', 'whose files they become; as id:7, too')
    .option('--to <folder>', "folder among the user's, which must exist", '/')
    .addOption(new Option('--mode <mode>', 'how the bytes come in').choices(modes).default('copy'))
    .option('-n, --dry-run', 'say what would be done, and do nothing')
    .addHelpText('after', helpLines(examples.import, importHelp))
    .addHelpText('after', `\n${exitHelp}`)
    .action(async (folder: string, flags: ImportFlags) => {
      const { importTree } = await import('../src/commands/transfer/import.ts')
      const { user, to, mode, dryRun: isDry = false } = flags
      const { result, finish } = await runOnTree((report, signal) =>
        importTree(flags, reachPath(folder), { user, to, mode, isDry, report, signal }),
      )
      await answer(
        flags,
        async () => result,
        counts => formatImported(counts, isDry),
      )
      finish()
    })
}
