/** The folder that a key is for. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError } from '../../../src/api/client.ts'
import { getFile } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import type { ApiKey } from '../../../src/api/keys.ts'
import { call } from '../../lib/server/call.ts'
import { Badge } from '../../ui/badge.tsx'
import styles from './key-facts.module.css'

/** The folder, or null if its key reaches nothing: it is deleted, in the trash, or not shared any more. */
const scopeQuery = (id: number) =>
  queryOptions({
    queryKey: ['item', id, 'scope'],
    queryFn: async (): Promise<FileItem | null> => {
      try {
        return (await call(getFile, { id })).file
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })

interface Scope {
  /** The name of the folder; null while it is unknown, and once it is gone. */
  name: string | null
  path: string | null
  isGone: boolean
}

/** The folder that a key is for; null for a key that is for everything. */
export function useScope({ scope_id }: Pick<ApiKey, 'scope_id'>): Scope | null {
  const { data } = useQuery({ ...scopeQuery(scope_id ?? 0), enabled: scope_id !== null })
  if (scope_id === null) return null
  if (data === undefined || data === null) return { name: null, path: null, isGone: data === null }
  return { name: data.name, path: fullPath(data), isGone: false }
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
