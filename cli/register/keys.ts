/** API keys. */
import type { Command } from 'commander'
import type { CreateKeyOptions, KeysOptions, RevokeOptions } from '../commands/keys.ts'
import { addCommand, addGroup, helpLines } from './command.ts'
import { parseCount } from './options.ts'
import { permissionOption } from './permission-option.ts'

export function addKeyCommands(program: Command): void {
  const keys = addGroup(program, 'keys', 'manage API keys for scripts')
  const load = () => import('../commands/keys.ts')
  addCommand(keys, 'ls', 'list the API keys')
    .addHelpText('after', helpLines(['keys ls']))
    .action(async (options: KeysOptions) => {
      await (await load()).listKeys(options)
    })
  addCommand(keys, 'create', 'make an API key and print its secret, this once')
    .argument('<name>', 'what the key is for')
    .addOption(permissionOption('what it may do').makeOptionMandatory())
    .option('--expires-in <days>', 'days until it expires (default: never)', parseCount)
    .option('--per-minute <count>', 'requests a minute', parseCount)
    .option('--per-hour <count>', 'requests an hour', parseCount)
    .option('--per-day <count>', 'requests a day', parseCount)
    .addHelpText(
      'after',
      helpLines([
        'keys create backup --permission files:read --permission files:upload',
        'keys create report --permission files:read --expires-in 30 --json',
      ]),
    )
    .action(async (name: string, options: CreateKeyOptions) => {
      await (await load()).createKey(name, options)
    })
  addCommand(keys, 'revoke', 'delete API keys; nothing works with them from then on')
    .argument('<key...>', 'name, key id (gk_…), or id:7')
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['keys revoke backup', 'keys revoke --yes id:7 id:8']))
    .action(async (names: string[], options: RevokeOptions) => {
      await (await load()).revokeKeys(names, options)
    })
}
