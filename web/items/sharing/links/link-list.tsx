/** The links of an item: the newest, and all on demand. */
import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import type { Link } from '../../../../src/api/links.ts'
import type { Sharable } from '../../../../src/api/share-words.ts'
import type { SharingSettings } from '../../../../src/api/sharing-settings.ts'
import { useFocusHeir } from '../../../ui/use-focus-heir.ts'
import { usePhone } from '../../../ui/use-phone.ts'
import dialog from '../share-dialog.module.css'
import { LinkRow } from './link-row.tsx'
import styles from './links.module.css'

/** How many are shown at first, so that who has access stays in reach below. */
const fewest = 3

interface LinkListProps {
  item: Sharable
  links: readonly Link[]
  rules: SharingSettings
}

export function LinkList({ item, links, rules }: LinkListProps) {
  const [isWhole, setWhole] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  // With none left, what makes the next one gets the focus; where links are off, the list keeps its place.
  const focusMaker = () => {
    const maker = list.current?.closest('section')?.querySelector<HTMLElement>('[data-maker]')
    ;(maker ?? list.current)?.focus()
  }
  const focusNext = useFocusHeir(list, links, focusMaker)
  const size = usePhone() ? 'lg' : 'xs'
  const shown = isWhole ? links : links.slice(0, fewest)
  return (
    <>
      <ul ref={list} className={`${dialog.entries} ${styles.list}`} tabIndex={-1} aria-label="Links">
        {shown.map(link => (
          <LinkRow key={link.id} item={item} link={link} rules={rules} onEnd={focusNext} />
        ))}
      </ul>
      {links.length > fewest && (
        <Button
          variant="subtle"
          size={size}
          className={styles.more}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `Show all ${links.length} links`}
        </Button>
      )}
    </>
  )
}
