/** Checks in the rows of a backup that keys for one folder are for a folder, in the space that they name. */
import type { Row } from '../../db/tables.ts'
import { scopeElsewhere, scopeIsFile } from './folder-keys.ts'

/** A key for one folder. */
export interface KeyScope {
  id: number
  space_id: number
  item_id: number
}

/** Folders and their spaces, in the same order; eight bytes for each number. */
export interface FolderSpaces {
  ids: Float64Array
  spaces: Float64Array
}

export const noFolders = (): FolderSpaces => ({ ids: new Float64Array(), spaces: new Float64Array() })

export const scopesOf = (rows: readonly Row[]): KeyScope[] =>
  rows.flatMap(({ id, scope_space_id, scope_item_id }) =>
    Number(scope_item_id ?? 0) > 0
      ? [{ id: Number(id), space_id: Number(scope_space_id), item_id: Number(scope_item_id) }]
      : [],
  )

export function folderSpacesOf(rows: readonly Row[]): FolderSpaces {
  const folders = rows.filter(({ is_directory }) => is_directory === 1)
  const numbers = (column: string) => Float64Array.from(folders.map(row => Number(row[column])))
  return { ids: numbers('id'), spaces: numbers('space_id') }
}

/** Remembers the spaces of those folders alone that keys are for. Tables come by name: keys come before files. */
export function openScopeCheck(isFile: (id: number) => boolean) {
  const scopes: KeyScope[] = []
  const wanted = new Set<number>()
  const spaceOf = new Map<number, number>()
  const tell = ({ id, space_id, item_id }: KeyScope): string[] => {
    if (isFile(item_id)) return [`api_keys ${id}: ${scopeIsFile}`]
    return (spaceOf.get(item_id) ?? space_id) === space_id ? [] : [`api_keys ${id}: ${scopeElsewhere}`]
  }
  return {
    add(found: readonly KeyScope[], { ids, spaces }: FolderSpaces): void {
      for (const scope of found) {
        scopes.push(scope)
        wanted.add(scope.item_id)
      }
      for (const [at, id] of ids.entries()) if (wanted.has(id)) spaceOf.set(id, spaces[at] ?? 0)
    },
    /** One sentence for each problem. */
    find: (): string[] => scopes.flatMap(tell),
  }
}
