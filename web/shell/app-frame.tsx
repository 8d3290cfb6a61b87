/** The frame around every screen of a signed-in user: header, the screen, the upload tray. */
import { Outlet } from '@tanstack/react-router'
import { useAuth } from '../lib/auth-store.ts'
import { useNoStrayDrops } from '../ui/use-file-drop.ts'
import { usePhone } from '../ui/use-phone.ts'
import styles from './app-frame.module.css'
import { Header } from './header.tsx'
import { PhoneHeader } from './phone-header.tsx'
import { UploadTray } from './upload-tray.tsx'

export function AppFrame() {
  const user = useAuth(state => state.user)
  const isPhone = usePhone()
  useNoStrayDrops()
  if (user === null) return null
  return (
    <div className={styles.frame}>
      {isPhone ? <PhoneHeader user={user} /> : <Header user={user} />}
      <Outlet />
      <UploadTray />
    </div>
  )
}
