/**
 * The server's secret in a backup: the file secret.key, as in the data folder, unless the environment gives the secret.
 * A folder keeps the secrets of earlier snapshots too, should the server have got another one: secret-<mark>.key.
 */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { openSeal } from '../../access/seal.ts'
import { findMarkedSecret, findSecret, formatSecret, secretFile, writeSecretFile } from '../../access/server-secret.ts'
import { AppError, systemCode } from '../../base/errors.ts'
import { mostWordsBytes, readText } from '../../base/read-text.ts'
import type { Config } from '../../config.ts'
import { readSecret } from '../../config-values.ts'
import { type Manifest, writeWhole } from './manifest.ts'
import type { Place } from './place.ts'

export const secretName = 'secret.key'

/** `saved`: the backup holds it. `given`: FILESTORE_SECRET_KEY gives it. `missing`: it could not be had. */
export type SecretState = 'saved' | 'given' | 'missing'

/** The secret of a database when it is backed up. */
export interface FoundSecret {
  mark: number
  state: SecretState
  /** What the backup is to hold; null unless it is saved. */
  secret: Buffer | null
}

/** Finds the secret of a database by its mark; null for a database that has none yet. */
export async function findSecretToSave(config: Config, mark: number | null): Promise<FoundSecret | null> {
  if (mark === null) return null
  const found = await findMarkedSecret(config, mark)
  if (typeof found === 'string') return { mark, state: 'missing', secret: null }
  return config.secretKey === null ? { mark, state: 'saved', secret: found } : { mark, state: 'given', secret: null }
}

const markOf = (secret: Buffer): number => openSeal(secret).mark
const earlierName = (mark: number): string => `secret-${mark.toString(16)}.key`

/** The secret in a file of a folder; null if there is none, or something else stands there. */
async function readKept(place: Pick<Place, 'folder'>, name: string): Promise<Buffer | null> {
  try {
    return readSecret(await readText(join(place.folder, name), { most: mostWordsBytes }))
  } catch (error) {
    if (systemCode(error) !== undefined && systemCode(error) !== 'ENOENT') throw error
    return null
  }
}

/** Saves the secret in a folder of backups, and keeps another one that its earlier snapshots need. */
export async function saveSecret(place: Place, secret: Buffer): Promise<void> {
  const kept = await readKept(place, secretName)
  if (kept?.equals(secret)) return
  const path = join(place.folder, secretName)
  if (kept !== null) await rename(path, join(place.folder, earlierName(markOf(kept))))
  await writeWhole(place, path, formatSecret(secret))
}

/** The secret of a mark in a backup; null if the backup does not hold it. */
export type FindKept = (mark: number) => Promise<Buffer | null>

export const keptInFolder =
  (place: Pick<Place, 'folder'>): FindKept =>
  async mark => {
    for (const name of [secretName, earlierName(mark)]) {
      const kept = await readKept(place, name)
      if (kept !== null && markOf(kept) === mark) return kept
    }
    return null
  }

export const keptInFile =
  (text: string | null): FindKept =>
  async mark => {
    const kept = text === null ? null : readSecret(text)
    return kept !== null && markOf(kept) === mark ? kept : null
  }

/** What is wrong with the secret of a snapshot, one sentence; none if the environment gives it. */
export async function tellSecret({ secret }: Pick<Manifest, 'secret'>, find: FindKept): Promise<string[]> {
  if (secret === undefined || secret.is_given || (await find(secret.mark)) !== null) return []
  return [`${secretName}: it is missing, or not the secret of this snapshot`]
}

/** Throws for a place where another secret is, before anything is restored: what is sealed could not be opened by it. */
export async function refuseOtherSecret(config: Config, { secret }: Pick<Manifest, 'secret'>): Promise<void> {
  if (secret === undefined) return
  const there = await findSecret(config)
  if (there === null || markOf(there) === secret.mark) return
  if (config.secretKey !== null) {
    const advice = "give that of the backup's server, or leave it away where the backup holds the secret"
    throw new AppError('invalid_input', `FILESTORE_SECRET_KEY is not the secret of this backup: ${advice}`)
  }
  throw new AppError('in_use', `${secretFile(config)} is the secret of another server, and stays: move it elsewhere`)
}

/**
 * Puts the secret of a snapshot in place, unless it is there. Returns `missing` if the backup does not hold it either;
 * null for a snapshot without one.
 */
export async function restoreSecret(
  config: Config,
  { secret }: Pick<Manifest, 'secret'>,
  find: FindKept,
): Promise<'restored' | 'given' | 'there' | 'missing' | null> {
  if (secret === undefined) return null
  if (config.secretKey !== null) return 'given'
  if ((await findSecret(config)) !== null) return 'there'
  const kept = await find(secret.mark)
  if (kept === null) return 'missing'
  await writeSecretFile(config, kept)
  await refuseOtherSecret(config, { secret })
  return 'restored'
}
