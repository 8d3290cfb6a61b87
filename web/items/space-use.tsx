/** How much of a team folder's quota is used, and other facts of it in words. */
import type { Space } from '../../src/api/spaces.ts'
import { usageOf } from '../lib/data/storage.ts'
import styles from './space-use.module.css'
import { UsageBar, usageWords } from './usage-bar.tsx'

export const memberCount = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'member' : 'members'}`

export function SpaceUse({ space }: { space: Space }) {
  return (
    <div className={styles.use}>
      <UsageBar label={`Storage of ${space.name}`} usage={space} />
      <p className={styles.words}>
        <span>{usageWords(space)}</span>
        <span className={styles.percent}>{usageOf(space).percentText}</span>
      </p>
    </div>
  )
}
