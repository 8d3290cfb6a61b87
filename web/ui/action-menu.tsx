/** A menu of actions: beside its button or at the pointer, and on a phone a sheet from below. */
import { UnstyledButton } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './action-menu.module.css'
import { BottomSheet } from './bottom-sheet.tsx'
import { FloatingMenu } from './late.ts'
import { usePhone } from './use-phone.ts'

export interface MenuAction {
  label: string
  icon?: Icon
  /** The key that does the same. */
  shortcut?: string
  tone?: 'danger'
  /** Whether it is the choice in force. */
  isCurrent?: boolean
  run: () => void
}

/** Where the menu opens, in window coordinates: a point, or the rectangle of its button. */
export type MenuPlace = Pick<DOMRect, 'x' | 'y' | 'width' | 'height'>

export interface ActionMenuProps {
  /** Null while the menu is closed. */
  place: MenuPlace | null
  /** Actions in groups; a hairline stands between two groups. */
  groups: readonly (readonly MenuAction[])[]
  /** What the menu belongs to: its name for screen readers, and on a phone the head of the sheet. */
  label: string
  head?: ReactNode
  /** Called before the action that was chosen, and when none was; the focus is the caller's to give. */
  onClose: () => void
}

export function ActionMenu(props: ActionMenuProps) {
  const isPhone = usePhone()
  if (isPhone) return <ActionSheet {...props} />
  return props.place === null ? null : <FloatingMenu {...props} place={props.place} />
}

function ActionSheet({ place, groups, label, head, onClose }: ActionMenuProps) {
  return (
    <BottomSheet opened={place !== null} onClose={onClose} label={label} returnFocus={false}>
      {head && <div className={styles.head}>{head}</div>}
      {groups.map(group => (
        <div key={group[0]?.label} className={styles.group}>
          {group.map(({ label: name, icon: Glyph, tone, isCurrent, run }) => (
            <UnstyledButton
              key={name}
              className={styles.item}
              data-tone={tone}
              aria-current={isCurrent}
              onClick={() => {
                onClose()
                run()
              }}
            >
              {Glyph && <Glyph size={20} stroke={1.75} aria-hidden />}
              {name}
            </UnstyledButton>
          ))}
        </div>
      ))}
    </BottomSheet>
  )
}
