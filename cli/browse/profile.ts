/** The account's storage figures in the status line. */
import { getProfile } from '../../src/api/auth.ts'
import type { App } from './app.ts'

/** Reads the figures again after a change. On failure the old ones stay. */
export async function readQuota(app: App): Promise<void> {
  const user = await app.call(getProfile, {}).catch(() => undefined)
  if (user !== undefined) app.store.set({ user })
}
