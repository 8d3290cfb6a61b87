/** `filestore admin fields …`. */
import { type Command, Option } from 'commander'
import { helpLines } from '../../cli/register/command.ts'
import type { FieldType } from '../../src/api/metadata.ts'
import { CommandError } from '../../terminal/exit.ts'
import { addToList } from '../../terminal/options.ts'
import { answer, answerList, confirmUnless, type DataFlags, type YesFlag } from '../answer.ts'
import { addDataCommand } from '../server-command.ts'

const load = async () => ({ ...(await import('../../src/commands/admin/fields.ts')), ...(await import('./tables.ts')) })

// Listed here because loading the contract's schemas takes longer than printing all of the help.
const types = [
  'text',
  'textarea',
  'number',
  'date',
  'checkbox',
  'email',
  'url',
  'select',
] as const satisfies readonly FieldType[]

interface FieldFlags extends DataFlags {
  label?: string
  type: string
  description?: string
  option?: string[]
  required?: boolean
  enabled?: boolean
}

function addFieldCreate(fields: Command): void {
  addDataCommand(fields, 'create', 'make a field that uploads are asked for')
    .argument('<name>', 'lowercase letters and underscores')
    .option('--label <text>', 'what people read (default: the name)')
    .addOption(new Option('--type <type>', 'what is filled in').choices(types).default('text'))
    .option('--description <text>', 'a hint below the field')
    .option('--option <choice>', 'one choice of a select field, as often as there are choices', addToList)
    .option('--required', 'it must be filled in')
    .addHelpText(
      'after',
      helpLines(['admin fields create team --label Team --type select --option Sales --option Law']),
    )
    .action(async (name: string, flags: FieldFlags) => {
      const { createField } = await load()
      const { label = name, type: field_type, description, option: options, required: is_required } = flags
      await answer(
        flags,
        () => createField(flags, { name, label, field_type, description, options, is_required }),
        field => `Field ${field.name} was created`,
      )
    })
}

function addFieldSet(fields: Command): void {
  addDataCommand(fields, 'set', 'change a field; name and type never change')
    .argument('<name>', 'name of the field')
    .option('--label <text>', 'what people read')
    .option('--description <text>', 'a hint below the field')
    .option('--option <choice>', 'one choice of a select field, in place of those it has', addToList)
    .option('--required', 'it must be filled in')
    .option('--no-required', 'it may be left empty')
    .option('--enabled', 'uploads are asked for it')
    .option('--no-enabled', 'uploads are not asked for it')
    .addHelpText('after', helpLines(['admin fields set team --no-required']))
    .action(async (name: string, flags: FieldFlags) => {
      const { setField } = await load()
      const { label, description, option: options, required: is_required, enabled: is_enabled } = flags
      const changes = { label, description, options, is_required, is_enabled }
      if (Object.values(changes).every(value => value === undefined)) {
        throw new CommandError('usage', 'Nothing to change: use --label, --required or another option')
      }
      await answer(
        flags,
        () => setField(flags, name, changes),
        field => `Field ${field.name} was changed`,
      )
    })
}

export function addFields(admin: Command): void {
  const fields = admin.command('fields').description('make, change and delete metadata fields')
  addDataCommand(fields, 'list', 'list all fields, in the order of the forms')
    .addHelpText('after', helpLines(['admin fields list']))
    .action(async (flags: DataFlags) => {
      const { listFields, formatFields } = await load()
      await answerList(flags, () => listFields(flags), formatFields, 'There are no metadata fields')
    })
  addFieldCreate(fields)
  addFieldSet(fields)
  addDataCommand(fields, 'delete', 'delete a field with its values on all files')
    .argument('<name>', 'name of the field')
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['admin fields delete team']))
    .action(async (name: string, flags: DataFlags & YesFlag) => {
      const { deleteField, showField } = await load()
      await confirmUnless(
        flags,
        `Delete the field ${(await showField(flags, name)).name} with its values on all files?`,
      )
      await answer(
        flags,
        () => deleteField(flags, name),
        field => `Field ${field.name} was deleted`,
      )
    })
}
