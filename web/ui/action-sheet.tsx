/** The menu on a phone, a sheet with large items; a chunk of its own. */
import { UnstyledButton } from '@mantine/core'
import styles from './action-sheet.module.css'
import { BottomSheet } from './bottom-sheet.tsx'
import { MenuCheck } from './menu-check.tsx'
import type { ActionMenuProps, MenuAction } from './menu-props.ts'

export function ActionSheet({ place, groups, label, head, onClose }: ActionMenuProps) {
  return (
    <BottomSheet opened={place !== null} onClose={onClose} label={label} returnFocus={false}>
      {head && <div className={styles.head}>{head}</div>}
      {groups.map(group => (
        <div key={group[0]?.label} className={styles.group}>
          {group.map(action => (
            <Item key={action.label} {...action} onClose={onClose} />
          ))}
        </div>
      ))}
    </BottomSheet>
  )
}

function Item({ label, icon: Glyph, tone, isCurrent, isChecked, run, onClose }: MenuAction & { onClose: () => void }) {
  const isSwitch = isChecked !== undefined
  return (
    <UnstyledButton
      className={styles.item}
      data-tone={tone}
      role={isSwitch ? 'checkbox' : undefined}
      aria-checked={isChecked}
      aria-current={isCurrent}
      onClick={() => {
        if (!isSwitch) onClose()
        run()
      }}
    >
      {Glyph && <Glyph size={20} stroke={1.75} aria-hidden />}
      {isSwitch && <MenuCheck isChecked={isChecked} size={20} />}
      {label}
    </UnstyledButton>
  )
}
