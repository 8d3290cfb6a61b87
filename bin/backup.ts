/** `filestore backup` and `filestore restore`. */
import type { Command } from 'commander'
import { helpLines } from '../cli/register/command.ts'
import type { Backup } from '../src/commands/backup/backup.ts'
import type { Restored } from '../src/commands/backup/restore.ts'
import type { Verification } from '../src/commands/backup/verify.ts'
import { CommandError, exitHelp } from '../terminal/exit.ts'
import { countOf, formatSize } from '../terminal/format.ts'
import { parseCount } from '../terminal/options.ts'
import { printData, printError, printJson, printNotice } from '../terminal/output.ts'
import { visible } from '../terminal/visible.ts'
import type { DataFlags } from './answer.ts'
import { addDataCommand } from './server-command.ts'
import { watch } from './watch.ts'

const table = (lines: readonly (readonly [string, string])[]): string =>
  lines.map(([head, text]) => `${head.padEnd(10)}${text}`).join('\n')

const describeContents = ({ contents, outcomes }: Pick<Backup, 'contents' | 'outcomes'>): string => {
  const ways = { copied: 'copied', reflinked: 'reflinked', linked: 'linked', kept: 'there already' }
  const counts = Object.entries(ways).map(([outcome, way]) => [outcomes[outcome as keyof typeof ways], way] as const)
  const told = counts.filter(([count]) => count > 0).map(([count, way]) => `${count} ${way}`)
  return [`${countOf(contents.count, 'content')} of ${formatSize(contents.bytes)}`, ...told].join(', ')
}

/** Why a backup or a restored server lacks the secret, as the start of an error; undefined if it does not. */
const secretProblems = {
  backup:
    "The server's secret is not in the backup, for it is not there: run this as the service runs, with its data folder or FILESTORE_SECRET_KEY",
  restore:
    "The server's secret is not in the backup, and the server does not start without it: put its secret.key into the data folder, or give it in FILESTORE_SECRET_KEY. If it is lost, 'filestore fsck --repair' accepts a new one",
}

interface Told {
  /** Why the server's secret is missing; undefined if it is not. */
  secret: string | undefined
  /** The end of the message about lost contents; `rows` is the end of the one about damaged rows. */
  contents: string
  rows: string
  /** Other snapshots that are missing or damaged, one sentence each. */
  snapshots: readonly string[]
}

/** Prints what is lost or damaged. Throws `unexpected` if there is any, although all the rest was done. */
function tellDamage(found: Pick<Backup, 'lost' | 'lost_count' | 'problems' | 'problem_count'>, told: Told): void {
  const { lost, lost_count, problems, problem_count } = found
  for (const { file, reason, sha256 } of lost) printError(`${file} ${reason} (SHA-256 ${sha256})`)
  if (lost_count > lost.length) printError(`and ${lost_count - lost.length} more`)
  for (const problem of problems) printError(visible(problem))
  if (problem_count > problems.length) printError(`and ${problem_count - problems.length} more`)
  for (const problem of told.snapshots) printError(visible(problem))
  const sentences = [
    ...(told.secret === undefined ? [] : [told.secret]),
    ...(told.snapshots.length === 0 ? [] : ['Snapshots in the folder are missing or damaged']),
    ...(problem_count === 0 ? [] : [`The database ${told.rows}`]),
    ...(lost_count === 0 ? [] : [`${countOf(lost_count, 'content')} could not be had whole. ${told.contents}`]),
  ]
  if (sentences.length > 0) throw new CommandError('unexpected', sentences.join('. '))
}

function printBackup(backup: Backup): void {
  printData(
    table([
      ['Snapshot', backup.snapshot],
      ['Items', String(backup.items)],
      ['Bytes', describeContents(backup)],
      ...backup.removed.map(name => ['Removed', name] as const),
    ]),
  )
}

interface BackupFlags extends DataFlags {
  keep?: number
  link?: boolean
  replace?: boolean
  verify?: boolean
}

