/** Whether a link works, in a word or two: until when, or why not. */
import { explainState, linkStates } from '../../../../src/api/link-words.ts'
import type { Link } from '../../../../src/api/links.ts'
import { useAuth } from '../../../lib/server/auth-store.ts'
import { formatDay } from '../../../lib/words/format-date.ts'
import { Badge } from '../../../ui/badge.tsx'

/** `Works`, `Until 04 May 2027`, `Paused`. */
export function stateOfLink({ reason, expires_at }: Pick<Link, 'reason' | 'expires_at'>): string {
  if (reason !== null) return linkStates[reason]
  return expires_at === null ? 'Works' : `Until ${formatDay(expires_at)}`
}

/** `hint` is what to do about it. */
export function StateBadge({ link, hint }: { link: Pick<Link, 'reason' | 'expires_at'>; hint?: string }) {
  const { reason } = link
  if (reason === null) return <>{stateOfLink(link)}</>
  return (
    <Badge tone={reason === 'paused' ? 'grey' : 'danger'} {...(hint === undefined ? {} : { hint })}>
      {linkStates[reason]}
    </Badge>
  )
}

/** The same for who may change the link. */
export function LinkBadge({ link }: { link: Link }) {
  const user = useAuth(state => state.user)
  const end = link.expires_at === null ? '' : formatDay(link.expires_at)
  const told = user && explainState(link, { end, sharing: user.sharing, userId: user.id })
  return <StateBadge link={link} hint={told?.[0]} />
}
