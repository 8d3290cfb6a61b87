/** What ends or holds all uploads: the tray that is closed, and the session that expires. */
import { closeTray, startWaiting } from './queue.ts'
import { allUploads, dropRow } from './rows.ts'
import type { Uploads } from './state.ts'

function cancelAll({ queue, rows, deps }: Uploads): void {
  for (const { controller } of queue.running.values()) controller.abort()
  queue.running.clear()
  for (const upload of allUploads(rows)) {
    // What an earlier page has left stays for a later one.
    if (upload.status !== 'unfinished' && upload.status !== 'completed') deps.pieces.abandon(upload)
    dropRow(rows, upload.id)
  }
  queue.small = []
  queue.large = []
  queue.isHeld = false
}

/** Cancels everything unfinished when the tray is closed. */
export function followTray(uploads: Uploads): void {
  uploads.deps.tray.subscribe((now, before) => {
    if (before.isOpen && !now.isOpen) cancelAll(uploads)
  })
}

/**
 * Holds the queue when the session expires, until the same user is back. Running uploads end by themselves: one aborted
 * here might have arrived, and its retry would find its own name taken.
 */
export function followSession(uploads: Uploads): void {
  const { queue, deps } = uploads
  deps.session.subscribe(({ user, isAuthenticated }) => {
    queue.isHeld = !isAuthenticated
    if (queue.isHeld) return
    if (user?.id === queue.ownerId) startWaiting(uploads)
    else {
      queue.ownerId = user?.id
      closeTray(uploads)
    }
  })
}
