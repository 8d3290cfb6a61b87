/** Commands for API keys. */
import type { Command } from 'commander'
import { parseCount } from '../../terminal/options.ts'
import type { CreateKeyOptions, KeysOptions, RevokeOptions } from '../commands/keys.ts'
import { addCommand, addGroup, helpLines, pathHelp } from './command.ts'
import { permissionOption } from './permission-option.ts'

type Load = () => Promise<typeof import('../commands/keys.ts')>

const keyHelp = 'name, key id (gk_…), or id:7'

function addChanges(keys: Command, load: Load): void {
  addCommand(keys, 'rename', 'give an API key another name')
    .argument('<key>', keyHelp)
    .argument('<name>', 'its new name')
    .addHelpText('after', helpLines(['keys rename backup "nightly backup"']))
    .action(async (key: string, name: string, options: KeysOptions) => {
      await (await load()).renameKey(key, name, options)
    })
  addCommand(keys, 'disable', 'stop API keys from working, until they are enabled')
    .argument('<key...>', keyHelp)
    .addHelpText('after', helpLines(['keys disable backup']))
    .action(async (names: string[], options: KeysOptions) => {
      await (await load()).switchKeys(names, false, options)
    })
  addCommand(keys, 'enable', 'let disabled API keys work again')
    .argument('<key...>', keyHelp)
    .addHelpText('after', helpLines(['keys enable backup']))
    .action(async (names: string[], options: KeysOptions) => {
      await (await load()).switchKeys(names, true, options)
    })
}

export function addKeyCommands(program: Command): void {
  const keys = addGroup(program, 'keys', 'manage API keys for scripts', ['keys ls', 'keys revoke backup'])
  const load: Load = () => import('../commands/keys.ts')
  addCommand(keys, 'ls', 'list the API keys')
    .addHelpText('after', helpLines(['keys ls']))
    .action(async (options: KeysOptions) => {
      await (await load()).listKeys(options)
    })
  addCommand(keys, 'create', 'make an API key and print its secret, this once')
    .argument('<name>', 'what the key is for')
    .addOption(permissionOption('what it may do').makeOptionMandatory())
    .option('--folder <path>', 'for this folder alone, which is then its root')
    .option('--expires-in <days>', 'days until it expires (default: never)', parseCount)
    .option('--per-minute <count>', 'requests a minute', parseCount)
    .option('--per-hour <count>', 'requests an hour', parseCount)
    .option('--per-day <count>', 'requests a day', parseCount)
    .addHelpText(
      'after',
      helpLines(
        [
          'keys create backup --permission files:read --permission files:upload',
          'keys create report --permission files:read --expires-in 30 --json',
          'keys create scans --permission files:upload --folder /Scans',
        ],
        pathHelp,
      ),
    )
    .action(async (name: string, options: CreateKeyOptions) => {
      await (await load()).createKey(name, options)
    })
  addChanges(keys, load)
  addCommand(keys, 'revoke', 'delete API keys; nothing works with them from then on')
    .argument('<key...>', keyHelp)
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['keys revoke backup', 'keys revoke --yes id:7 id:8']))
    .action(async (names: string[], options: RevokeOptions) => {
      await (await load()).revokeKeys(names, options)
    })
}
