/** The user's own account: profile, theme, password and sessions. A required password change leads here. */
import { Button } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useAuth } from '../../lib/server/auth-store.ts'
import { showHelp } from '../../shell/help.ts'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { AccountPart } from './account-part.tsx'
import styles from './account-screen.module.css'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SessionList } from './session-list.tsx'
import { ThemeChoice } from './theme-choice.tsx'

export function AccountScreen() {
  const isForced = useAuth(({ user }) => user?.must_change_password === true)
  return (
    <Sheet title="Account">
      <div className={styles.page}>
        <ScreenTitle>Account</ScreenTitle>
        {isForced ? <ForcedChange /> : <Parts />}
      </div>
    </Sheet>
  )
}

/** Until the password is changed, the server refuses everything else. */
function ForcedChange() {
  const next = useSearch({ strict: false, select: search => search.next })
  return (
    <>
      <p className={styles.explanation} role="status">
        This password was given to you. Choose one of your own before you go on.
      </p>
      <AccountPart title="Password" hint="Other sessions are signed out.">
        <PasswordForm next={next ?? '/'} />
      </AccountPart>
    </>
  )
}

function Parts() {
  return (
    <>
      <AccountPart title="Profile" hint="Your full name is what others see. The username stays as it is.">
        <ProfileForm />
      </AccountPart>
      <AccountPart title="Theme" hint="This browser remembers it.">
        <ThemeChoice />
      </AccountPart>
      <AccountPart title="Keyboard" hint="The list can be printed. The key ? opens it on every screen.">
        <KeyboardHelp />
      </AccountPart>
      <AccountPart title="Password" hint="Other sessions are signed out when it changes.">
        <PasswordForm />
      </AccountPart>
      <AccountPart title="Sessions" hint="Where you are signed in. End those that you do not know.">
        <SessionList />
      </AccountPart>
    </>
  )
}

function KeyboardHelp() {
  const isPhone = usePhone()
  return (
    <Button variant="default" size={isPhone ? 'lg' : 'sm'} fullWidth={isPhone} onClick={showHelp}>
      Show keyboard shortcuts
    </Button>
  )
}
