/** The header of wide windows: logo, sections, the welcome line, the theme switch and Logout. */
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Profile } from '../../src/api/auth.ts'
import { displayName } from '../lib/server/auth-store.ts'
import { Mark } from '../ui/mark.tsx'
import styles from './header.module.css'
import { HelpButton } from './help-button.tsx'
import { SectionTabs } from './section-tabs.tsx'
import { askSignOut } from './sign-out.ts'
import { ThemeToggle } from './theme-toggle.tsx'

export function Header({ user }: { user: Profile }) {
  return (
    <header className={styles.header}>
      <Link to="/" className={styles.home} activeOptions={{ exact: true }}>
        <Mark size={20} />
        filestore
      </Link>
      <SectionTabs />
      <Link to="/account" className={styles.welcome}>
        Welcome, <strong>{displayName(user)}</strong>
      </Link>
      <HelpButton />
      <ThemeToggle />
      <Button variant="subtle" size="xs" onClick={askSignOut}>
        Logout
      </Button>
    </header>
  )
}
