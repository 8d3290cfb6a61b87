/** `filestore admin key …`. */
import { type Command, Option } from 'commander'
import { helpLines } from '../../cli/register/command.ts'
import { permissionOption } from '../../cli/register/permission-option.ts'
import type { KeyKind } from '../../src/api/keys.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { parseCount } from '../../terminal/options.ts'
import { visible } from '../../terminal/visible.ts'
import { answer, answerList, confirmUnless, type DataFlags, giveOrAsk, type YesFlag } from '../answer.ts'
import { addDataCommand } from '../server-command.ts'

const load = async () => ({ ...(await import('../../src/commands/admin/keys.ts')), ...(await import('./tables.ts')) })

interface CreateFlags extends DataFlags {
  user?: string
  permission: Permission[]
  kind?: KeyKind
  expiresIn?: number
  folder?: string
  perMinute?: number
  perHour?: number
  perDay?: number
}

function addKeyCreate(keys: Command): void {
  addDataCommand(keys, 'create', 'make an API key for a user, and print its secret this once')
    .argument('<name>', 'what the key is called')
    .option('--user <user>', 'whose key it is; asked for where it is not given')
    .addOption(permissionOption('what it may do').makeOptionMandatory())
    .addOption(new Option('--kind <kind>', 'device keys have no request limits').choices(['script', 'device']))
    .option(
      '--folder <path>',
      "the one folder that it is for: a path in its user's tree, or id:42 (default: everything)",
    )
    .option('--expires-in <days>', 'days until it expires (default: never)', parseCount)
    .option('--per-minute <count>', 'requests a minute (default: 60)', parseCount)
    .option('--per-hour <count>', 'requests an hour (default: 1000)', parseCount)
    .option('--per-day <count>', 'requests a day (default: 10000)', parseCount)
    .addHelpText(
      'after',
      helpLines(
        ['admin key create backup --user ann --permission files:read'],
        'A user is named by username, or as id:7. The secret cannot be shown again.',
      ),
    )
    .action(async (name: string, flags: CreateFlags) => {
      const { createKey, formatCreated } = await load()
      const user = await giveOrAsk(flags.user, 'User', '--user')
      const input = {
        name,
        permissions: flags.permission,
        kind: flags.kind,
        expires_in: flags.expiresIn,
        rate_limit_per_minute: flags.perMinute,
        rate_limit_per_hour: flags.perHour,
        rate_limit_per_day: flags.perDay,
      }
      await answer(flags, () => createKey(flags, user, input, flags.folder), formatCreated)
    })
}

export function addKeys(admin: Command): void {
  const keys = admin.command('key').description('make, list and revoke API keys')
  addDataCommand(keys, 'list', 'list API keys, the newest first')
    .option('--user <user>', 'only those of this user')
    .addHelpText('after', helpLines(['admin key list --user ann'], 'A user is named by username, or as id:7.'))
    .action(async (flags: DataFlags & { user?: string }) => {
      const { listKeys, formatKeys } = await load()
      await answerList(flags, () => listKeys(flags, flags.user), formatKeys, 'There are no API keys')
    })
  addKeyCreate(keys)
  addDataCommand(keys, 'revoke', 'delete an API key: requests with it fail from now on')
    .argument('<key>', 'its public half, gk_…, or id:7')
    .addHelpText('after', helpLines(['admin key revoke gk_2f6c0de91a7b44f0c3d85e12']))
    .option('--yes', 'do not ask')
    .action(async (name: string, flags: DataFlags & YesFlag) => {
      const { revokeKey, showKey } = await load()
      const { name: called, owner } = await showKey(flags, name)
      await confirmUnless(flags, `Revoke the API key ${called} of ${owner}?`)
      await answer(
        flags,
        () => revokeKey(flags, name),
        key => visible(`API key ${key.name} of ${key.owner} was revoked`),
      )
    })
}
