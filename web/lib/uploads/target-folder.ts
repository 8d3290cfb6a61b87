/** The folders that uploads go into: an existing one, and sub-folders that are created on demand. */
import type { Call } from '../../../src/api/client.ts'
import { createFolder } from '../../../src/api/files.ts'

export interface TargetFolder {
  readonly name: string
  /** Null for the existing folder. */
  readonly parent: TargetFolder | null
  readonly children: Map<string, TargetFolder>
  /** Its id (null is the root), once requested. A failure stays until it is forgotten. */
  made: Promise<number | null> | undefined
}

/** An existing folder, as the user knows it. */
export interface ExistingFolder {
  /** Null is the root. */
  id: number | null
  /** Null while it is unknown. */
  name: string | null
}

export const existingFolder = ({ id, name }: ExistingFolder): TargetFolder => ({
  name: name ?? '',
  parent: null,
  children: new Map(),
  made: Promise.resolve(id),
})

/** The sub-folder at a path of names. Each folder has one object, so that it is created only once. */
export function folderBelow(top: TargetFolder, names: readonly string[]): TargetFolder {
  return names.reduce((parent, name) => {
    const known = parent.children.get(name)
    if (known !== undefined) return known
    const folder: TargetFolder = { name, parent, children: new Map(), made: undefined }
    parent.children.set(name, folder)
    return folder
  }, top)
}

/** The id of a folder; creates it and its parents if needed. An existing folder of that name is used. */
export function makeFolder(call: Call, folder: TargetFolder): Promise<number | null> {
  folder.made ??= create(call, folder.name, folder.parent)
  return folder.made
}

async function create(call: Call, name: string, parent: TargetFolder | null): Promise<number> {
  const parentId = parent === null ? null : await makeFolder(call, parent)
  return (await call(createFolder, { name, parent_id: parentId, exist_ok: true })).file.id
}

/** Makes the next upload create the folders again, because that failed or they may have been deleted. */
export function forgetFolder(folder: TargetFolder): void {
  for (let each = folder; each.parent !== null; each = each.parent) each.made = undefined
}

/** The folders from below the existing one down to a folder. */
export const stepsTo = (folder: TargetFolder): string[] =>
  folder.parent === null ? [] : [...stepsTo(folder.parent), folder.name]

/** The path below the existing folder, for people: `Photos/2026`; empty for that folder itself. */
export const wayTo = (folder: TargetFolder): string => stepsTo(folder).join('/')

/** The existing folder that a folder is, or will be, below. */
export const topOf = (folder: TargetFolder): TargetFolder => (folder.parent === null ? folder : topOf(folder.parent))

/** The same with the existing folder: `Campaigns (Marketing)/Photos`; empty if its name is unknown. */
export function fullWayTo(folder: TargetFolder): string {
  if (folder.parent === null) return folder.name
  const above = fullWayTo(folder.parent)
  return above === '' ? '' : `${above}/${folder.name}`
}
