/** Commands for signing in and out, and for profiles. */
import type { Command } from 'commander'
import type { LoginOptions } from '../commands/login.ts'
import type { LogoutOptions } from '../commands/logout.ts'
import type { ProfilesOptions } from '../commands/profiles.ts'
import type { WhoamiOptions } from '../commands/whoami.ts'
import { addCommand, addGroup, addLocalCommand, helpLines } from './command.ts'

function addProfiles(program: Command): void {
  const profiles = addGroup(program, 'profiles', 'show stored sign-ins, and choose the default', [
    'profiles',
    'profiles use work',
  ])
  const load = () => import('../commands/profiles.ts')
  addLocalCommand(profiles, 'ls', 'list the stored sign-ins', true)
    .addHelpText('after', helpLines(['profiles']))
    .action(async (options: ProfilesOptions) => {
      await (await load()).listProfiles(options)
    })
  addLocalCommand(profiles, 'use', 'choose the sign-in that commands use without --profile')
    .argument('<name>', 'name of the profile')
    .addHelpText('after', helpLines(['profiles use work']))
    .action(async (name: string, options: ProfilesOptions) => {
      await (await load()).useProfile(name, options)
    })
}

export function addAccountCommands(program: Command): void {
  addCommand(program, 'login', 'sign in to a server and store a key for this machine')
    .argument('[url]', 'address of the server')
    .option('--username <name>', 'sign in as this user')
    .option('--password-stdin', 'read the password from standard input')
    .option('--key-id <id>', 'use this API key instead of a password')
    .option('--secret-stdin', "read the key's secret from standard input")
    .addHelpText(
      'after',
      helpLines([
        'login https://files.example.org',
        'login https://files.example.org --profile work',
        'login --username anna --password-stdin < password.txt',
      ]),
    )
    .action(async (url: string | undefined, options: LoginOptions) => {
      await (await import('../commands/login.ts')).logIn(url, options)
    })
  addCommand(program, 'logout', "delete this machine's key and forget the sign-in")
    .addHelpText('after', helpLines(['logout', 'logout --profile work']))
    .action(async (options: LogoutOptions) => {
      await (await import('../commands/logout.ts')).logOut(options)
    })
  addCommand(program, 'whoami', 'show the account in use')
    .addHelpText('after', helpLines(['whoami']))
    .action(async (options: WhoamiOptions) => {
      await (await import('../commands/whoami.ts')).showWhoami(options)
    })
  addProfiles(program)
}
