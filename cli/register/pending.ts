/** Commands for files that wait for approval. */
import type { Command } from 'commander'
import type { DecideOptions, PendingOptions } from '../commands/pending.ts'
import { addCommand, addGroup, helpLines } from './command.ts'

const fileHelp = 'A file is named by its id as id:42, by its path, or as owner:path.'

export function addPendingCommands(program: Command): void {
  const pending = addGroup(program, 'pending', 'approve or reject files that wait for it', [
    'pending ls',
    'pending approve id:42',
  ])
  const load = () => import('../commands/pending.ts')
  addCommand(pending, 'ls', 'list the files that wait, the oldest first')
    .addHelpText('after', helpLines(['pending ls']))
    .action(async (options: PendingOptions) => {
      await (await load()).listWaiting(options)
    })
  addCommand(pending, 'approve', 'approve files')
    .argument('<file...>', 'files that wait')
    .addHelpText('after', helpLines(['pending approve id:42 anna:/Docs/a.pdf'], fileHelp))
    .action(async (names: string[], options: DecideOptions) => {
      await (await load()).decide(names, 'approved', options)
    })
  addCommand(pending, 'reject', 'reject files')
    .argument('<file...>', 'files that wait')
    .requiredOption('--reason <text>', 'why, for the owner to read')
    .addHelpText('after', helpLines(["pending reject id:42 --reason 'No signature'"], fileHelp))
    .action(async (names: string[], options: DecideOptions) => {
      await (await load()).decide(names, 'rejected', options)
    })
}
