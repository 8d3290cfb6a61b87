/** Those who reach an item by links, in the list of who has access. */
import { IconLink } from '@tabler/icons-react'
import { reasonWords, type Sharable } from '../../../src/api/share-words.ts'
import type { AccessEntry } from '../../../src/api/shares.ts'
import { formatDay } from '../../lib/words/format-date.ts'
import { holdersOf, type LinkGroup, levelsOf } from './access-links.ts'
import { Because } from './because.tsx'
import styles from './share-dialog.module.css'

/** Why none or some of the links work; null if all do. */
function troubleOf(links: readonly AccessEntry[]): string | null {
  const dead = links.filter(({ works }) => !works)
  const [first] = dead
  if (first === undefined) return null
  if (links.length === 1) return reasonWords(first, first.expires_at === null ? '' : formatDay(first.expires_at))
  if (dead.length === links.length) return 'None of them works'
  return dead.length === 1 ? '1 of them does not work' : `${dead.length} of them do not work`
}

export function LinkAccessRow({ item, group: { because, links } }: { item: Sharable; group: LinkGroup }) {
  const trouble = troubleOf(links)
  // Somebody paused them on purpose.
  const isQuiet = links.every(({ reason }) => reason === null || reason === 'paused')
  const [only] = links
  const label = links.length === 1 ? only?.who.name : ''
  const isInherited = because.id !== item.id
  return (
    <li className={styles.item}>
      <div className={styles.entry}>
        <span className={styles.portrait}>
          <IconLink size={16} stroke={1.75} aria-hidden />
        </span>
        <div className={styles.who}>
          <span className={styles.name}>{holdersOf(links)}</span>
          {(isInherited || trouble !== null || label !== '') && (
            <span className={styles.facts}>
              {label !== '' && <bdi>{label}</bdi>}
              {isInherited && <Because because={because} />}
              {trouble !== null && <span className={isQuiet ? undefined : styles.reason}>{trouble}</span>}
            </span>
          )}
        </div>
        <span className={styles.level}>{levelsOf(links)}</span>
      </div>
    </li>
  )
}
