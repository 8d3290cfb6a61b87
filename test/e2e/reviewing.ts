/** An administrator, a reviewer and an empty queue for the tests of reviewing. */
import { beforeAll, beforeEach } from 'vitest'
import { decideFile, readPending } from '../../src/api/validation.ts'
import { type BuiltUser, buildReviewer, buildUser, turnSettings } from '../support/factories.ts'
import { createOpener } from './admin-pages.ts'
import { browser, openSite, server } from './site.ts'

/** Set before the first test, like `server`. */
export let admin: BuiltUser
export let reviewer: BuiltUser
export let open: ReturnType<typeof createOpener>

/** Starts the site. Before each test the queue is emptied, and nobody may decide on their own files. */
export function openReviews(): void {
  openSite()
  beforeAll(async () => {
    open = createOpener(browser)
    admin = await buildUser(server, { role: 'admin' })
    reviewer = await buildReviewer(server)
  })
  beforeEach(async () => {
    await turnSettings(admin, { validation_enabled: true, allow_self_validation: true })
    for (const { id } of await readPending(admin.call)) {
      await admin.call(decideFile, { file_id: id, status: 'approved' })
    }
    await turnSettings(admin, { allow_self_validation: false })
  })
}
