/** What there is to say of a link, besides its name: what visitors may, its limits, who made it. */
import { linkAdds } from '../../../../src/api/link-levels.ts'
import { linkUse } from '../../../../src/api/link-words.ts'
import type { Link } from '../../../../src/api/links.ts'
import { levelNames } from '../../../../src/api/share-words.ts'
import { useAuth } from '../../../lib/server/auth-store.ts'
import { formatDay } from '../../../lib/words/format-date.ts'
import { formatShare, formatSize } from '../../../lib/words/format-size.ts'
import styles from '../share-dialog.module.css'

export function LinkFacts({ link }: { link: Link }) {
  const { level, has_password, expires_at, max_bytes, bytes_in, ask_name, max_downloads, made_by, reason } = link
  const userId = useAuth(({ user }) => user?.id)
  return (
    <span className={styles.facts}>
      <span>{levelNames[level]}</span>
      {has_password && <span>with a password</span>}
      {expires_at !== null && reason !== 'expired' && <span>until {formatDay(expires_at)}</span>}
      {linkAdds(level) && ask_name && <span>asks for a name</span>}
      {linkAdds(level) && max_bytes !== null && (
        <span>
          {bytes_in === 0 ? `at most ${formatSize(max_bytes)}` : `${formatShare(bytes_in, max_bytes)} uploaded`}
        </span>
      )}
      {made_by !== null && made_by.id !== userId && (
        <span>
          by <bdi>{made_by.full_name ?? made_by.username}</bdi>
        </span>
      )}
      {max_downloads !== null && linkUse(link) === null && (
        <span>
          {max_downloads === 1 ? 'one download' : `at most ${max_downloads.toLocaleString('en-US')} downloads`}
        </span>
      )}
      {linkUse(link) === null && <span>not used yet</span>}
    </span>
  )
}
