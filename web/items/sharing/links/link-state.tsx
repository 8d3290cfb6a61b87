/** Why a link does not work, with a button for what would make it work again. */
import { Button } from '@mantine/core'
import { explainState, type LinkRemedy } from '../../../../src/api/link-words.ts'
import type { Link } from '../../../../src/api/links.ts'
import { useAuth } from '../../../lib/server/auth-store.ts'
import { formatDay } from '../../../lib/words/format-date.ts'
import { usePhone } from '../../../ui/use-phone.ts'
import styles from './links.module.css'
import type { LinkActs } from './use-link-acts.tsx'

interface LinkStateProps {
  link: Link
  acts: LinkActs
  /** Opens the form that changes it. */
  onChange: () => void
}

const remedyNames: Record<LinkRemedy, string> = { resume: 'Resume', change: 'Change', take_over: 'Take over' }

export function LinkState({ link, acts, onChange }: LinkStateProps) {
  const user = useAuth(state => state.user)
  const size = usePhone() ? 'lg' : 'xs'
  if (user === null) return null
  const end = link.expires_at === null ? '' : formatDay(link.expires_at)
  const told = explainState(link, { end, sharing: user.sharing, userId: user.id })
  if (told === null) return null
  const [words, remedy] = told
  const run = { resume: acts.resume, change: onChange, take_over: acts.takeOver }
  return (
    <div className={styles.state} data-tone={link.reason === 'paused' ? 'quiet' : undefined}>
      <p>{words}</p>
      {remedy !== undefined && (
        <Button variant="default" size={size} onClick={run[remedy]}>
          {remedyNames[remedy]}
        </Button>
      )}
    </div>
  )
}
