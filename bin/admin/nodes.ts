/** `filestore admin nodes`. */
import type { Command } from 'commander'
import { helpLines } from '../../cli/register/command.ts'
import { answerList, type DataFlags } from '../answer.ts'
import { addDataCommand } from '../server-command.ts'

const load = async () => ({
  ...(await import('../../src/commands/admin/nodes.ts')),
  ...(await import('./node-table.ts')),
})

export function addNodes(admin: Command): void {
  addDataCommand(admin, 'nodes', 'list the servers on one MariaDB, and when each was last seen')
    .addHelpText('after', helpLines(['admin nodes'], 'A server that has been silent for 30 seconds counts as gone.'))
    .action(async (flags: DataFlags) => {
      const { runNodes, formatNodes } = await load()
      await answerList(flags, () => runNodes(flags), formatNodes, 'No server is listed: on SQLite there is but one')
    })
}
