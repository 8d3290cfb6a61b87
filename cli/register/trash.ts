/** Commands for the trash. */
import type { Command } from 'commander'
import { parseCount } from '../../terminal/options.ts'
import type { DeleteOptions, EmptyOptions, TrashOptions } from '../commands/trash.ts'
import { addCommand, addGroup, helpLines } from './command.ts'

const trashedHelp =
  'An item is named by the path it was removed from, with @Name before it in a team\nfolder, or by its id as id:42; where several were removed from one path, by the id.'

const teamHelp = 'the trash of this team folder, as @Name, in place of your own'

export function addTrashCommands(program: Command): void {
  const trash = addGroup(program, 'trash', 'show, restore or delete what was removed', [
    'trash ls',
    'trash restore /Docs/a.txt',
  ])
  const load = () => import('../commands/trash.ts')
  addCommand(trash, 'ls', 'list the trash, the newest first')
    .argument('[team]', teamHelp)
    .addHelpText('after', helpLines(['trash ls', 'trash ls @Accounts']))
    .action(async (team: string | undefined, options: TrashOptions) => {
      await (await load()).listTrashed(team, options)
    })
  addCommand(trash, 'restore', 'bring items back')
    .argument('<item...>', 'what to bring back')
    .addHelpText('after', helpLines(['trash restore /Docs/a.txt', 'trash restore @Accounts/a.txt id:43'], trashedHelp))
    .action(async (items: string[], options: TrashOptions) => {
      await (await load()).restoreTrashed(items, options)
    })
  addCommand(trash, 'delete', 'delete items permanently')
    .argument('<item...>', 'what to delete')
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['trash delete /Docs/a.txt', 'trash delete --yes id:42'], trashedHelp))
    .action(async (items: string[], options: DeleteOptions) => {
      await (await load()).deleteTrashed(items, options)
    })
  addCommand(trash, 'empty', 'permanently delete all that is in the trash')
    .argument('[team]', teamHelp)
    .option('--older-than <days>', 'only what was removed so many days ago, or before', parseCount)
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['trash empty', 'trash empty --older-than 7 --yes']))
    .action(async (team: string | undefined, options: EmptyOptions) => {
      await (await load()).emptyWholeTrash(team, options)
    })
}
