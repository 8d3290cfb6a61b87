/** One team folder, as a link to it. */

import { Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { abilitiesIn, placeOfSpace } from '../../../src/api/rights.ts'
import { memberWords } from '../../../src/api/share-words.ts'
import type { Space } from '../../../src/api/spaces.ts'
import { openShareDialog } from '../../items/sharing/share-dialog-state.ts'
import { memberCount, SpaceUse } from '../../items/space-use.tsx'
import { useMay } from '../../lib/server/permissions.ts'
import { Badge } from '../../ui/badge.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './team-card.module.css'

/** How many managers are named. */
const named = 2

function managersOf({ managers }: Space): string {
  const names = managers.map(({ full_name, username }) => full_name ?? username)
  const rest = names.length - named
  if (names.length === 0) return 'No manager'
  return `Managed by ${names.slice(0, named).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

export function TeamCard({ space }: { space: Space }) {
  const { name, level, via, member_count } = space
  const managers = managersOf(space)
  const mayShare = useMay('files:share')
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <span className={styles.tile} aria-hidden>
          <IconUsers size={20} stroke={1.75} />
        </span>
        <Link
          to="/files/{-$folderId}"
          params={{ folderId: String(space.folder_id) }}
          className={styles.name}
          title={name}
          dir="auto"
        >
          {name}
        </Link>
        {level && <Badge>{memberWords[level]}</Badge>}
      </div>
      <SpaceUse space={space} />
      <p className={styles.meta}>
        {memberCount(member_count)}
        {via === 'group' && ' · through a group'}
      </p>
      <p className={styles.meta} title={managers}>
        {managers}
      </p>
      {level === 'manage' && mayShare && <Members space={space} />}
    </li>
  )
}

/** Opens the dialog that says who the members are, and changes them. */
function Members({ space }: { space: Space }) {
  const { folder_id, name } = space
  return (
    <Button
      variant="default"
      size={usePhone() ? 'lg' : 'xs'}
      className={styles.members}
      aria-label={`Members of ${name}`}
      onClick={() =>
        openShareDialog({
          id: folder_id,
          name,
          is_directory: true,
          place: placeOfSpace(space),
          may: abilitiesIn(space),
        })
      }
    >
      Members
    </Button>
  )
}

export const TeamCardSkeleton = () => (
  <li className={styles.card} aria-hidden>
    <div className={styles.head}>
      <span className={styles.tile} />
      <span className={styles.grey} style={{ width: '40%' }} />
    </div>
    <span className={styles.grey} style={{ width: '90%' }} />
    <span className={styles.grey} style={{ width: '30%' }} />
    <span className={styles.grey} style={{ width: '55%' }} />
  </li>
)
