/** The menu in wide windows, a chunk of its own. Written by hand: a library's menu took three times as long to open. */
import { useClickOutside } from '@mantine/hooks'
import { Fragment, useLayoutEffect } from 'react'
import styles from './floating-menu.module.css'
import { MenuCheck } from './menu-check.tsx'
import type { ActionMenuProps, MenuAction, MenuPlace } from './menu-props.ts'
import { useBeside } from './use-beside.ts'
import { useMenuKeys } from './use-menu-keys.ts'

export function FloatingMenu({ place, groups, label, onClose }: ActionMenuProps & { place: MenuPlace }) {
  const menu = useClickOutside<HTMLDivElement>(onClose, ['mousedown', 'touchstart', 'keydown'])
  const onKeyDown = useMenuKeys(menu, onClose)
  useBeside(menu, place)
  useLayoutEffect(() => menu.current?.querySelector('button')?.focus({ preventScroll: true }), [menu])
  return (
    <div
      ref={menu}
      role="menu"
      aria-label={label}
      aria-orientation="vertical"
      tabIndex={-1}
      className={styles.menu}
      // Escape closes only the menu and not the dialog around it. A click on a separator puts the focus here.
      data-mantine-stop-propagation="true"
      onKeyDown={onKeyDown}
      onContextMenu={event => event.preventDefault()}
    >
      {groups.map((group, index) => (
        <Fragment key={group[0]?.label}>
          {index > 0 && <div className={styles.line} />}
          {group.map(action => (
            <Item key={action.label} {...action} onClose={onClose} />
          ))}
        </Fragment>
      ))}
    </div>
  )
}

function Item(props: MenuAction & { onClose: () => void }) {
  const { label, icon: Glyph, shortcut, tone, isChecked, run, onClose } = props
  const isSwitch = isChecked !== undefined
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the role of a switch supports it
    <button
      type="button"
      role={isSwitch ? 'menuitemcheckbox' : 'menuitem'}
      aria-checked={isChecked}
      tabIndex={-1}
      className={styles.item}
      data-tone={tone}
      aria-keyshortcuts={shortcut}
      data-mantine-stop-propagation="true"
      onMouseDown={event => event.preventDefault()}
      onClick={() => {
        if (!isSwitch) onClose()
        run()
      }}
    >
      {Glyph && (
        <span className={styles.icon}>
          <Glyph size={16} stroke={1.75} aria-hidden />
        </span>
      )}
      {isSwitch && (
        <span className={styles.icon}>
          <MenuCheck isChecked={isChecked} size={16} />
        </span>
      )}
      <span className={styles.label}>{label}</span>
      {shortcut && (
        <span className={styles.shortcut} aria-hidden>
          {shortcut}
        </span>
      )}
    </button>
  )
}
