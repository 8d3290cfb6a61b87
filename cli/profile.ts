/** Finds the client's credentials: FILESTORE_* variables, or a profile that `login` stored. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import * as z from 'zod/mini'
import { processContext } from '../src/base/process-context.ts'
import { CommandError } from '../terminal/exit.ts'
import { readServerUrl } from './server-url.ts'

/** The default profile until another is chosen. */
const firstProfile = 'default'
/** The file with the name of the chosen profile. No profile's own file has this name. */
const choiceFile = 'default-profile'

/** The characters that a header can carry and that every key consists of. */
const keyForm = /^[\x21-\x7e]+$/
const keyText = z.string().check(z.regex(keyForm))

const storedProfile = z.object({
  /** Address of the server, without a slash at the end. */
  url: z.pipe(
    z.string().check(z.refine(text => readServerUrl(text) !== undefined)),
    z.transform(text => readServerUrl(text) ?? text),
  ),
  username: z.string(),
  key_id: keyText,
  secret: keyText,
  /** The key that `login` created; null for one that the person provided, which `logout` must not delete. */
  device_key: z.nullable(z.object({ id: z.int(), name: z.string() })),
})

export type StoredProfile = z.infer<typeof storedProfile>
export type Credentials = Pick<StoredProfile, 'url' | 'key_id' | 'secret'>

const variables = { url: 'FILESTORE_URL', key_id: 'FILESTORE_API_KEY_ID', secret: 'FILESTORE_API_SECRET' } as const

function profileFolder(): string {
  const configured = processContext().env.XDG_CONFIG_HOME
  // The XDG Base Directory Specification says to ignore a relative path here.
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

/** Reads a profile. Returns undefined if it does not exist, and throws `denied` if its file is broken. */
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

/** Writes a file that only its owner can read (mode 0600), in one step. */
async function writePrivately(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  try {
    await mkdir(profileFolder(), { recursive: true, mode: 0o700 })
    const handle = await open(draft, 'wx', 0o600)
    await handle.writeFile(text).finally(() => handle.close())
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError('unexpected', `Cannot write ${file}: ${reason}`, { cause: error })
  }
}

export const writeProfile = (name: string, profile: StoredProfile): Promise<void> =>
  writePrivately(profileFile(name), `${JSON.stringify(profile, null, 2)}\n`)

export async function removeProfile(name: string): Promise<void> {
  await rm(profileFile(name), { force: true })
}

/** Returns the names of all profiles, sorted. */
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

/** Returns the name of the default profile. Throws `denied` if the file that names it is broken. */
export async function findDefaultProfile(): Promise<string> {
  const file = join(profileFolder(), choiceFile)
  const read = readFile(file, 'utf8').then(text => text.trim() || firstProfile)
  const name = await read.catch(error => (isMissing(error) ? firstProfile : undefined))
  if (name !== undefined && profileForm.test(name)) return name
  throw new CommandError('denied', `${file} names no profile; choose one with 'filestore profiles use', or delete it`)
}

export const chooseDefaultProfile = (name: string): Promise<void> =>
  writePrivately(join(profileFolder(), choiceFile), `${name}\n`)

/** Whether FILESTORE_* variables are set, which are used instead of the default profile. */
export const hasEnvironment = (): boolean => Object.values(variables).some(name => Boolean(processContext().env[name]))

/**
 * Returns the server's address from the environment, for `login` without one. Throws `usage` if it is not an address.
 */
export function environmentUrl(): string | undefined {
  const text = processContext().env[variables.url]
  if (!text) return undefined
  const url = readServerUrl(text)
  if (url !== undefined) return url
  throw new CommandError('usage', `${variables.url} is no address such as https://files.example.org; set it anew`)
}

function environmentCredentials(): Credentials | undefined {
  const { env } = processContext()
  const names = Object.values(variables)
  const missing = names.filter(name => !env[name])
  if (missing.length === names.length) return undefined
  if (missing.length > 0) {
    throw new CommandError('usage', `${names.join(', ')} belong together; ${missing.join(' and ')} is not set`)
  }
  const read = (name: string) => env[name] ?? ''
  checkKeyText(read(variables.key_id), variables.key_id)
  checkKeyText(read(variables.secret), variables.secret)
  return { url: environmentUrl() ?? '', key_id: read(variables.key_id), secret: read(variables.secret) }
}

/** Checks a part of a key that a person gave. Throws `usage`, naming the part by `where`. */
export function checkKeyText(text: string, where: string): void {
  if (!keyForm.test(text)) throw new CommandError('usage', `${where} is empty, or holds characters that no key has`)
}

/**
 * Returns the credentials for requests: of the given profile, otherwise of the environment, otherwise of the default
 * profile. Throws `denied` if there are none.
 */
export async function findCredentials(profile: string | undefined): Promise<Credentials> {
  const environment = profile === undefined ? environmentCredentials() : undefined
  const found = environment ?? (await readProfile(profile ?? (await findDefaultProfile())))
  if (found !== undefined) return found
  const option = profile === undefined ? '' : ` --profile ${profile}`
  throw new CommandError('denied', `Not signed in. Run 'filestore login <url>${option}' first`)
}
