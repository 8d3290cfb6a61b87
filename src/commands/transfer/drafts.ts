/**
 * Drafts: files under a temporary name until they are complete. A killed process leaves them behind, and nobody needs
 * them.
 */
import { randomUUID } from 'node:crypto'
import { opendir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The client's downloads use the same names. */
const form = /^\.filestore-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/

/** Returns a path in the folder that no other writer uses. */
export const newDraft = (folder: string): string => join(folder, `.filestore-${randomUUID()}.part`)

export const isDraft = (name: string): boolean => form.test(name)

/** Returns the paths of the drafts in a folder. */
export async function findDrafts(folder: string): Promise<string[]> {
  const paths: string[] = []
  for await (const entry of await opendir(folder)) {
    if (entry.isFile() && isDraft(entry.name)) paths.push(join(folder, entry.name))
  }
  return paths
}

/** Removes the drafts that earlier runs have left in a folder. */
export async function removeDrafts(folder: string): Promise<void> {
  for (const path of await findDrafts(folder)) await rm(path, { force: true })
}
