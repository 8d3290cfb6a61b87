/** `filestore admin pending …`. */
import type { Command } from 'commander'
import { CommandError } from '../../cli/exit.ts'
import { helpLines } from '../../cli/register/command.ts'
import { visible } from '../../cli/visible.ts'
import { answer, answerList, type DataFlags, giveOrAsk } from '../answer.ts'
import { addDataCommand } from '../server-command.ts'

const load = async () => ({
  ...(await import('../../src/commands/admin/pending.ts')),
  ...(await import('../../cli/pending-table.ts')),
})

const fileHelp = 'A file is named as id:42, or as user:/path.'

export function addPending(admin: Command): void {
  const pending = admin.command('pending').description('approve and reject files that wait')
  addDataCommand(pending, 'list', 'list the files that wait, the oldest first')
    .addHelpText('after', helpLines(['admin pending list']))
    .action(async (flags: DataFlags) => {
      const { listPending, formatPending } = await load()
      await answerList(flags, () => listPending(flags), formatPending, 'No file waits')
    })
  addDataCommand(pending, 'approve', 'approve a file')
    .argument('<file>')
    .option('--comment <text>', 'what its owner reads')
    .addHelpText('after', helpLines(['admin pending approve ann:/Reports/may.pdf'], fileHelp))
    .action(async (name: string, flags: DataFlags & { comment?: string }) => {
      const { decidePending } = await load()
      await answer(
        flags,
        () => decidePending(flags, name, { status: 'approved', comment: flags.comment }),
        file => `${visible(file.path)} was approved`,
      )
    })
  addDataCommand(pending, 'reject', 'reject a file')
    .argument('<file>')
    .option('--reason <text>', 'what its owner reads')
    .addHelpText('after', helpLines(['admin pending reject id:42 --reason "A page is missing"'], fileHelp))
    .action(async (name: string, flags: DataFlags & { reason?: string }) => {
      const { decidePending } = await load()
      const comment = await giveOrAsk(flags.reason, 'Reason', '--reason')
      if (comment.trim() === '') throw new CommandError('usage', 'A rejection needs a reason')
      await answer(
        flags,
        () => decidePending(flags, name, { status: 'rejected', comment }),
        file => `${visible(file.path)} was rejected`,
      )
    })
}
