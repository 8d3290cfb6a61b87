/** The folders that uploads go into: one that is there, and those below it that are made on the way. */
import type { Call } from '../../../src/api/client.ts'
import { createFolder } from '../../../src/api/files.ts'

export interface TargetFolder {
  readonly name: string
  /** Null for the folder that is there already. */
  readonly parent: TargetFolder | null
  readonly children: Map<string, TargetFolder>
  /** Its id (null is the root), once somebody has asked for it; a failure stays until it is forgotten. */
  made: Promise<number | null> | undefined
}

/** A folder that is there; null is the root. */
export const existingFolder = (id: number | null): TargetFolder => ({
  name: '',
  parent: null,
  children: new Map(),
  made: Promise.resolve(id),
})

/** The folder at the end of a way of names: one object for each folder, so that each is made once. */
export function folderBelow(top: TargetFolder, names: readonly string[]): TargetFolder {
  return names.reduce((parent, name) => {
    const known = parent.children.get(name)
    if (known !== undefined) return known
    const folder: TargetFolder = { name, parent, children: new Map(), made: undefined }
    parent.children.set(name, folder)
    return folder
  }, top)
}

/** The id of a folder, which is made if need be, after those above it; one of that name that is there is taken. */
export function makeFolder(call: Call, folder: TargetFolder): Promise<number | null> {
  folder.made ??= create(call, folder.name, folder.parent)
  return folder.made
}

async function create(call: Call, name: string, parent: TargetFolder | null): Promise<number> {
  const parentId = parent === null ? null : await makeFolder(call, parent)
  return (await call(createFolder, { name, parent_id: parentId, exist_ok: true })).file.id
}

/** Lets the next upload try anew to make what had to be made, for it failed or may be gone. */
export function forgetFolder(folder: TargetFolder): void {
  for (let each = folder; each.parent !== null; each = each.parent) each.made = undefined
}

/** The way from the folder that is there, for people: `Photos/2026`; empty for that folder itself. */
export function wayTo(folder: TargetFolder): string {
  if (folder.parent === null) return ''
  const above = wayTo(folder.parent)
  return above === '' ? folder.name : `${above}/${folder.name}`
}
