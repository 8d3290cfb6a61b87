/** A folder of hundreds of items, and the act on them that a page shows. */
import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { listTrash } from '../../src/api/trash.ts'
import { type BuiltUser, buildFolder, buildUser } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { enter, row } from './browser.ts'
import { browser, server } from './site.ts'

/** Builds a user with 300 items, or so many, in a folder. */
export async function buildMany(count = 300) {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Hundreds')
  await plantFiles(server, user, folder.id, count)
  const { folders, files } = await user.call(listFiles, { parent_id: folder.id })
  return { user, folderId: folder.id, ids: [...folders, ...files].map(({ id }) => id) }
}

export const totalOf = async (user: BuiltUser, folderId: number) =>
  (await user.call(listFiles, { parent_id: folderId, limit: 1 })).total
export const trashedOf = async (user: BuiltUser) => (await user.call(listTrash, { limit: 1 })).total

/** Holds calls of a page, so that a test lets one after the other through. */
export async function holdEach(page: Page, address = '**/api/files/batch') {
  const held: Route[] = []
  let isFree = false
  await page.route(address, route => (isFree ? route.continue() : void held.push(route)))
  return {
    /** Lets the next call through once it is there. */
    async pass(): Promise<void> {
      await expect.poll(() => held.length).toBeGreaterThan(0)
      await held.shift()?.continue()
    },
    async passAll(): Promise<void> {
      isFree = true
      for (const route of held.splice(0)) await route.continue()
    },
  }
}

export const act = (page: Page) => page.getByRole('status').filter({ has: page.getByRole('progressbar') })
export const stop = (page: Page) => act(page).getByRole('button', { name: 'Stop' })
export const footer = (page: Page) => page.locator('main footer')

/** Waits for an act's report: hundreds of changes may take a busy machine a while. */
export const reported = (page: Page, text: string | RegExp) => page.getByText(text).waitFor({ timeout: 60_000 })

export async function selectAll(page: Page, count = 300): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.getByText(`${count} selected`).waitFor()
}

/** Opens the folder, and selects all items. */
export async function openAll({ user, folderId, ids }: Awaited<ReturnType<typeof buildMany>>) {
  const { page, offences } = await browser.open()
  await enter(page, user, `/files/${folderId}`)
  await row(page, 'Project 0').waitFor()
  await selectAll(page, ids.length)
  return { page, offences }
}
