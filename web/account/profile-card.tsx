/** Who is signed in. */
import type { Profile } from '../../src/api/auth.ts'
import { formatDay } from '../lib/format-date.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import styles from './profile-card.module.css'

export function ProfileCard({ user }: { user: Profile }) {
  const rows = [
    ['Username', user.username],
    ['Email', user.email],
    ['Full name', user.full_name || 'Not set'],
    ['Member since', formatDay(user.created_at)],
  ] as const
  return (
    <Card
      title="Profile"
      mark={<Badge tone={user.role === 'admin' ? 'accent' : 'grey'}>{user.role.toUpperCase()}</Badge>}
    >
      <dl className={styles.rows}>
        {rows.map(([label, value]) => (
          <div key={label} className={styles.row}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
