/**
 * The server's secret, with which the database's secrets are sealed: FILESTORE_SECRET_KEY, or else the file `secret.key`
 * in the data folder, which is made when it is first needed. The database knows a mark of it, so that a server with
 * another secret does not start.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { link, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, systemCode } from '../base/errors.ts'
import { makeFolder } from '../base/make-folder.ts'
import { mostWordsBytes, NoFileError, readText, TooLargeError } from '../base/read-text.ts'
import { syncFolder } from '../base/sync-folder.ts'
import type { Config } from '../config.ts'
import { readSecret, secretBytes } from '../config-values.ts'
import type { Database } from '../db/database.ts'
import { lockState, readState, saveState } from '../db/server-state.ts'
import { openSeal, type Seal } from './seal.ts'

type SecretConfig = Pick<Config, 'dataDir' | 'secretKey'>

export const secretFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'secret.key')

const noSecret = (config: Pick<Config, 'dataDir'>): AppError =>
  new AppError('invalid_input', `${secretFile(config)} holds no secret: put the file of a backup in its place`)

async function readSecretFile(config: SecretConfig): Promise<Buffer | null> {
  let text: string
  try {
    // Containers mount secrets as links.
    text = await readText(secretFile(config), { followsLinks: true, most: mostWordsBytes })
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    if (error instanceof NoFileError || error instanceof TooLargeError) throw noSecret(config)
    throw error
  }
  const secret = readSecret(text)
  if (secret !== null) return secret
  throw noSecret(config)
}

/** How the file holds the secret. */
export const formatSecret = (secret: Buffer): string => `${secret.toString('base64url')}\n`

/** Writes the file; leaves one that is there. */
export async function writeSecretFile(config: Pick<Config, 'dataDir'>, secret: Buffer): Promise<boolean> {
  await makeFolder(config.dataDir)
  // Under another name until it is whole: a crash leaves no empty file, and another process reads none.
  const draft = `${secretFile(config)}.${randomUUID()}`
  try {
    await writeFile(draft, formatSecret(secret), { mode: 0o600, flag: 'wx', flush: true })
    await link(draft, secretFile(config))
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
  await syncFolder(config.dataDir)
  return true
}

/** The secret that the configuration gives, if there is one. */
export const findSecret = async (config: SecretConfig): Promise<Buffer | null> =>
  config.secretKey ?? (await readSecretFile(config))

/** Why the secret of a database cannot be had; `damaged`: the file holds none. */
export type SecretProblem = 'missing' | 'other' | 'damaged'

/** The secret with that mark, or why it cannot be had. */
export async function findMarkedSecret(config: SecretConfig, mark: number): Promise<Buffer | SecretProblem> {
  try {
    const secret = await findSecret(config)
    if (secret === null) return 'missing'
    return openSeal(secret).mark === mark ? secret : 'other'
  } catch (error) {
    if (error instanceof AppError) return 'damaged'
    throw error
  }
}

async function makeSecret(config: SecretConfig): Promise<Buffer> {
  await writeSecretFile(config, randomBytes(secretBytes))
  // Another process may have been first.
  const secret = await readSecretFile(config)
  if (secret === null) throw new Error(`${secretFile(config)} is gone right after it was written`)
  return secret
}

const otherSecret = (config: SecretConfig, isMissing: boolean): AppError =>
  new AppError(
    'invalid_input',
    `${isMissing ? 'The secret of this database is missing' : 'This database belongs to another secret'}: put the file ` +
      `secret.key of its server, or of a backup, into ${config.dataDir}, or give the secret in FILESTORE_SECRET_KEY. If ` +
      "it is lost, 'filestore fsck --repair' accepts a new one; the addresses of links can then not be shown again.",
  )

/** Saves the mark of the first server; that of another one stays. */
async function claimMark(db: Database, mark: number): Promise<void> {
  if ((await lockState(db, 'secret_mark')) === undefined) await saveState(db, 'secret_mark', mark)
}

/** Opens the seal of a database. Throws `invalid_input` if the secret is missing or another one, and for a bad file. */
async function findSeal(db: Database, config: SecretConfig): Promise<Seal> {
  const known = await readState(db, 'secret_mark')
  const found = await findSecret(config)
  if (found === null && known !== undefined) throw otherSecret(config, true)
  const seal = openSeal(found ?? (await makeSecret(config)))
  if (known === undefined) await db.touch(() => claimMark(db, seal.mark))
  // Two servers may start for the first time at once; the mark of the first one holds.
  if ((await readState(db, 'secret_mark')) !== seal.mark) throw otherSecret(config, false)
  return seal
}

/** Returns a function that opens the seal at its first call. */
export function openServerSecret(db: Database, config: SecretConfig): () => Promise<Seal> {
  let seal: Promise<Seal> | undefined
  return () => {
    seal ??= findSeal(db, config).catch(error => {
      seal = undefined
      throw error
    })
    return seal
  }
}
