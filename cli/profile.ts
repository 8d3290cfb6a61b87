/** Where the client's credentials come from: FILESTORE_* variables, or a profile that `login` stored. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod/mini'
import { CommandError } from './exit.ts'

export const defaultProfile = 'default'

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

function profileFile(name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) {
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

/** Stores a profile for its owner's eyes alone (mode 0600), in one step. */
export async function writeProfile(name: string, profile: StoredProfile): Promise<void> {
  const file = profileFile(name)
  const draft = `${file}.${randomUUID()}`
  await mkdir(profileFolder(), { recursive: true, mode: 0o700 })
  try {
    const handle = await open(draft, 'wx', 0o600)
    await handle.writeFile(`${JSON.stringify(profile, null, 2)}\n`).finally(() => handle.close())
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

export async function removeProfile(name: string): Promise<void> {
  await rm(profileFile(name), { force: true })
}

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
 * What to sign requests with: the profile that was asked for, else the environment, else the profile `default`.
 * Throws `denied` where there is none.
 */
export async function findCredentials(profile: string | undefined): Promise<Credentials> {
  const environment = profile === undefined ? environmentCredentials() : undefined
  const found = environment ?? (await readProfile(profile ?? defaultProfile))
  if (found !== undefined) return found
  const option = profile === undefined ? '' : ` --profile ${profile}`
  throw new CommandError('denied', `Not signed in. Run 'filestore login <url>${option}' first`)
}
