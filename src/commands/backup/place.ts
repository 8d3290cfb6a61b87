/** The place of backups: a folder with contents by SHA-256 and a manifest for each snapshot, or a single file. */
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, systemCode } from '../../base/errors.ts'
import { makeFolder } from '../../base/make-folder.ts'
import { mostWordsBytes, readText } from '../../base/read-text.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { openLocalStore } from '../../blobs/local.ts'

export interface Place {
  folder: string
  /**
   * Rows and files' bytes, each under its SHA-256. So nothing is saved twice, and anybody can check whether it is
   * intact.
   */
  contents: BlobStore
  /** The folder of the manifests. */
  snapshots: string
}

/** Tells people what the folder is, and lets filestore recognize it. */
export const label = 'README.txt'
/** The list of the snapshots' names, one a line, so that whoever deletes a snapshot on purpose can delete its line too. */
export const listName = 'snapshots.txt'
const words = `Backups of filestore: 'filestore restore <this folder>' makes the server of them again, on SQLite or MariaDB.

snapshots/     one JSON document for each backup: its time, and which contents are its rows
snapshots.txt  their names, by which a folder knows that one is gone
secret.key     the secret of the server, with which it can show the addresses of links again
blobs/         contents under their SHA-256: files as they are, rows as gzip of a JSON object a line

Remove or change nothing here by hand: 'filestore backup --keep <n>' removes the oldest backups and what only they need.
`

/** How the label in a backup file begins. */
export const fileTitle = 'Backups of filestore, one in a file:'
/** The label in a backup file, which unpacks to a backup folder. */
export const fileLabel = `${fileTitle} 'filestore restore <this file>' makes the server of it again.\n\n${words}`

/** Whether a path names a backup in one file. */
export const isBackupFile = (path: string): boolean => path.endsWith('.tar')

async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    if (systemCode(error) !== 'ENOTDIR') throw error
    throw new AppError(
      'invalid_input',
      `${folder} is no folder: backups go into a folder of their own, or into a file that ends in .tar`,
      {
        cause: error,
      },
    )
  }
}

async function openPlace(folder: string): Promise<Place> {
  const snapshots = join(folder, 'snapshots')
  await makeFolder(snapshots)
  return { folder, contents: await openLocalStore(folder), snapshots }
}

/** By its label, or where that was lost, by the list of snapshots. */
async function isPlace(folder: string): Promise<boolean> {
  const text = await readText(join(folder, label), { most: mostWordsBytes }).catch(() => '')
  return text.startsWith('Backups of filestore') || (await listFolder(folder)).includes(listName)
}

/** Opens a backup folder and creates it if needed. Throws `invalid_input` for a folder of other things. */
export async function makePlace(folder: string): Promise<Place> {
  const names = await listFolder(folder)
  if (names.length > 0 && !(await isPlace(folder))) {
    throw new AppError('invalid_input', `${folder} holds something else: backups go into a folder of their own`)
  }
  await makeFolder(folder)
  await writeFile(join(folder, label), words, { mode: 0o600 })
  return openPlace(folder)
}

/** Opens an existing backup folder. Throws `invalid_input` when there is none. */
export async function findPlace(folder: string): Promise<Place> {
  const isThere = (await stat(folder).catch(() => undefined))?.isDirectory() ?? false
  if (!isThere || !(await isPlace(folder))) throw new AppError('invalid_input', `There are no backups in ${folder}`)
  return openPlace(folder)
}
