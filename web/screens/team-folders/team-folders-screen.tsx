/** The team folders of the user: level, members, use and managers of each; a click opens the folder. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { spacesQuery } from '../../lib/data/spaces.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { useMay } from '../../lib/server/permissions.ts'
import { TeamDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { TeamCard, TeamCardSkeleton } from './team-card.tsx'
import styles from './team-folders-screen.module.css'

const waiting = [1, 2, 3]

export function TeamFoldersScreen() {
  const { data: spaces, error, errorUpdateCount, isPending, refetch } = useQuery(spacesQuery)
  const [dismissed, setDismissed] = useState(0)
  const isWaiting = useDelayed(isPending, 150)
  const mayMake = useMay('spaces:manage')
  return (
    <Sheet title="Team folders">
      <div className={styles.head}>
        <ScreenTitle count={spaces?.length}>Team folders</ScreenTitle>
      </div>
      {error && errorUpdateCount > dismissed && (
        <ErrorStrip
          title="Failed to load team folders"
          reason={reasonOf(error)}
          onRetry={() => void refetch()}
          onDismiss={() => setDismissed(errorUpdateCount)}
        />
      )}
      {spaces?.length === 0 && (
        <EmptyState
          drawing={<TeamDrawing />}
          title="You are in no team folder yet"
          sentence={
            mayMake
              ? 'You may make team folders in the settings. Their managers choose the members.'
              : 'Administrators make team folders, and their managers add members. Ask them to add you.'
          }
        />
      )}
      <div className={styles.scroller}>
        <ul className={styles.cards} aria-busy={isPending || undefined}>
          {spaces?.map(space => (
            <TeamCard key={space.id} space={space} />
          ))}
          {isWaiting && waiting.map(each => <TeamCardSkeleton key={each} />)}
        </ul>
      </div>
    </Sheet>
  )
}
