/** `filestore storage`: brings the files' bytes from one store to another. */
import type { Command } from 'commander'
import { helpLines } from '../cli/register/command.ts'
import type { Moved } from '../src/commands/storage/move.ts'
import { CommandError, exitHelp } from '../terminal/exit.ts'
import { countOf, formatSize } from '../terminal/format.ts'
import { printError } from '../terminal/output.ts'
import { answer, type DataFlags } from './answer.ts'
import { parseRate } from './rate.ts'
import { addDataCommand } from './server-command.ts'
import { watch } from './watch.ts'

const help = `Restart all servers with both options first: they read from both stores then, and
write to --storage. This runs beside them. Each file's bytes are compared with
their SHA-256 on the way, and leave the old store once they are durable in the
new one. What is damaged is named and stays. An interrupted run is gone on with
by the next. When it ends with 0, restart the servers without --storage-from.`

const moveExitHelp = `Of this command alone:
  10   something is left in the old store: run it again
  11   something is damaged in the old store`

interface MoveFlags extends DataFlags {
  rate?: number
  verify?: boolean
  keep?: boolean
}

function format({ moved, bytes, there, damaged, unnamed }: Moved): string {
  const parts = [
    `${countOf(moved, 'content')} of ${formatSize(bytes)} moved`,
    there > 0 && `${there.toLocaleString('en-US')} there already`,
    damaged > 0 && `${damaged.toLocaleString('en-US')} damaged`,
    unnamed > 0 && `${unnamed.toLocaleString('en-US')} without a file left`,
  ]
  return parts.filter(part => part !== false).join(', ')
}

/** Throws `CommandError` with the result's exit, unless all has moved. */
function refuseUnfinished({ damaged, unnamed }: Moved): void {
  if (damaged > 0) {
    const advice = "'filestore fsck --hash' names the files; a backup, or another upload, brings them back"
    throw new CommandError('lost', `${countOf(damaged, 'content')} damaged: ${advice}`)
  }
  if (unnamed === 0) return
  const advice = 'uploads under way become files, and the server sweeps the rest after a day'
  throw new CommandError(
    'repairable',
    `${countOf(unnamed, 'content')} left in the old store: ${advice}; run this again`,
  )
}

export function addStorage(program: Command): void {
  const storage = program
    .command('storage')
    .description("move the files' bytes to another store")
    .helpGroup('Server commands:')
  addDataCommand(storage, 'move', 'bring all bytes from --storage-from to --storage')
    .option('--rate <size>', 'move at most so much in a second, such as 50MB', parseRate)
    .option('--verify', 'read everything back before it leaves the old store')
    .option('--keep', 'leave everything in the old store, too')
    .addHelpText(
      'after',
      helpLines(
        [
          'storage move --storage-from ./filestore-data/storage --storage s3://bucket',
          'storage move --rate 50MB --verify',
        ],
        help,
      ),
    )
    .addHelpText('after', `\n${exitHelp}\n${moveExitHelp}`)
    .action(async (flags: MoveFlags) => {
      const { rate = null, verify = false, keep = false } = flags
      const { moveStorage } = await import('../src/commands/storage/move.ts')
      const moved = await watch('Moving', ({ signal, onBytes, clear }) => {
        const onDamaged = (name: string, detail: string) => {
          clear()
          printError(`${name} ${detail}`)
        }
        return moveStorage(flags, { rate, verify, keep }, signal, { onBytes, onDamaged })
      })
      await answer(flags, async () => moved, format)
      refuseUnfinished(moved)
    })
}
