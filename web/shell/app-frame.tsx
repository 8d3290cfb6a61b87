/** The frame around every screen of a signed-in user: header, the screen, the upload tray. */
import { Outlet, useMatches, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSharing } from '../items/sharing/share-dialog-state.ts'
import { usePreview } from '../lib/local/preview.ts'
import { useAuth } from '../lib/server/auth-store.ts'
import { lazyPart } from '../lib/server/lazy-part.ts'
import { whenQuiet } from '../lib/server/when-quiet.ts'
import { fetchUploads } from '../lib/uploads/lazy-uploads.ts'
import { useTray } from '../lib/uploads/tray.ts'
import { fetchOverlays } from '../ui/lazy-overlays.ts'
import { forgetUndoing } from '../ui/undo.ts'
import { useNoStrayDrops } from '../ui/use-file-drop.ts'
import { useOnceTrue } from '../ui/use-once-true.ts'
import { usePhone } from '../ui/use-phone.ts'
import styles from './app-frame.module.css'
import { Header } from './header.tsx'
import { useGlobalKeys, useHelp } from './help.ts'
import { PhoneHeader } from './phone-header.tsx'
import { SessionDialog } from './session-dialog.tsx'
import { useSignOutQuestion } from './sign-out.ts'

const HelpDialog = lazyPart(() => import('./help-dialog.tsx'), 'HelpDialog')
const PreviewDialog = lazyPart(() => import('../viewer/preview-dialog.tsx'), 'PreviewDialog')
const ShareDialog = lazyPart(() => import('../items/sharing/share-dialog.tsx'), 'ShareDialog')
const SignOutQuestion = lazyPart(() => import('./sign-out-question.tsx'), 'SignOutQuestion')
const UploadTray = lazyPart(() => import('./upload-tray.tsx'), 'UploadTray')

/** Loads dialogs, menus and uploads once the page is ready, so that they open at once when they are needed. */
async function fetchParts(): Promise<void> {
  await whenQuiet()
  fetchOverlays()
  UploadTray.fetch()
  void import('../ui/print/light-paper.ts').catch(() => undefined)
  SignOutQuestion.fetch()
  void import('../lib/data/live.ts').then(live => live.followChanges()).catch(() => undefined)
  await fetchUploads().catch(() => undefined)
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Whether the screen covers the header as well. */
    fillsWindow?: boolean
  }
}

export function AppFrame() {
  const user = useAuth(state => state.user)
  const isPhone = usePhone()
  const isAddressed = useSearch({ strict: false, select: ({ preview }) => preview !== undefined })
  const isPreviewing = usePreview(({ files }) => files.length > 0) || isAddressed
  const fillsWindow = useMatches({ select: matches => matches.some(({ staticData }) => staticData.fillsWindow) })
  const isTrayOpen = useTray(({ isOpen }) => isOpen)
  const isHelping = useHelp(({ isOpen }) => isOpen)
  const isHelpNeeded = useOnceTrue(isHelping)
  const isLeavingNeeded = useOnceTrue(useSignOutQuestion(({ isAsked }) => isAsked))
  const isShareNeeded = useOnceTrue(useSharing(({ item }) => item !== null))
  useGlobalKeys()
  useEffect(() => forgetUndoing, [])
  useNoStrayDrops()
  useEffect(() => void fetchParts(), [])
  if (user === null) return null
  return (
    <div className={styles.frame}>
      {!fillsWindow && (isPhone ? <PhoneHeader user={user} /> : <Header user={user} />)}
      <Outlet />
      {isTrayOpen && <UploadTray />}
      {isHelpNeeded && <HelpDialog />}
      <SessionDialog user={user} />
      {isLeavingNeeded && <SignOutQuestion />}
      {isPreviewing && <PreviewDialog />}
      {isShareNeeded && <ShareDialog />}
    </div>
  )
}
