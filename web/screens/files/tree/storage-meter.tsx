/** How much of the quota is used, below the folder tree: of the own one, or in a team folder of that one. */
import { useQuery } from '@tanstack/react-query'
import { type Usage, UsageBar, usageWords } from '../../../items/usage-bar.tsx'
import { spacesQuery } from '../../../lib/data/spaces.ts'
import { profileQuery, usageOf } from '../../../lib/data/storage.ts'
import { useAuth } from '../../../lib/server/auth-store.ts'
import styles from './storage-meter.module.css'

/** `teamId` is the team folder on screen; null outside of one. */
export function StorageMeter({ teamId }: { teamId: number | null }) {
  // Refetches the user below after every upload and deletion.
  useQuery(profileQuery)
  const { data: spaces } = useQuery(spacesQuery)
  const user = useAuth(state => state.user)
  const team = spaces?.find(({ folder_id }) => folder_id === teamId)
  const usage: Usage | null = team ?? user
  if (usage === null) return null
  const label = team ? `Storage of ${team.name}` : 'Storage'
  return (
    <div className={styles.meter}>
      <div className={styles.line}>
        <span className={styles.name} title={label}>
          {label}
        </span>
        <span className={styles.percent}>{usageOf(usage).percentText}</span>
      </div>
      <div className={styles.bar}>
        <UsageBar label={label} usage={usage} />
      </div>
      <p className={styles.words}>{usageWords(usage)}</p>
    </div>
  )
}
