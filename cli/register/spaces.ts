/** Commands for team folders. */
import type { Command } from 'commander'
import { addToList, parseSize } from '../../terminal/options.ts'
import type { CreateSpaceOptions, DeleteSpacesOptions, ListSpacesOptions, SpacesOptions } from '../commands/spaces.ts'
import { addCommand, addGroup, helpLines } from './command.ts'

const membersHelp = "'filestore share add @Team <user>' adds a member,\n'share rm @Team <user>' removes one."

export function addSpaceCommands(program: Command): void {
  const spaces = addGroup(program, 'spaces', 'manage team folders', ['spaces ls', 'ls @Accounts'])
  const load = () => import('../commands/spaces.ts')
  addCommand(spaces, 'ls', 'list the team folders')
    .option('--all', 'of all users, for administrators')
    .addHelpText('after', helpLines(['spaces ls', 'ls @Accounts'], 'Each is a place: its path is @Name.'))
    .action(async (options: ListSpacesOptions) => {
      await (await load()).listTeams(options)
    })
  addCommand(spaces, 'create', 'make a team folder, for administrators')
    .argument('<name>', 'name of the team folder')
    .option('--quota <size>', 'bytes, or with KB, MB, GB', parseSize)
    .option('--manager <username>', 'who manages it, in place of you; may be given several times', addToList)
    .addHelpText('after', helpLines(['spaces create Accounts --quota 50GB --manager anna'], membersHelp))
    .action(async (name: string, options: CreateSpaceOptions) => {
      await (await load()).createTeam(name, options)
    })
  addCommand(spaces, 'members', 'list who has access to a team folder')
    .argument('<team>', 'name, as @Accounts, or id:42')
    .addHelpText('after', helpLines(['spaces members @Accounts'], membersHelp))
    .action(async (team: string, options: SpacesOptions) => {
      await (await load()).listMembers(team, options)
    })
  addCommand(spaces, 'delete', 'delete team folders permanently, for administrators')
    .argument('<team...>', 'name, as @Accounts, or id:42')
    .option('--with-files', 'also those that are not empty, with all that is in them')
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['spaces delete @Accounts', 'spaces delete --with-files --yes @Accounts']))
    .action(async (names: string[], options: DeleteSpacesOptions) => {
      await (await load()).deleteTeams(names, options)
    })
}
