/** The folder that a key is for. */
import { useQuery } from '@tanstack/react-query'
import type { FileItem } from '../../../src/api/items.ts'
import type { ApiKey } from '../../../src/api/keys.ts'
import { keyFoldersQuery } from '../../lib/data/keys.ts'
import { Badge } from '../../ui/badge.tsx'
import styles from './key-facts.module.css'

interface Scope {
  /** The name of the folder; null while it is unknown, and once it is gone. */
  name: string | null
  path: string | null
  /** Whether the key reaches nothing: its folder is deleted, in the trash, or not shared any more. */
  isGone: boolean
}

/** The folder that a key is for; null for a key that is for everything. */
export function useScope({ scope_id }: Pick<ApiKey, 'scope_id'>): Scope | null {
  const { data: folders } = useQuery(keyFoldersQuery)
  if (scope_id === null) return null
  const folder = folders?.find(({ id }) => id === scope_id)
  if (folder === undefined) return { name: null, path: null, isGone: Array.isArray(folders) }
  return { name: folder.name, path: fullPath(folder), isGone: false }
}

/** `/Docs/Scans`; in a team folder `Choir/Scans`, in what anna shares `Scans of anna`. */
function fullPath({ path, place }: FileItem): string {
  if (place === null) return path
  const inPlace = path === '/' ? place.name : `${place.name}${path}`
  return place.from === null ? inPlace : `${inPlace} of ${place.from}`
}

/** Names the folder of a key for one folder. */
export function ScopeBadge({ apiKey }: { apiKey: ApiKey }) {
  const scope = useScope(apiKey)
  if (scope === null) return null
  if (scope.isGone) {
    return (
      <Badge
        tone="danger"
        hint="the folder of this key is deleted, in the trash or not shared any more; it reaches nothing"
      >
        Folder gone
      </Badge>
    )
  }
  return (
    <span className={styles.scope}>
      <Badge hint={scope.path === null ? 'for one folder alone' : `only for ${scope.path}`}>
        {scope.name === null ? 'One folder' : `In ${scope.name}`}
      </Badge>
    </span>
  )
}
