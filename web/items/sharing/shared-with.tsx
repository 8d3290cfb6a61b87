/** With whom an item is shared, in one line that opens the Share dialog. */
import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FileItem } from '../../../src/api/items.ts'
import type { AccessEntry } from '../../../src/api/shares.ts'
import { accessQuery } from '../../lib/data/shares.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { linkCount } from '../counts.ts'
import { Fact } from '../details/section.tsx'
import { openShareDialog } from './share-dialog-state.ts'
import styles from './shared-with.module.css'

/** How many of them are named. */
const named = 2

/** `Nobody`, `anna and Class 3`, `anna, ben, 4 more and 2 links`. */
function namesOf(entries: readonly AccessEntry[], userId: number | undefined): string {
  const working = entries.filter(({ works }) => works)
  const others = working.filter(({ who }) => who.kind === 'group' || (who.kind !== 'link' && who.id !== userId))
  const names = [...new Set(others.map(({ who }) => who.full_name ?? who.name))]
  const rest = names.length - named
  const links = working.filter(({ who }) => who.kind === 'link').length
  const parts = [
    ...names.slice(0, named),
    ...(rest > 0 ? [`${rest} more`] : []),
    ...(links > 0 ? [linkCount(links)] : []),
  ]
  const last = parts.pop()
  if (last === undefined) return 'Nobody'
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

export function SharedWith({ item }: { item: FileItem }) {
  const { data, isError } = useQuery(accessQuery(item.id))
  const userId = useAuth(({ user }) => user?.id)
  if (isError) return null
  return (
    <Fact label="Shared with">
      {data && (
        <UnstyledButton className={styles.names} aria-haspopup="dialog" onClick={() => openShareDialog(item)}>
          {namesOf(data, userId)}
        </UnstyledButton>
      )}
    </Fact>
  )
}
