/** `filestore admin create` and `filestore admin user …`. */
import { type Command, Option } from 'commander'
import { helpLines } from '../../cli/register/command.ts'
import type { User } from '../../src/api/users.ts'
import type { ChangedUser } from '../../src/commands/admin/users.ts'
import { formatSize } from '../../terminal/format.ts'
import { parseSize } from '../../terminal/options.ts'
import { visible } from '../../terminal/visible.ts'
import {
  answer,
  confirmUnless,
  type DataFlags,
  giveOrAsk,
  type PasswordFlags,
  readOptionalPassword,
  readPassword,
  type YesFlag,
} from '../answer.ts'
import { addDataCommand } from '../server-command.ts'

const load = async () => ({ ...(await import('../../src/commands/admin/users.ts')), ...(await import('./tables.ts')) })

const userHelp = 'A user is named by username, or as id:7.'

interface NewUserFlags extends DataFlags, PasswordFlags {
  email?: string
  fullName?: string
}

const addNewUserOptions = (command: Command): Command =>
  command
    .option('--email <address>', 'email address')
    .option('--full-name <name>', 'name to show')
    .option('--password-stdin', 'read the password from standard input')

export function addCreate(admin: Command): void {
  addNewUserOptions(addDataCommand(admin, 'create', 'make one more administrator'))
    .option('--username <name>', 'name to sign in with')
    .addHelpText(
      'after',
      helpLines(
        ['admin create --username ann --email ann@example.org'],
        'What is not given is asked for. The database is made where there is none.',
      ),
    )
    .action(async (flags: NewUserFlags & { username?: string }) => {
      const { createAdmin } = await load()
      const input = {
        username: await giveOrAsk(flags.username, 'Username', '--username'),
        email: await giveOrAsk(flags.email, 'Email', '--email'),
        full_name: flags.fullName,
        password: await readPassword(flags),
      }
      await answer(
        flags,
        () => createAdmin(flags, input),
        user => `Administrator ${visible(user.username)} was created`,
      )
    })
}

interface AddFlags extends NewUserFlags {
  role?: string
  quota?: number
  tempPassword?: boolean
}

const tempPasswordOption = () =>
  new Option('--temp-password', 'make a password, which must be changed at the first sign-in, and print it').conflicts(
    'passwordStdin',
  )

function addUserAdd(users: Command): void {
  addNewUserOptions(addDataCommand(users, 'add', 'add a user'))
    .argument('<username>', 'name to sign in with')
    .addOption(tempPasswordOption())
    .option('--role <name>', 'role (default: user)')
    .option('--quota <size>', 'storage, in KB, MB or GB (base 1024; default: 5GB)', parseSize)
    .addHelpText(
      'after',
      helpLines(
        ['admin user add ann --email ann@example.org --temp-password --quota 10GB'],
        'Email and password are asked for where they are not given.',
      ),
    )
    .action(async (username: string, flags: AddFlags) => {
      const { addUser, formatAdded } = await load()
      const email = await giveOrAsk(flags.email, 'Email', '--email')
      const password = await readOptionalPassword(flags)
      const { fullName: full_name, role, quota: storage_quota } = flags
      await answer(
        flags,
        () => addUser(flags, { username, email, full_name, password, role, storage_quota }),
        formatAdded,
      )
    })
}

function addUserViews(users: Command): void {
  addDataCommand(users, 'list', 'list all users')
    .addHelpText('after', helpLines(['admin user list']))
    .action(async (flags: DataFlags) => {
      const { listUsers, formatUsers } = await load()
      await answer(flags, () => listUsers(flags), formatUsers)
    })
  addDataCommand(users, 'show', 'show a user, with what they may do')
    .argument('<user>')
    .addHelpText('after', helpLines(['admin user show ann'], userHelp))
    .action(async (name: string, flags: DataFlags) => {
      const { showUser, formatUser } = await load()
      await answer(flags, () => showUser(flags, name), formatUser)
    })
}

