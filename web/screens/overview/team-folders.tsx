/** The use and quota of the user's team folders; nothing for a user without any. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { SpaceUse } from '../../items/space-use.tsx'
import { spacesQuery } from '../../lib/data/spaces.ts'
import { logFailure } from '../../lib/server/log-failure.ts'
import { Card } from '../../ui/card.tsx'
import styles from './team-folders.module.css'

/** How many are shown; the others are behind the link. */
const shown = 6

export function TeamFolders() {
  const { data = [], error } = useQuery(spacesQuery)
  useEffect(() => {
    if (error !== null) logFailure('Failed to load team folders', error)
  }, [error])
  if (data.length === 0) return null
  return (
    <Card
      title="Team Folders"
      mark={<Link to="/team-folders">{data.length > shown ? `All ${data.length}` : 'All'}</Link>}
    >
      <ul className={styles.list}>
        {data.slice(0, shown).map(space => (
          <li key={space.id} className={styles.team}>
            <Link
              to="/files/{-$folderId}"
              params={{ folderId: String(space.folder_id) }}
              className={styles.name}
              title={space.name}
              dir="auto"
            >
              {space.name}
            </Link>
            <SpaceUse space={space} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
