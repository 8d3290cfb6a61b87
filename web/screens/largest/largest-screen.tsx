/** What takes the storage: the largest files, of all kinds or one, duplicates, and the way to the trash. */
import { NativeSelect } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { fileKinds } from '../../../src/api/kinds.ts'
import { kindLooks } from '../../items/kinds.ts'
import { ListScreen } from '../../items/list/list-screen.tsx'
import { usageWords } from '../../items/usage-bar.tsx'
import { largestQuery } from '../../lib/data/largest.ts'
import { type LargestSearch, readLargest } from '../../lib/data/largest-search.ts'
import { statsQuery, trashBytes } from '../../lib/data/stats.ts'
import { profileQuery } from '../../lib/data/storage.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { SearchDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './largest-screen.module.css'

export function LargestScreen() {
  const shown = readLargest(useSearch({ strict: false }))
  const { kind, duplicates = false } = shown
  return (
    <ListScreen
      key={`${kind} ${duplicates}`}
      title={duplicates ? 'Duplicates' : 'Largest files'}
      query={useInfiniteQuery(largestQuery(shown))}
      failure="Failed to load the largest files"
      choice={
        <div className={styles.choices}>
          <WhichChoice {...shown} />
          <KindChoice {...shown} />
        </div>
      }
      note={duplicates ? <p className={styles.note}>{duplicatesNote}</p> : <Note />}
      empty={
        <EmptyState
          drawing={<SearchDrawing />}
          title={emptyTitle(shown)}
          sentence={
            duplicates
              ? 'Files with the same content appear here, those first that take the most storage'
              : 'Your files appear here, those first that take the most storage'
          }
        />
      }
    />
  )
}

const duplicatesNote = 'Files whose content another of your files has, too. Each counts in full for your storage.'

function emptyTitle({ kind, duplicates = false }: LargestSearch): string {
  const kinds = kind === undefined ? '' : kindLooks[kind].plural.toLowerCase()
  if (duplicates) return kinds === '' ? 'Nothing is here twice' : `No ${kinds} are here twice`
  return kinds === '' ? 'Nothing is stored yet' : `No ${kinds}`
}

function WhichChoice({ kind, duplicates = false }: LargestSearch) {
  const navigate = useNavigate()
  return (
    <NativeSelect
      aria-label="Which files"
      size={usePhone() ? 'lg' : 'sm'}
      className={styles.choice}
      data={['Largest files', 'Duplicates']}
      value={duplicates ? 'Duplicates' : 'Largest files'}
      onChange={({ currentTarget: { value } }) =>
        void navigate({
          to: '/overview/largest',
          search: readLargest({ kind, duplicates: value === 'Duplicates' }),
          replace: true,
        })
      }
    />
  )
}

function KindChoice({ kind, duplicates }: LargestSearch) {
  const navigate = useNavigate()
  return (
    <NativeSelect
      aria-label="Kind of files"
      size={usePhone() ? 'lg' : 'sm'}
      className={styles.choice}
      data={[{ value: '', label: 'All kinds' }, ...fileKinds.map(value => ({ value, label: kindLooks[value].plural }))]}
      value={kind ?? ''}
      onChange={({ currentTarget: { value } }) =>
        void navigate({ to: '/overview/largest', search: readLargest({ kind: value, duplicates }), replace: true })
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
