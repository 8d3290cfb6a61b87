/** The overview: totals, storage by type, and recent files. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Profile } from '../../../src/api/auth.ts'
import { statsQuery } from '../../lib/data/stats.ts'
import { profileQuery } from '../../lib/data/storage.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { logFailure } from '../../lib/server/log-failure.ts'
import { useMay } from '../../lib/server/permissions.ts'
import { ProfileCard } from '../../shell/profile-card.tsx'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { Figures } from './figures.tsx'
import styles from './overview-screen.module.css'
import { RecentFiles } from './recent-files.tsx'
import { useReservedRows } from './reserved-rows.ts'
import { ServerSpace } from './server-space.tsx'
import type { Stats } from './stats.ts'
import { StorageDetails } from './storage-details.tsx'
import { TeamFolders } from './team-folders.tsx'

export function OverviewScreen() {
  const user = useAuth(state => state.user)
  const { data: stats, error, isPending } = useQuery(statsQuery)
  const profile = useQuery(profileQuery)
  const isWaiting = useDelayed(isPending, 150)
  const failure = error ?? profile.error
  useEffect(() => {
    if (failure !== null) logFailure('Failed to load statistics', failure)
  }, [failure])
  if (user === null) return null
  const state = stats ?? (isPending ? (isWaiting ? 'waiting' : 'soon') : 'failed')
  return <Overview user={user} stats={state} />
}

function Overview({ user, stats }: { user: Profile; stats: Stats }) {
  const maySeeServer = useMay('settings:manage')
  const rows = useReservedRows(user, stats)
  return (
    <Sheet title="Overview">
      <div className={styles.scroller}>
        <div className={styles.page}>
          <ScreenTitle>Overview</ScreenTitle>
          <Figures user={user} stats={stats} />
          <div className={styles.columns}>
            <div className={styles.column}>
              <StorageDetails user={user} stats={stats} rows={rows.storage} />
              <TeamFolders />
              {maySeeServer && <ServerSpace />}
            </div>
            <div className={styles.column}>
              <ProfileCard user={user} />
              <RecentFiles stats={stats} rows={rows.recent} />
            </div>
          </div>
        </div>
      </div>
    </Sheet>
  )
}
