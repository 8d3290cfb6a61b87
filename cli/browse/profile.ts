/** The storage figures in the status line, of the account and of its team folders. */
import { getProfile } from '../../src/api/auth.ts'
import { readTeams } from '../places.ts'
import type { App } from './app.ts'

/** Reads the figures again after a change. On failure the old ones stay. */
export async function readQuota(app: App): Promise<void> {
  const { teams: before } = app.store.get()
  const [user, teams] = await Promise.all([
    app.call(getProfile, {}).catch(() => undefined),
    before.length > 0 ? readTeams(app.call).catch(() => undefined) : undefined,
  ])
  if (user !== undefined) app.store.set({ user })
  if (teams !== undefined) app.store.set({ teams })
}
