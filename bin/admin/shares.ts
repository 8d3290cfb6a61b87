/** `filestore admin share …`. */
import type { Command } from 'commander'
import { helpLines } from '../../cli/register/command.ts'
import { visible } from '../../terminal/visible.ts'
import { answer, answerList, confirmUnless, type DataFlags, type YesFlag } from '../answer.ts'
import { addDataCommand } from '../server-command.ts'

const load = async () => ({
  ...(await import('../../src/commands/admin/shares.ts')),
  ...(await import('./sharing-tables.ts')),
})

interface ListFlags extends DataFlags {
  user?: string
  group?: string
}

export function addShares(admin: Command): void {
  const shares = admin.command('share').description('list and end what is shared')
  addDataCommand(shares, 'ls', 'list all shares, with the members of team folders')
    .alias('list')
    .option('--user <user>', 'only those with this user')
    .option('--group <group>', 'only those with this group')
    .addHelpText('after', helpLines(['admin share ls --user ann'], 'Users and groups are named by name, or as id:7.'))
    .action(async (flags: ListFlags) => {
      const { listShares, formatShares } = await load()
      await answerList(flags, () => listShares(flags, flags), formatShares, 'Nothing is shared')
    })
  addDataCommand(shares, 'rm', 'end a share: who has it loses access at once')
    .argument('<share>', 'id of the share')
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['admin share rm 42']))
    .action(async (name: string, flags: DataFlags & YesFlag) => {
      const { showShare, removeShare, granteeOf, itemOf } = await load()
      const share = await showShare(flags, name)
      await confirmUnless(flags, `End the access of ${granteeOf(share)} to ${itemOf(share)}?`)
      await answer(
        flags,
        () => removeShare(flags, name),
        ended => visible(`${granteeOf(ended)} has no access to ${itemOf(ended)} by this share any more`),
      )
    })
}
