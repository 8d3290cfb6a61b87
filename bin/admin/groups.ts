/** `filestore admin group …`. */
import { type Command, Option } from 'commander'
import { helpLines } from '../../cli/register/command.ts'
import type { Group } from '../../src/api/groups.ts'
import { countOf } from '../../terminal/format.ts'
import { visible } from '../../terminal/visible.ts'
import { answer, confirmUnless, type DataFlags, type YesFlag } from '../answer.ts'
import { addDataCommand } from '../server-command.ts'

const load = async () => ({
  ...(await import('../../src/commands/admin/groups.ts')),
  ...(await import('./sharing-tables.ts')),
})

const groupHelp = 'Groups and users are named by name, or as id:7.'

function addGroupViews(groups: Command): void {
  addDataCommand(groups, 'ls', 'list all groups')
    .alias('list')
    .addHelpText('after', helpLines(['admin group ls']))
    .action(async (flags: DataFlags) => {
      const { listGroups, formatGroups } = await load()
      await answer(flags, () => listGroups(flags), formatGroups)
    })
  addDataCommand(groups, 'show', 'show a group, with its members')
    .argument('<group>')
    .addHelpText('after', helpLines(['admin group show "Class 7b"'], groupHelp))
    .action(async (name: string, flags: DataFlags) => {
      const { showGroup, formatGroup } = await load()
      await answer(flags, () => showGroup(flags, name), formatGroup)
    })
}

function addGroupChanges(groups: Command): void {
  addDataCommand(groups, 'create', 'make a group')
    .argument('<group>', 'name of the new group')
    .argument('[user...]', 'its members')
    .addHelpText('after', helpLines(['admin group create "Class 7b" ann bob'], groupHelp))
    .action(async (name: string, users: string[], flags: DataFlags) => {
      const { createGroup } = await load()
      await answer(
        flags,
        () => createGroup(flags, name, users),
        group => `Group ${visible(group.name)} was created`,
      )
    })
  addDataCommand(groups, 'rename', 'give a group another name')
    .argument('<group>')
    .argument('<name>', 'new name')
    .addHelpText('after', helpLines(['admin group rename "Class 7b" "Class 8b"'], groupHelp))
    .action(async (current: string, name: string, flags: DataFlags) => {
      const { renameGroup } = await load()
      await answer(
        flags,
        () => renameGroup(flags, current, name),
        group => `The group is called ${visible(group.name)}`,
      )
    })
}

function addGroupMembers(groups: Command): void {
  const verbs = [
    ['add', true, 'add users to a group'],
    ['remove', false, 'take users out of a group: what is shared with it ends for them'],
  ] as const
  for (const [verb, isMember, summary] of verbs) {
    addDataCommand(groups, verb, summary)
      .argument('<group>')
      .argument('<user...>')
      .addHelpText('after', helpLines([`admin group ${verb} "Class 7b" ann bob`], groupHelp))
      .action(async (name: string, users: string[], flags: DataFlags) => {
        const { changeMembers } = await load()
        await answer(
          flags,
          () => changeMembers(flags, name, users, isMember),
          group => `Group ${visible(group.name)} has ${countOf(group.member_count, 'member')}`,
        )
      })
  }
}

interface DeleteFlags extends DataFlags, YesFlag {
  shares?: 'delete'
}

const questionOf = ({ name, share_count }: Group): string =>
  share_count === 0 ? `Delete the group ${name}?` : `Delete the group ${name} and its ${countOf(share_count, 'share')}?`

function addGroupDelete(groups: Command): void {
  addDataCommand(groups, 'delete', 'delete a group; its members stay')
    .argument('<group>')
    .addOption(new Option('--shares <what>', 'what becomes of what is shared with it').choices(['delete']))
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['admin group delete "Class 7b" --shares delete'], groupHelp))
    .action(async (name: string, flags: DeleteFlags) => {
      const { checkDeletion, deleteGroup } = await load()
      const withShares = flags.shares === 'delete'
      await confirmUnless(flags, questionOf(await checkDeletion(flags, name, withShares)))
      await answer(
        flags,
        () => deleteGroup(flags, name, withShares),
        group => `Group ${visible(group.name)} was deleted`,
      )
    })
}

export function addGroups(admin: Command): void {
  const groups = admin.command('group').description('make, change and delete groups of users')
  addGroupViews(groups)
  addGroupChanges(groups)
  addGroupMembers(groups)
  addGroupDelete(groups)
}
