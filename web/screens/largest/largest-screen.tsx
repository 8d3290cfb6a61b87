/** What takes the storage: the largest files, of all kinds or one, and the way to the trash. */
import { NativeSelect } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FileKind, fileKinds } from '../../../src/api/kinds.ts'
import { kindLooks } from '../../items/kinds.ts'
import { ListScreen } from '../../items/list/list-screen.tsx'
import { usageWords } from '../../items/usage-bar.tsx'
import { largestQuery } from '../../lib/data/largest.ts'
import { readLargest } from '../../lib/data/largest-search.ts'
import { statsQuery, trashBytes } from '../../lib/data/stats.ts'
import { profileQuery } from '../../lib/data/storage.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { SearchDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './largest-screen.module.css'

export function LargestScreen() {
  const { kind } = readLargest(useSearch({ strict: false }))
  return (
    <ListScreen
      key={kind}
      title="Largest files"
      query={useInfiniteQuery(largestQuery(kind))}
      failure="Failed to load the largest files"
      choice={<KindChoice kind={kind} />}
      note={<Note />}
      empty={
        <EmptyState
          drawing={<SearchDrawing />}
          title={kind === undefined ? 'Nothing is stored yet' : `No ${kindLooks[kind].plural.toLowerCase()}`}
          sentence="Your files appear here, those first that take the most storage"
        />
      }
    />
  )
}

function KindChoice({ kind }: { kind: FileKind | undefined }) {
  const navigate = useNavigate()
  return (
    <NativeSelect
      aria-label="Kind of files"
      size={usePhone() ? 'lg' : 'sm'}
      className={styles.choice}
      data={[{ value: '', label: 'All kinds' }, ...fileKinds.map(value => ({ value, label: kindLooks[value].plural }))]}
      value={kind ?? ''}
      onChange={({ currentTarget: { value } }) =>
        void navigate({ to: '/overview/largest', search: readLargest({ kind: value }), replace: true })
      }
    />
  )
}

/** How much is used, and how much of that the trash gives back. */
function Note() {
  useQuery(profileQuery)
  const user = useAuth(state => state.user)
  const { data: stats } = useQuery(statsQuery)
  if (user === null) return null
  const bytes = stats === undefined ? 0 : trashBytes(user, stats)
  return (
    <p className={styles.note}>
      {usageWords(user)}
      {bytes > 0 && (
        <>
          , {formatSize(bytes)} of it by the <Link to="/trash">trash</Link>
        </>
      )}
    </p>
  )
}
