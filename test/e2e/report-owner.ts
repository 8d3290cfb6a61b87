/** A user with files to be found. */
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import type { TestServer } from '../support/test-server.ts'

/** Builds a user with a folder that holds a report, and two reports beside it. */
export async function buildOwner(server: TestServer): Promise<{ user: BuiltUser; folderId: number; ids: number[] }> {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Reports')
  const inner = await buildFile(user, { name: 'Annual report.pdf', parent_id: folder.id }, 'x'.repeat(3_000_000))
  const text = await buildFile(user, { name: 'report draft.txt' })
  const picture = await buildFile(user, { name: 'report 2027.png' })
  return { user, folderId: folder.id, ids: [inner.id, text.id, picture.id] }
}
