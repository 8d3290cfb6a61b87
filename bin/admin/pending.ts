/** `filestore admin pending …`. */
import type { Command } from 'commander'
import { helpLines } from '../../cli/register/command.ts'
import { CommandError } from '../../terminal/exit.ts'
import { formatSize } from '../../terminal/format.ts'
import { visible } from '../../terminal/visible.ts'
import { answerEach, answerList, type DataFlags, giveOrAsk } from '../answer.ts'
import { addDataCommand } from '../server-command.ts'

const load = async () => ({
  ...(await import('../../src/commands/admin/pending.ts')),
  ...(await import('../../cli/pending-table.ts')),
})

const fileHelp = 'A file is named as id:42, or as user:/path.'

const hashHelp = "With --sha256, of 'list --json', what the owner has put in its place since is not decided on."

interface DecisionFlags extends DataFlags {
  comment?: string
  reason?: string
  sha256?: string
}

const addDecision = (pending: Command, name: string, summary: string): Command =>
  addDataCommand(pending, name, summary)
    .argument('<file...>')
    .option('--sha256 <hash>', 'only if this is its content; for a single file')

async function decideEach(
  names: string[],
  flags: DecisionFlags,
  decision: { status: 'approved' | 'rejected'; comment: string | undefined },
): Promise<void> {
  const { sha256 } = flags
  if (sha256 !== undefined && names.length > 1) throw new CommandError('usage', '--sha256 goes with a single file')
  const { decidePending } = await load()
  await answerEach(
    flags,
    names,
    name => decidePending(flags, name, { ...decision, sha256 }),
    file => `${visible(file.path)} was ${decision.status}: ${formatSize(file.size)}, SHA-256 ${file.sha256}`,
  )
}

export function addPending(admin: Command): void {
  const pending = admin.command('pending').description('approve and reject files that wait')
  addDataCommand(pending, 'list', 'list the files that wait, the oldest first')
    .addHelpText('after', helpLines(['admin pending list']))
    .action(async (flags: DataFlags) => {
      const { listPending, formatPending } = await load()
      await answerList(flags, () => listPending(flags), formatPending, 'No file waits')
    })
  addDecision(pending, 'approve', 'approve files')
    .option('--comment <text>', 'what their owners read')
    .addHelpText('after', helpLines(['admin pending approve ann:/Reports/may.pdf id:43'], fileHelp, hashHelp))
    .action(async (names: string[], flags: DecisionFlags) => {
      await decideEach(names, flags, { status: 'approved', comment: flags.comment })
    })
  addDecision(pending, 'reject', 'reject files')
    .option('--reason <text>', 'what their owners read; asked for where it is not given')
    .addHelpText('after', helpLines(['admin pending reject id:42 --reason "A page is missing"'], fileHelp, hashHelp))
    .action(async (names: string[], flags: DecisionFlags) => {
      const comment = await giveOrAsk(flags.reason, 'Reason', '--reason')
      if (comment.trim() === '') throw new CommandError('usage', 'A rejection needs a reason')
      await decideEach(names, flags, { status: 'rejected', comment })
    })
}
