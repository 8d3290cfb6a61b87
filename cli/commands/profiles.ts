/** `filestore profiles`: lists the stored sign-ins, and chooses the default. */
import { CommandError } from '../../terminal/exit.ts'
import { printData, printError, printJson, printNotice } from '../../terminal/output.ts'
import { formatTable } from '../../terminal/table.ts'
import { chooseDefaultProfile, findDefaultProfile, hasEnvironment, listProfileNames, readProfile } from '../profile.ts'

export interface ProfilesOptions {
  json?: boolean
}

/** The parts of a profile that may be shown, without its key. */
interface ShownProfile {
  name: string
  url: string
  username: string
  is_default: boolean
}

async function showProfile(name: string, defaultName: string): Promise<ShownProfile | undefined> {
  const profile = await readProfile(name)
  return profile && { name, url: profile.url, username: profile.username, is_default: name === defaultName }
}

function formatProfiles(profiles: readonly ShownProfile[]): string {
  const heads = ['DEFAULT', 'NAME', 'SERVER', 'USER'].map(head => ({ head }))
  const rows = profiles.map(({ name, url, username, is_default }) => [is_default ? 'yes' : '', name, url, username])
  return formatTable(heads, rows)
}

/** Lists the profiles. A profile that cannot be read is reported and left out. */
export async function listProfiles(options: ProfilesOptions): Promise<void> {
  const defaultName = await findDefaultProfile()
  const profiles: ShownProfile[] = []
  for (const name of await listProfileNames()) {
    const profile = await showProfile(name, defaultName).catch((error: Error) => printError(error.message))
    if (profile !== undefined) profiles.push(profile)
  }
  if (options.json) printJson(profiles)
  else if (profiles.length === 0) printNotice("There are no profiles; 'filestore login' makes one")
  else printData(formatProfiles(profiles))
  if (hasEnvironment()) printNotice('FILESTORE_* variables are set, and are used instead of the default')
}

/** Chooses the default profile. Throws `notFound` if there is no such profile. */
export async function useProfile(name: string, options: ProfilesOptions): Promise<void> {
  const profile = await showProfile(name, name)
  if (profile === undefined) throw new CommandError('notFound', `There is no profile '${name}'`)
  await chooseDefaultProfile(name)
  if (options.json) return printJson(profile)
  printNotice(`'${name}' is the default now: ${profile.username} at ${profile.url}`)
}
