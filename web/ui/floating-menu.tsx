/** The menu in wide windows, a chunk of its own. Written by hand: a library's menu took three times as long to open. */
import { useClickOutside } from '@mantine/hooks'
import { Fragment, useLayoutEffect } from 'react'
import styles from './floating-menu.module.css'
import { MenuCheck } from './menu-check.tsx'
import type { ActionMenuProps, MenuAction, MenuPlace } from './menu-props.ts'
import { useMenuKeys } from './use-menu-keys.ts'

/** Pixels between the menu and its anchor. */
const gap = 4
/** Pixels kept free at each window edge; the style sheet subtracts them from the maximum size. */
const margin = 5

export function FloatingMenu({ place, groups, label, onClose }: ActionMenuProps & { place: MenuPlace }) {
  const menu = useClickOutside<HTMLDivElement>(onClose, ['mousedown', 'touchstart', 'keydown'])
  const onKeyDown = useMenuKeys(menu, onClose)
  useLayoutEffect(() => {
    const element = menu.current
    if (element === null) return
    const settle = () => putBeside(element, place)
    settle()
    window.addEventListener('resize', settle)
    return () => window.removeEventListener('resize', settle)
  }, [menu, place])
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

/**
 * Opens below its anchor: to the right of a point, or aligned with a button's right edge. Without room it flips to the
 * other side; without room above and below, it opens beside the anchor.
 */
function putBeside(menu: HTMLElement, { x, y, width, height }: MenuPlace): void {
  Object.assign(menu.style, { left: '0', top: '0' })
  // In older browsers `fixed` may be relative to a container, so measure the menu's own origin.
  const own = menu.getBoundingClientRect()
  const [room, depth] = [window.innerWidth - margin, window.innerHeight - margin]
  const [below, above] = [y + height + gap, y - gap - own.height]
  const isAbove = below + own.height > depth && above >= margin
  const isAtSide = below + own.height > depth && above < margin
  const fromStart = isAtSide ? x + width + gap : x
  const fromEnd = (isAtSide ? x - gap : x + width) - own.width
  const isFromStart = fromEnd < margin || (width === 0 && fromStart + own.width <= room)
  const left = Math.max(margin, Math.min(isFromStart ? fromStart : fromEnd, room - own.width))
  const top = Math.max(margin, Math.min(isAbove ? above : below, depth - own.height))
  Object.assign(menu.style, { left: `${left - own.left}px`, top: `${top - own.top}px` })
}
