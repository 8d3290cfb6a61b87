/** What the tests of places in the terminal begin with. */
import type { TestClient } from '../support/client.ts'
import { buildFile, buildFolder, buildShare, buildTeam, buildUser } from '../support/factories.ts'
import type { TestServer } from '../support/test-server.ts'
import { openUserTerminal } from './signed-in.ts'

/** The user manages the team folder `Accounts` with `2026/a.txt`; `owner` shares `Photos` with `b.txt` to view. */
export async function openPlaces(server: TestServer, admin: TestClient) {
  const opened = await openUserTerminal(server)
  const owner = await buildUser(server)
  const team = await buildTeam(admin, opened.user, 'Accounts')
  const year = await buildFolder(opened.user, '2026', team.folder_id)
  const a = await buildFile(opened.user, { name: 'a.txt', parent_id: year.id }, 'aaa')
  const photos = await buildFolder(owner, 'Photos')
  const b = await buildFile(owner, { name: 'b.txt', parent_id: photos.id }, 'bb')
  const share = await buildShare(owner, photos, opened.user, 'view')
  return { ...opened, owner, team, year, a, photos, b, share }
}
