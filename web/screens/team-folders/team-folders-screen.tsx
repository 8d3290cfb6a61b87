/** The team folders of the user: level, members, use and managers of each; a click opens the folder. */
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
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
import { usePhone } from '../../ui/use-phone.ts'
import { TeamCard, TeamCardSkeleton } from './team-card.tsx'
import styles from './team-folders-screen.module.css'

const waiting = [1, 2, 3]

export function TeamFoldersScreen() {
  const { data: spaces, error, errorUpdateCount, isPending, refetch } = useQuery(spacesQuery)
  const [dismissed, setDismissed] = useState(0)
  const isWaiting = useDelayed(isPending, 150)
  const mayMake = useMay('spaces:manage')
  const size = usePhone() ? 'lg' : 'sm'
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
              ? 'You may make one. Its managers choose the members.'
              : 'Administrators make team folders, and their managers add members. Ask them to add you.'
          }
        >
          {mayMake && (
            <Button
              size={size}
              leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
              renderRoot={props => (
                <Link to="/settings/{-$tab}" params={{ tab: 'team-folders' }} hash="new" {...props} />
              )}
            >
              New Team Folder
            </Button>
          )}
        </EmptyState>
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
