/** Where the client's credentials come from: FILESTORE_* variables, or a profile that `login` stored. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod/mini'
import { CommandError } from './exit.ts'

/** Used while no other was chosen. */
const firstProfile = 'default'
/** Holds the name of the profile that was chosen; no profile's own file is called so. */
const choiceFile = 'default-profile'

const storedProfile = z.object({
  /** Address of the server, without a slash at the end. */
  url: z.string(),
  username: z.string(),
  key_id: z.string(),
  secret: z.string(),
  /** The key that `login` made; null for one that the person brought, which is not ours to delete. */
  device_key: z.nullable(z.object({ id: z.int(), name: z.string() })),
})

export type StoredProfile = z.infer<typeof storedProfile>
export type Credentials = Pick<StoredProfile, 'url' | 'key_id' | 'secret'>

const variables = { url: 'FILESTORE_URL', key_id: 'FILESTORE_API_KEY_ID', secret: 'FILESTORE_API_SECRET' } as const

function profileFolder(): string {
  const configured = process.env.XDG_CONFIG_HOME
  // A relative path there is to be ignored, says the XDG Base Directory Specification.
  const base = configured !== undefined && isAbsolute(configured) ? configured : join(homedir(), '.config')
  return join(base, 'filestore')
}

const profileForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

function profileFile(name: string): string {
  if (!profileForm.test(name)) {
    throw new CommandError('usage', `'${name}' cannot name a profile: use letters, digits, '.', '_' and '-'`)
  }
  return join(profileFolder(), `${name}.json`)
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** What is stored under a name, or undefined where nothing is. */
export async function readProfile(name: string): Promise<StoredProfile | undefined> {
  const file = profileFile(name)
  try {
    return storedProfile.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (isMissing(error)) return undefined
    const problem = `Cannot read the profile ${file}; delete it and run 'filestore login' again`
    throw new CommandError('denied', problem, { cause: error })
  }
}

/** Writes a file for its owner's eyes alone (mode 0600), in one step. */
async function writePrivately(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  await mkdir(profileFolder(), { recursive: true, mode: 0o700 })
  try {
    const handle = await open(draft, 'wx', 0o600)
    await handle.writeFile(text).finally(() => handle.close())
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

export const writeProfile = (name: string, profile: StoredProfile): Promise<void> =>
  writePrivately(profileFile(name), `${JSON.stringify(profile, null, 2)}\n`)

export async function removeProfile(name: string): Promise<void> {
  await rm(profileFile(name), { force: true })
}

/** The names of all profiles, sorted. */
export async function listProfileNames(): Promise<string[]> {
  try {
    const files = await readdir(profileFolder())
    return files
      .filter(file => profileForm.test(file.replace(/\.json$/, '')) && file.endsWith('.json'))
      .map(file => file.slice(0, -'.json'.length))
      .sort()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** The name of the profile that is used where none is asked for. */
export async function findDefaultProfile(): Promise<string> {
  try {
    return (await readFile(join(profileFolder(), choiceFile), 'utf8')).trim() || firstProfile
  } catch (error) {
    if (isMissing(error)) return firstProfile
    throw error
  }
}

export const chooseDefaultProfile = (name: string): Promise<void> =>
  writePrivately(join(profileFolder(), choiceFile), `${name}\n`)

/** Whether FILESTORE_* variables take the place of every profile that is not asked for by name. */
export const hasEnvironment = (): boolean => Object.values(variables).some(name => Boolean(process.env[name]))

/** The server's address from the environment, for `login` without one. */
export const environmentUrl = (): string | undefined => process.env[variables.url] || undefined

function environmentCredentials(): Credentials | undefined {
  const names = Object.values(variables)
  const missing = names.filter(name => !process.env[name])
  if (missing.length === names.length) return undefined
  if (missing.length > 0) {
    throw new CommandError('usage', `${names.join(', ')} belong together; ${missing.join(' and ')} is not set`)
  }
  const read = (name: string) => process.env[name] ?? ''
  return { url: read(variables.url), key_id: read(variables.key_id), secret: read(variables.secret) }
}

/**
 * What to sign requests with: the profile that was asked for, else the environment, else the default profile.
 * Throws `denied` where there is none.
 */
export async function findCredentials(profile: string | undefined): Promise<Credentials> {
  const environment = profile === undefined ? environmentCredentials() : undefined
  const found = environment ?? (await readProfile(profile ?? (await findDefaultProfile())))
  if (found !== undefined) return found
  const option = profile === undefined ? '' : ` --profile ${profile}`
  throw new CommandError('denied', `Not signed in. Run 'filestore login <url>${option}' first`)
}
