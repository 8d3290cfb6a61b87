/** The signed-in user. */
import type { Profile } from '../../src/api/auth.ts'
import { formatDay } from '../lib/words/format-date.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { CardRows } from '../ui/card-rows.tsx'

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
      <CardRows rows={rows} />
    </Card>
  )
}