function addUserChanges(users: Command): void {
  addDataCommand(users, 'set-role', "change a user's role, and end their sessions")
    .argument('<user>')
    .argument('<role>', 'name of the role')
    .addHelpText('after', helpLines(['admin user set-role ann admin'], userHelp))
    .action(async (name: string, role: string, flags: DataFlags) => {
      const { setRole } = await load()
      await answer(
        flags,
        () => setRole(flags, name, role),
        user => visible(`User ${user.username} has the role ${user.role}`),
      )
    })
  addDataCommand(users, 'set-quota', "change a user's storage quota")
    .argument('<user>')
    .argument('<size>', 'in KB, MB or GB (base 1024)', parseSize)
    .addHelpText('after', helpLines(['admin user set-quota ann 10GB'], userHelp))
    .action(async (name: string, size: number, flags: DataFlags) => {
      const { setQuota, usageOf } = await load()
      await answer(
        flags,
        () => setQuota(flags, name, size),
        user => `User ${visible(user.username)} uses ${usageOf(user)}`,
      )
    })
  addDataCommand(users, 'set-password', "set a user's password, and end their sessions and keys")
    .argument('<user>')
    .option('--password-stdin', 'read the password from standard input')
    .addHelpText('after', helpLines(['admin user set-password ann'], userHelp))
    .action(async (name: string, flags: DataFlags & PasswordFlags) => {
      const { setPassword, showUser } = await load()
      // Check that the user exists first, so that nobody types a password twice for nothing.
      await showUser(flags, name)
      const password = await readPassword(flags)
      await answer(
        flags,
        () => setPassword(flags, name, password),
        user => `User ${visible(user.username)} has a new password`,
      )
    })
}

/** `User ann is disabled`, and the team folders that nobody manages then. */
function describeSwitched({ username, is_active, unmanaged_spaces }: ChangedUser): string {
  const done = `User ${visible(username)} is ${is_active ? 'active' : 'disabled'}`
  if (unmanaged_spaces.length === 0) return done
  const named = unmanaged_spaces.map(name => `'${visible(name)}'`).join(', ')
  return `${done}. No active user manages ${named} now: admin space edit <space> --manager <user> appoints one`
}

function addUserSwitches(users: Command): void {
  const verbs = [
    ['enable', true, 'let a disabled user sign in again'],
    ['disable', false, 'lock a user out: sessions end, keys fail'],
  ] as const
  for (const [verb, isActive, summary] of verbs) {
    addDataCommand(users, verb, summary)
      .argument('<user>')
      .addHelpText('after', helpLines([`admin user ${verb} ann`], userHelp))
      .action(async (name: string, flags: DataFlags) => {
        const { setActive } = await load()
        await answer(flags, () => setActive(flags, name, isActive), describeSwitched)
      })
  }
}

interface DeleteFlags extends DataFlags, YesFlag {
  files?: 'delete' | 'transfer'
  to?: string
  teamsTo?: string
}

function questionOf(user: User, { files, to }: DeleteFlags): string {
  const size = formatSize(user.storage_used)
  if (files === 'delete') return `Delete ${user.username} and all their files (${size})?`
  if (files === 'transfer') return `Delete ${user.username}, and give their files (${size}) to ${to ?? 'nobody'}?`
  return `Delete ${user.username}?`
}

function addUserDelete(users: Command): void {
  addDataCommand(users, 'delete', 'delete a user')
    .argument('<user>')
    .addOption(new Option('--files <what>', 'what becomes of their files').choices(['delete', 'transfer']))
    .option('--to <user>', 'who gets the files of --files transfer')
    .option('--teams-to <user>', 'who manages the team folders that they alone manage')
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['admin user delete ann --files transfer --to bob'], userHelp))
    .action(async (name: string, flags: DeleteFlags) => {
      const { checkDeletion, deleteUser } = await load()
      await confirmUnless(flags, questionOf(await checkDeletion(flags, name, flags), flags))
      await answer(
        flags,
        () => deleteUser(flags, name, flags),
        user => `User ${visible(user.username)} was deleted`,
      )
    })
}

export function addUsers(admin: Command): void {
  const users = admin.command('user').description('add, change and delete users')
  addUserAdd(users)
  addUserViews(users)
  addUserChanges(users)
  addUserSwitches(users)
  addUserDelete(users)
}
