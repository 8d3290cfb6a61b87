/** Files under a name of their own until they are whole: a process that is killed leaves them, and nobody needs them. */
import { randomUUID } from 'node:crypto'
import { opendir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** That of the client's downloads, too. */
const form = /^\.filestore-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/

/** A path in the folder that nobody else writes. */
export const newDraft = (folder: string): string => join(folder, `.filestore-${randomUUID()}.part`)

export const isDraft = (name: string): boolean => form.test(name)

/** The paths of those that lie in a folder. */
export async function findDrafts(folder: string): Promise<string[]> {
  const paths: string[] = []
  for await (const entry of await opendir(folder)) {
    if (entry.isFile() && isDraft(entry.name)) paths.push(join(folder, entry.name))
  }
  return paths
}

/** Removes what earlier runs have left in a folder. */
export async function removeDrafts(folder: string): Promise<void> {
  for (const path of await findDrafts(folder)) await rm(path, { force: true })
}
