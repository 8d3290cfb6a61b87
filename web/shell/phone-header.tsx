/** The bar of phones: mark and the menu that holds sections, account, theme and Logout. */
import { UnstyledButton } from '@mantine/core'
import { IconLogout, IconMenu2, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Profile } from '../../src/api/auth.ts'
import { displayName } from '../lib/auth-store.ts'
import { BottomSheet } from '../ui/bottom-sheet.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Mark } from '../ui/mark.tsx'
import styles from './phone-header.module.css'
import { sections } from './sections.ts'
import { useThemeSwitch } from './theme-toggle.tsx'
import { useSignOut } from './use-sign-out.ts'

export function PhoneHeader({ user }: { user: Profile }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <header className={styles.bar}>
      <Link to="/" className={styles.home} activeOptions={{ exact: true }}>
        <Mark size={22} />
        filestore
      </Link>
      <IconButton label="Menu" icon={IconMenu2} iconSize={20} size="lg" onClick={() => setOpen(true)} />
      <BottomSheet opened={isOpen} onClose={close} label="Menu">
        <PhoneMenu user={user} onClose={close} />
      </BottomSheet>
    </header>
  )
}

function PhoneMenu({ user, onClose }: { user: Profile; onClose: () => void }) {
  const signOut = useSignOut()
  const { label, icon: ThemeIcon, run } = useThemeSwitch()
  return (
    <>
      <nav className={styles.sections} aria-label="Sections">
        {sections.map(section => (
          <Link key={section.to} to={section.to} className={styles.item} onClick={onClose}>
            {section.label}
          </Link>
        ))}
      </nav>
      <Link to="/account" className={styles.item} onClick={onClose}>
        <IconUser size={20} stroke={1.75} aria-hidden />
        <span>
          Welcome, <strong>{displayName(user)}</strong>
        </span>
      </Link>
      <UnstyledButton className={styles.item} onClick={run}>
        <ThemeIcon size={20} stroke={1.75} aria-hidden />
        {label}
      </UnstyledButton>
      <UnstyledButton className={styles.item} onClick={signOut}>
        <IconLogout size={20} stroke={1.75} aria-hidden />
        Logout
      </UnstyledButton>
    </>
  )
}
