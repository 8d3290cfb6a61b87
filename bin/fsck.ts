/** `filestore fsck`: checks that everything that was stored is still there, and unchanged. */
import type { Command } from 'commander'
import { helpLines } from '../cli/register/command.ts'
import { CommandError, exitHelp, fsckExitHelp } from '../terminal/exit.ts'
import { runInterruptibly } from '../terminal/interrupt.ts'
import type { DataFlags } from './answer.ts'
import { parseRate } from './rate.ts'
import { addDataCommand } from './server-command.ts'

interface FsckFlags extends DataFlags {
  hash?: boolean
  acceptLost?: boolean
  orphans?: boolean
  repair?: boolean
  restart?: boolean
  rate?: number
}

const help = `Reads every row and looks for its bytes, also while the server runs, and changes
nothing without --repair. That puts counters right, brings back to the root what
no folder holds, and moves bytes that nobody needs to quarantine. It never
deletes bytes, and repairs nothing where most of the store has no row: then the
store is another database's. An interrupted run with --hash is gone on with by
the next one.`

function refuseAlone({ hash, rate, restart, repair, orphans, acceptLost }: FsckFlags): void {
  const flag = rate !== undefined ? '--rate' : restart ? '--restart' : undefined
  if (!hash && flag !== undefined) throw new CommandError('usage', `${flag} is for --hash: give both`)
  const repairFlag = orphans ? '--orphans' : acceptLost ? '--accept-lost' : undefined
  if (!repair && repairFlag !== undefined) {
    throw new CommandError('usage', `${repairFlag} is for --repair: give both`)
  }
}

export function addFsck(program: Command): void {
  addDataCommand(program, 'fsck', 'check that all that was stored is there, and repair what can be')
    .helpGroup('Server commands:')
    .option('--hash', 'read all bytes, and compare their SHA-256')
    .option('--rate <size>', 'hash at most so much in a second, such as 50MB', parseRate)
    .option('--restart', 'hash all from the beginning, whatever an interrupted run has done')
    .option('--repair', 'mend what can be mended')
    .option('--orphans', "repair a store that seems another database's, too: what has no row goes to quarantine")
    .option('--accept-lost', 'give up the files and folders that only counts tell of: storages are counted anew')
    .addHelpText(
      'after',
      helpLines(['fsck', 'fsck --hash --rate 50MB', 'fsck --repair --data-dir /srv/filestore'], help),
    )
    .addHelpText('after', `\n${exitHelp}\n${fsckExitHelp}`)
    .action(async (flags: FsckFlags) => {
      refuseAlone(flags)
      const { runFsck } = await import('../src/commands/fsck/fsck.ts')
      const { openReport } = await import('./fsck-report.ts')
      const {
        hash = false,
        repair = false,
        orphans = false,
        acceptLost = false,
        restart = false,
        rate = null,
        json,
      } = flags
      const report = await openReport(json === true)
      const options = { hash, repair, orphans, acceptLost, restart, rate }
      const summary = await runInterruptibly(signal => runFsck(flags, options, signal, report.listener)).catch(
        error => {
          report.breakOff()
          throw error
        },
      )
      report.end(summary, repair)
    })
}
