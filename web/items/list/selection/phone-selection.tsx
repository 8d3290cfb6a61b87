/** A phone's bars during a selection: the count replaces the breadcrumbs, the actions replace the buttons. */
import { Button, UnstyledButton } from '@mantine/core'
import { IconDots, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionMenu } from '../../../ui/action-menu.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { MenuPlace } from '../../../ui/menu-props.ts'
import type { Listing } from '../listing.ts'
import styles from './phone-selection.module.css'
import type { SelectionAct } from './selection-acts.ts'
import type { Selection } from './use-selection.ts'

/** Whether a phone shows these bars. */
export const isSelecting = ({ selection }: { selection: Selection }): boolean =>
  selection.ids.size > 0 || selection.awaited !== null

interface PhoneSelectionTopProps {
  selection: Selection
  listing: Listing
  /** The bar that this one replaces, whose height it takes. */
  over: 'path' | 'search' | 'title'
}

export function PhoneSelectionTop({ selection, listing, over }: PhoneSelectionTopProps) {
  const loaded = Math.min(listing.items.length, selection.awaited ?? 0)
  return (
    <div className={styles.top} data-over={over} role="toolbar" aria-label="Selection">
      <IconButton label="Clear selection" icon={IconX} iconSize={20} size="lg" onClick={selection.clear} />
      <h1 className={styles.count} aria-live="polite">
        {selection.awaited === null
          ? `${selection.ids.size.toLocaleString('en-US')} selected`
          : `Selecting ${loaded.toLocaleString('en-US')} of ${selection.awaited.toLocaleString('en-US')}…`}
      </h1>
      <Button variant="subtle" size="lg" onClick={selection.selectAll}>
        Select all
      </Button>
    </div>
  )
}

interface PhoneSelectionBottomProps {
  selection: Selection
  acts: readonly SelectionAct[]
}

export function PhoneSelectionBottom({ selection, acts }: PhoneSelectionBottomProps) {
  const [place, setPlace] = useState<MenuPlace | null>(null)
  const more = acts.filter(({ isMore }) => isMore)
  return (
    <div className={styles.bottom} data-bottom-bar>
      {acts
        .filter(({ isMore }) => !isMore)
        .map(({ word, icon: Glyph, tone, run }) => (
          <UnstyledButton
            key={word}
            className={styles.act}
            data-tone={tone}
            disabled={selection.awaited !== null}
            onClick={() => run(selection.items)}
          >
            <Glyph size={20} stroke={1.75} aria-hidden />
            {word}
          </UnstyledButton>
        ))}
      {more.length > 0 && (
        <UnstyledButton
          className={styles.act}
          aria-haspopup="dialog"
          disabled={selection.awaited !== null}
          onClick={event => setPlace(event.currentTarget.getBoundingClientRect())}
        >
          <IconDots size={20} stroke={1.75} aria-hidden />
          More
        </UnstyledButton>
      )}
      <ActionMenu
        place={place}
        groups={[
          more.map(({ word, full, icon, run }) => ({ label: full ?? word, icon, run: () => run(selection.items) })),
        ]}
        label="More"
        onClose={() => setPlace(null)}
      />
    </div>
  )
}
