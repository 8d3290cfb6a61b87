/** Builds a user with a few folders, lists their contents, and finds the entries of the folder tree. */
import type { Locator, Page } from 'playwright-core'
import { listFiles } from '../../src/api/files.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import type { TestServer } from '../support/test-server.ts'

export const entry = (page: Page, name: string): Locator => page.getByRole('treeitem', { name, exact: true })

/** The button that opens and closes an entry. */
export const chevron = (page: Page, name: string): Locator => entry(page, name).locator('span').first()

/** Names of the items in a folder, folders first, each kind by name. */
export const namesIn = async (user: BuiltUser, parentId: number | null): Promise<string[]> => {
  const { folders, files } = await user.call(listFiles, { parent_id: parentId })
  return [...folders, ...files].map(({ name }) => name)
}

interface Owner {
  user: BuiltUser
  docs: number
  /** 2026, in Docs. */
  year: number
  photos: number
}

/** Builds Docs with the folder 2026 inside, Photos, and two files at the root. */
export async function buildOwner(server: TestServer): Promise<Owner> {
  const user = await buildUser(server)
  const docs = await buildFolder(user, 'Docs')
  const year = await buildFolder(user, '2026', docs.id)
  const photos = await buildFolder(user, 'Photos')
  await buildFile(user, { name: 'a.txt' })
  await buildFile(user, { name: 'b.txt' })
  return { user, docs: docs.id, year: year.id, photos: photos.id }
}
