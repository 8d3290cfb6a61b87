/** A user whose file list has rows of every kind. */
import { favoriteFile } from '../../src/api/files.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { type BuiltUser, buildFile, buildFolder, buildTag, buildUser } from '../support/factories.ts'
import type { TestServer } from '../support/test-server.ts'

/** Builds a user with a favourite that has four tags, a plain file and a folder. */
export async function buildOwner(server: TestServer): Promise<BuiltUser> {
  const user = await buildUser(server)
  await buildFolder(user, 'Folder')
  const marked = await buildFile(user, { name: 'marked.txt' }, 'x'.repeat(2048))
  await buildFile(user, { name: 'plain.txt' }, 'x'.repeat(1024))
  await user.call(favoriteFile, { id: marked.id, is_favorite: true })
  for (const name of ['Final', 'Press', 'Q4', 'Urgent']) {
    const tag = await buildTag(user, name)
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [marked.id] })
  }
  return user
}
