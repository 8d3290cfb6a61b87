/** `filestore admin settings …`. */
import type { Command } from 'commander'
import { helpLines } from '../../cli/register/command.ts'
import type { SettingKey } from '../../src/api/settings.ts'
import { answer, type DataFlags } from '../answer.ts'
import { addDataCommand } from '../server-command.ts'

const load = async () => ({
  ...(await import('../../src/commands/admin/settings.ts')),
  ...(await import('./tables.ts')),
})

// What each setting does. Listed here because loading the contract's schemas takes longer than printing all of the
// help.
const meanings: Record<SettingKey, string> = {
  validation_enabled: 'uploads wait until they are approved',
  allow_self_validation: 'reviewers may decide on files of their own',
  auto_validate_admin: "administrators' uploads are approved at once",
  metadata_enabled: 'uploads are asked for metadata',
  metadata_required_on_upload: 'required fields must be filled in',
}

const keysHelp = `Settings:
${Object.entries(meanings)
  .map(([key, meaning]) => `  ${key.padEnd(29)}${meaning}`)
  .join('\n')}`

export function addSettings(admin: Command): void {
  const settings = admin.command('settings').description('show and turn the switches of the system')
  addDataCommand(settings, 'list', 'list all settings')
    .addHelpText('after', helpLines(['admin settings list'], keysHelp))
    .action(async (flags: DataFlags) => {
      const { listSettings, formatSettings } = await load()
      await answer(flags, () => listSettings(flags), formatSettings)
    })
  addDataCommand(settings, 'get', 'print the value of a setting')
    .argument('<setting>')
    .addHelpText('after', helpLines(['admin settings get validation_enabled'], keysHelp))
    .action(async (key: string, flags: DataFlags) => {
      const { getSetting } = await load()
      await answer(
        flags,
        () => getSetting(flags, key),
        ({ value }) => value,
      )
    })
  addDataCommand(settings, 'set', 'turn a setting on or off')
    .argument('<setting>')
    .argument('<value>', 'true or false')
    .addHelpText('after', helpLines(['admin settings set validation_enabled true'], keysHelp))
    .action(async (key: string, value: string, flags: DataFlags) => {
      const { setSetting } = await load()
      await answer(
        flags,
        () => setSetting(flags, key, value),
        setting => `${setting.key} is ${setting.value}`,
      )
    })
}