async function runBackup(path: string, flags: BackupFlags): Promise<void> {
  const { runBackup } = await import('../src/commands/backup/backup.ts')
  const { keep, link = false, replace = false } = flags
  const backup = await watch('backup', watched => runBackup(flags, path, { keep, link, replace, ...watched }))
  if (flags.json) printJson(backup)
  else printBackup(backup)
  for (const notice of backup.notices) printNotice(notice)
  if (backup.secret === 'given') {
    printNotice('FILESTORE_SECRET_KEY is not in the backup: keep a copy of it elsewhere')
  }
  tellDamage(backup, {
    secret: backup.secret === 'missing' ? secretProblems.backup : undefined,
    snapshots: backup.earlier,
    contents: 'All the rest is in the backup.',
    rows: "is damaged, and is in the backup as it is: 'filestore fsck' tells more, and an older snapshot may be whole",
  })
}

function printVerification({ contents, snapshots, problems: found }: Verification): void {
  for (const problem of found) printData(visible(problem))
  for (const { snapshot, newer, problems, problem_count } of snapshots) {
    const states = [
      ...(problem_count === 0 ? [] : [countOf(problem_count, 'problem')]),
      ...(newer === null ? [] : ['this version cannot restore it']),
    ]
    printData(`${snapshot}  ${states.join(', ') || 'whole'}`)
    for (const problem of newer === null ? problems : [newer, ...problems]) printData(`  ${visible(problem)}`)
  }
  printNotice(`${countOf(contents.count, 'content')} read, ${formatSize(contents.bytes)}`)
}

/** Throws `unexpected` for damage, and `unreachable`, as `restore` does, for a snapshot of a newer filestore. */
function refuseUnlessWhole({ snapshots, problems, file }: Verification): void {
  const damaged = snapshots.filter(({ problem_count }) => problem_count > 0)
  if (damaged.length > 0) {
    const advice =
      file === null
        ? 'Delete what is damaged from blobs/, and the next backup brings what the server still has'
        : 'Make another backup as long as the server has it all'
    throw new CommandError('unexpected', `${countOf(damaged.length, 'snapshot')} damaged. ${advice}`)
  }
  if (problems.length > 0)
    throw new CommandError('unexpected', 'The list of snapshots is damaged. The next backup writes it anew')
  const newer = snapshots.filter(snapshot => snapshot.newer !== null)
  if (newer.length === 0) return
  const noun = `${countOf(newer.length, 'snapshot')} of a newer filestore`
  throw new CommandError('unreachable', `${noun}: only that version can restore, and check all of the rows`)
}

async function runVerify(path: string, flags: BackupFlags): Promise<void> {
  const { keep, link, replace } = flags
  const flag = keep !== undefined ? '--keep' : link ? '--link' : replace ? '--replace' : undefined
  if (flag !== undefined) throw new CommandError('usage', `--verify changes nothing: leave ${flag} away`)
  const { verifyBackups } = await import('../src/commands/backup/verify.ts')
  const verification = await watch('verify', watched => verifyBackups(flags, path, watched))
  if (flags.json) printJson(verification)
  else printVerification(verification)
  refuseUnlessWhole(verification)
}

const backupHelp = `It runs beside the server and holds up nobody. A folder keeps every snapshot;
what an earlier one has brought is not brought again. A path that ends in .tar is
one file with one backup, whole or not there; unpacked, it is a folder of them.
Contents are copied and held to their SHA-256; where the file system can, copies
share room with the server's files until one of the two changes. --link makes
them the very same files: no room, no time, and what damages one damages both.
For a backup that outlives the disk, take another disk. It holds what passwords
and keys are checked against, and secret.key, with which the server shows the
addresses of links: keep it as safe as the server.`

