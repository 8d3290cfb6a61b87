/** `filestore admin link …`. */
import type { Command } from 'commander'
import { helpLines } from '../../cli/register/command.ts'
import { answer, answerList, confirmUnless, type DataFlags, type YesFlag } from '../answer.ts'
import { addDataCommand } from '../server-command.ts'

const load = async () => ({
  ...(await import('../../src/commands/admin/links.ts')),
  ...(await import('./sharing-tables.ts')),
})

export function addLinks(admin: Command): void {
  const links = admin.command('link').description('list, pause and end links')
  addDataCommand(links, 'ls', 'list all links, without their addresses and what they are on')
    .alias('list')
    .option('--user <user>', 'only those that this user has made')
    .addHelpText('after', helpLines(['admin link ls --user ann'], 'Users are named by name, or as id:7.'))
    .action(async (flags: DataFlags & { user?: string }) => {
      const { listLinks, formatLinks } = await load()
      await answerList(flags, () => listLinks(flags, flags), formatLinks, 'There are no links')
    })
  for (const [name, isActive, summary] of [
    ['pause', false, 'stop a link from working, until it is resumed'],
    ['resume', true, 'let a paused link work again'],
  ] as const) {
    addDataCommand(links, name, summary)
      .argument('<link>', 'id of the link')
      .addHelpText('after', helpLines([`admin link ${name} 42`]))
      .action(async (link: string, flags: DataFlags) => {
        const { switchLink, tellSwitched } = await load()
        await answer(flags, () => switchLink(flags, link, isActive), tellSwitched)
      })
  }
  addDataCommand(links, 'revoke', 'end a link for good: nothing works with its address from then on')
    .argument('<link>', 'id of the link')
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['admin link revoke 42']))
    .action(async (link: string, flags: DataFlags & YesFlag) => {
      await confirmUnless(flags, `Revoke the link ${link}?`)
      const { revokeLink, tellRevoked } = await load()
      await answer(flags, () => revokeLink(flags, link), tellRevoked)
    })
}
