/** The menu of wide windows, in a chunk of its own. */
import { Menu } from '@mantine/core'
import { Fragment } from 'react'
import styles from './action-menu.module.css'
import type { ActionMenuProps, MenuPlace } from './action-menu.tsx'

export function FloatingMenu({ place, groups, label, onClose }: ActionMenuProps & { place: MenuPlace }) {
  const anchor = { left: place.x, top: place.y, width: place.width, height: place.height }
  return (
    <Menu
      opened
      onClose={onClose}
      returnFocus={false}
      withinPortal={false}
      floatingStrategy="fixed"
      withInitialFocusPlaceholder={false}
      position={place.width > 0 ? 'bottom-end' : 'bottom-start'}
    >
      <Menu.Target>
        <button type="button" className={styles.anchor} style={anchor} tabIndex={-1} aria-label={label} />
      </Menu.Target>
      <Menu.Dropdown onContextMenu={event => event.preventDefault()}>
        {groups.map((group, index) => (
          <Fragment key={group[0]?.label}>
            {index > 0 && <Menu.Divider />}
            {group.map(({ label: name, icon: Glyph, shortcut, tone, run }) => (
              <Menu.Item
                key={name}
                data-tone={tone}
                leftSection={Glyph && <Glyph size={16} stroke={1.75} aria-hidden />}
                rightSection={shortcut && <span aria-hidden>{shortcut}</span>}
                aria-keyshortcuts={shortcut}
                closeMenuOnClick={false}
                onClick={() => {
                  onClose()
                  run()
                }}
              >
                {name}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
