/** The menu on phones: sections, account, theme and Logout. */
import { UnstyledButton } from '@mantine/core'
import {
  type Icon,
  IconCircleCheck,
  IconClock,
  IconFolder,
  IconKey,
  IconKeyboard,
  IconLayoutDashboard,
  IconLogout,
  IconSettings,
  IconStar,
  IconTag,
  IconTrash,
  IconUser,
  IconUserShare,
  IconUsers,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Profile } from '../../src/api/auth.ts'
import { displayName } from '../lib/server/auth-store.ts'
import { showHelp } from './help.ts'
import { NewSharesCount } from './lazy-counts.ts'
import { PendingCount } from './pending-count.tsx'
import styles from './phone-menu.module.css'
import { type SectionName, useSections } from './sections.ts'
import { askSignOut } from './sign-out.ts'
import { useThemeSwitch } from './theme-toggle.tsx'

const icons = {
  Files: IconFolder,
  'Team folders': IconUsers,
  Shared: IconUserShare,
  Favorites: IconStar,
  Recent: IconClock,
  Trash: IconTrash,
  Overview: IconLayoutDashboard,
  'API Keys': IconKey,
  Tags: IconTag,
  Settings: IconSettings,
  Validation: IconCircleCheck,
} satisfies Record<SectionName, Icon>

export function PhoneMenu({ user, onClose }: { user: Profile; onClose: () => void }) {
  const sections = useSections()
  const theme = useThemeSwitch()
  const leave = () => {
    onClose()
    askSignOut()
  }
  return (
    <>
      <nav className={styles.sections} aria-label="Sections">
        {sections.map(({ label, to }) => {
          const Glyph = icons[label]
          return (
            <Link key={to} to={to} className={styles.item} onClick={onClose}>
              <Glyph size={20} stroke={1.75} aria-hidden />
              {label}
              {to === '/validation' && <PendingCount />}
              {to === '/shared/{-$tab}' && <NewSharesCount />}
            </Link>
          )
        })}
      </nav>
      <Link to="/account" className={styles.item} onClick={onClose}>
        <IconUser size={20} stroke={1.75} aria-hidden />
        <span>
          Welcome, <strong>{displayName(user)}</strong>
        </span>
      </Link>
      <UnstyledButton
        className={styles.item}
        onClick={() => {
          onClose()
          showHelp()
        }}
      >
        <IconKeyboard size={20} stroke={1.75} aria-hidden />
        Keyboard shortcuts
      </UnstyledButton>
      <UnstyledButton className={styles.item} onClick={theme.run}>
        <theme.icon size={20} stroke={1.75} aria-hidden />
        {theme.label}
      </UnstyledButton>
      <UnstyledButton className={styles.item} onClick={leave}>
        <IconLogout size={20} stroke={1.75} aria-hidden />
        Logout
      </UnstyledButton>
    </>
  )
}
