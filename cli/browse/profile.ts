/** The account's figures in the status line. */
import { getProfile } from '../../src/api/auth.ts'
import type { App } from './app.ts'

/** Reads them again, after what changes them; a failure leaves the old ones. */
export async function readQuota(app: App): Promise<void> {
  const user = await app.call(getProfile, {}).catch(() => undefined)
  if (user !== undefined) app.store.set({ user })
}
