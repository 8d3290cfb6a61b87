/** With whom an item is shared, in one line that opens the Share dialog. */
import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FileItem } from '../../../src/api/items.ts'
import type { AccessEntry } from '../../../src/api/shares.ts'
import { accessQuery } from '../../lib/data/shares.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { Fact } from '../details/section.tsx'
import { openShareDialog } from './share-dialog-state.ts'
import styles from './shared-with.module.css'

/** How many of them are named. */
const named = 2

/** `Nobody`, `anna and Class 3`, `anna, ben and 4 more`. */
function namesOf(entries: readonly AccessEntry[], userId: number | undefined): string {
  const others = entries.filter(({ who, works }) => works && (who.kind === 'group' || who.id !== userId))
  const names = [...new Set(others.map(({ who }) => who.full_name ?? who.name))]
  if (names.length === 0) return 'Nobody'
  const rest = names.length - named
  if (rest > 0) return `${names.slice(0, named).join(', ')} and ${rest} more`
  return names.join(' and ')
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
