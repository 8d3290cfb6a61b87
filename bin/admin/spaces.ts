/** `filestore admin space …`: the team folders. */
import { type Command, Option } from 'commander'
import { helpLines } from '../../cli/register/command.ts'
import type { Space } from '../../src/api/spaces.ts'
import { CommandError } from '../../terminal/exit.ts'
import { formatSize } from '../../terminal/format.ts'
import { addToList, parseSize } from '../../terminal/options.ts'
import { visible } from '../../terminal/visible.ts'
import { answer, answerList, confirmUnless, type DataFlags, type YesFlag } from '../answer.ts'
import { addDataCommand } from '../server-command.ts'

const load = async () => ({
  ...(await import('../../src/commands/admin/spaces.ts')),
  ...(await import('./sharing-tables.ts')),
})

const spaceHelp = 'A team folder is named by name, or as id:7; several may have one name. Users are named likewise.'

const addManager = (command: Command, description: string): Command =>
  command.option('--manager <user>', `${description} (once for each)`, addToList)

const quotaFlag = '--quota <size>'

interface CreateFlags extends DataFlags {
  manager?: string[]
  quota?: number
}

function addSpaceViews(spaces: Command): void {
  addDataCommand(spaces, 'ls', 'list all team folders')
    .alias('list')
    .addHelpText('after', helpLines(['admin space ls']))
    .action(async (flags: DataFlags) => {
      const { listSpaces, formatSpaces } = await load()
      await answerList(flags, () => listSpaces(flags), formatSpaces, 'There are no team folders')
    })
}

function addSpaceCreate(spaces: Command): void {
  addManager(addDataCommand(spaces, 'create', 'make a team folder'), 'who manages it')
    .argument('<name>', 'name of the folder')
    .option(quotaFlag, 'storage, in KB, MB or GB (base 1024; default: 5GB)', parseSize)
    .addHelpText('after', helpLines(['admin space create Choir --manager ann --quota 20GB'], spaceHelp))
    .action(async (name: string, { manager: managers, quota, ...flags }: CreateFlags) => {
      if (managers === undefined) throw new CommandError('usage', 'Say who manages it: --manager <user>')
      const { createSpace, formatSpace } = await load()
      await answer(flags, () => createSpace(flags, { name, managers, storage_quota: quota }), formatSpace)
    })
}

interface EditFlags extends CreateFlags {
  name?: string
}

function addSpaceEdit(spaces: Command): void {
  addManager(addDataCommand(spaces, 'edit', 'change a team folder'), 'who manages it from now on, and nobody else')
    .argument('<space>')
    .option('--name <name>', 'new name')
    .option(quotaFlag, 'storage, in KB, MB or GB (base 1024)', parseSize)
    .addHelpText('after', helpLines(['admin space edit Choir --manager ann --manager bob --quota 50GB'], spaceHelp))
    .action(async (current: string, { manager: managers, quota, name, ...flags }: EditFlags) => {
      if ([managers, quota, name].every(value => value === undefined)) {
        throw new CommandError('usage', 'Nothing to change: use --name, --manager or --quota')
      }
      const { editSpace, formatSpace } = await load()
      await answer(flags, () => editSpace(flags, current, { name, managers, storage_quota: quota }), formatSpace)
    })
}

interface DeleteFlags extends DataFlags, YesFlag {
  files?: 'delete'
}

const questionOf = ({ name, storage_used }: Space, { files }: DeleteFlags): string =>
  files === undefined
    ? `Delete the team folder ${name}?`
    : `Delete the team folder ${name} and all that is in it (${formatSize(storage_used)})?`

function addSpaceDelete(spaces: Command): void {
  addDataCommand(spaces, 'delete', 'delete a team folder')
    .argument('<space>')
    .addOption(new Option('--files <what>', 'what becomes of what is in it, and in its trash').choices(['delete']))
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['admin space delete Choir --files delete'], spaceHelp))
    .action(async (name: string, flags: DeleteFlags) => {
      const { checkDeletion, deleteSpace } = await load()
      await confirmUnless(flags, questionOf(await checkDeletion(flags, name), flags))
      await answer(
        flags,
        () => deleteSpace(flags, name, flags.files),
        space => `Team folder ${visible(space.name)} was deleted`,
      )
    })
}

export function addSpaces(admin: Command): void {
  const spaces = admin.command('space').description('make, change and delete team folders')
  addSpaceViews(spaces)
  addSpaceCreate(spaces)
  addSpaceEdit(spaces)
  addSpaceDelete(spaces)
}