export function addBackup(program: Command): void {
  addDataCommand(program, 'backup', 'back up rows and files to a folder or file, also while the server runs')
    .helpGroup('Server commands:')
    .argument('<place>', 'a folder of backups, or a file that ends in .tar')
    .option('--keep <n>', 'in the folder, remove all snapshots but the newest n and the last whole one', parseCount)
    .option('--link', "in a folder on the server's own disk, link files instead of copying them")
    .option('--replace', 'let the new file take the place of one that is there')
    .option('--verify', 'only read all that is there, and say whether it is whole')
    .addHelpText(
      'after',
      helpLines(
        [
          'backup /mnt/backup/filestore --keep 14',
          'backup --verify /mnt/backup/filestore',
          'backup /mnt/backup/2026-05-31.tar',
        ],
        backupHelp,
      ),
    )
    .addHelpText('after', `\n${exitHelp}`)
    .action((path: string, flags: BackupFlags) => (flags.verify ? runVerify(path, flags) : runBackup(path, flags)))
}

const restoreHelp = `It restores to --data-dir, --database and --storage, which must hold nothing, or
what a restore left that was cut: that is taken up again. A snapshot of SQLite
may go to MariaDB, and the other way round. Users, keys and settings are as they
were; everybody signs in anew. Links that were ended since the backup work again,
unless --pause-links pauses all. secret.key comes into the data folder; another
one there is never replaced. A file is read to its end first: where anything
in it is damaged, nothing is restored.`

interface RestoreFlags extends DataFlags {
  snapshot?: string
  pauseLinks?: boolean
}

function printRestored(restored: Restored, { dataDir }: RestoreFlags): void {
  printData(
    table([
      ['Snapshot', restored.snapshot],
      ['Users', String(restored.users)],
      ['Items', String(restored.items)],
      ['Bytes', describeContents(restored)],
    ]),
  )
  const { active, paused } = restored.links
  if (paused > 0) printNotice(`${countOf(paused, 'link')} paused: who made a link lets it work again`)
  if (active > 0) {
    printNotice(
      `${countOf(active, 'link')} may work, also those ended or paused since this backup: --pause-links pauses all`,
    )
  }
  if (restored.secret_given && restored.secret === 'missing') {
    printNotice('The secret is not in the backup: start the server with the same FILESTORE_SECRET_KEY as before')
  }
  const where = dataDir === undefined ? '' : ` --data-dir ${dataDir}`
  printNotice(`Start it with the same options: filestore serve${where} …`)
}

export function addRestore(program: Command): void {
  addDataCommand(program, 'restore', 'make the server of a backup again, where nothing is yet')
    .helpGroup('Server commands:')
    .argument('<place>', 'a folder of backups, or a file that ends in .tar')
    .option('--snapshot <time>', 'of a folder, the beginning of its name (default: the newest)')
    .option('--pause-links', 'pause all links, for some may have been ended since the backup')
    .addHelpText(
      'after',
      helpLines(
        [
          'restore /mnt/backup/filestore --data-dir /srv/filestore',
          'restore /mnt/backup/filestore --snapshot 2026-05-31',
          'restore 2026-05-31.tar --data-dir /srv/filestore',
        ],
        restoreHelp,
      ),
    )
    .addHelpText('after', `\n${exitHelp}`)
    .action(async (path: string, flags: RestoreFlags) => {
      const { runRestore } = await import('../src/commands/backup/restore.ts')
      const { snapshot, pauseLinks = false } = flags
      const restored = await watch('restore', watched => runRestore(flags, path, { snapshot, pauseLinks, ...watched }))
      if (flags.json) printJson(restored)
      else printRestored(restored, flags)
      tellDamage(restored, {
        secret: restored.secret === 'missing' && !restored.secret_given ? secretProblems.restore : undefined,
        snapshots: [
          ...restored.missing.map(name => `snapshot ${name}, which is newer, is missing in the folder`),
          ...restored.list_problems,
        ],
        contents: 'All the rest is restored; an older snapshot may still have them.',
        rows: "was damaged when it was backed up. All the rest is restored: 'filestore fsck' tells what is lost or can be mended, and an older snapshot may be whole",
      })
    })
}
