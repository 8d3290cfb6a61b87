/** A menu of actions: next to its button or at the pointer, and on a phone a bottom sheet. */
import { UnstyledButton } from '@mantine/core'
import styles from './action-menu.module.css'
import { BottomSheet } from './bottom-sheet.tsx'
import { FloatingMenu } from './lazy-overlays.ts'
import type { ActionMenuProps } from './menu-props.ts'
import { usePhone } from './use-phone.ts'

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
