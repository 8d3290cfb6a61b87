/** The API documentation in the page, whose examples must work. */
import { execa } from 'execa'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { blocks } from '../docs/document.ts'
import { buildKey, buildUser, userRolePermissions } from '../support/factories.ts'
import { findBarriers } from './accessible.ts'
import { desktop, enter, phone } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const openTab = async (page: Page, name: string) => {
  await page.getByRole('tab', { name, exact: true }).click()
  await page.getByRole('tabpanel', { name, exact: true }).waitFor()
}

test('the Code Examples tab shows the examples of docs/api.md with the address of this server', async () => {
  const { page, offences } = await browser.open()
  await enter(page, await buildUser(server), '/api-keys')
  await openTab(page, 'Documentation')
  await openTab(page, 'Code Examples')
  await expect
    .poll(() => page.getByRole('region', { name: 'Environment' }).textContent())
    .toBe(`export FILESTORE_URL=${server.url}\nexport FILESTORE_API_KEY_ID=gk_…\nexport FILESTORE_API_SECRET=gs_…`)
  for (const [label, language] of Object.entries({ bash: 'bash', Python: 'python', Node: 'javascript', Go: 'go' })) {
    await page.getByText(label, { exact: true }).click()
    const wanted = blocks.filter(block => block.chapter === 'Code Examples' && block.language === language)
    expect(wanted.length).toBeGreaterThan(5)
    await expect
      .poll(() => page.getByRole('region', { name: /^Example: / }).allTextContents())
      .toEqual(wanted.map(({ code }) => code.trimEnd()))
  }
  expect(offences).toEqual([])
})

test('the Authentication tab shows three ways to send a key, and each command works', async () => {
  const user = await buildUser(server)
  const key = await buildKey(server, user, ['files:read'])
  const { page } = await browser.open()
  await enter(page, user, '/api-keys/documentation#authentication')
  const commands = page.getByRole('region').filter({ hasText: 'curl' })
  await expect.poll(() => commands.count()).toBe(3)
  for (const command of await commands.allTextContents()) {
    const script = command.replace('gk_…', key.keyId).replace('gs_…', key.secret)
    const { stdout } = await execa('bash', ['-c', script])
    expect(JSON.parse(stdout), command).toMatchObject({ success: true, data: { username: user.username } })
  }
})

test('the Overview tab links the OpenAPI document, and the Permissions tab lists every permission that a user role may have', async () => {
  const { page } = await browser.open()
  await enter(page, await buildUser(server), '/api-keys/documentation')
  await page.getByRole('region', { name: 'Base URL' }).getByText(`${server.url}/api`).waitFor()
  const link = page.getByRole('link', { name: 'All calls as an OpenAPI 3.1 document' })
  const href = (await link.getAttribute('href')) ?? ''
  expect(await (await fetch(href)).json()).toMatchObject({ openapi: '3.1.0' })
  await openTab(page, 'Permissions')
  await expect
    .poll(() => page.getByRole('table').locator('td:first-child').allTextContents())
    .toEqual([...userRolePermissions])
})

test.each([
  ['the desktop, light', { ...desktop, colorScheme: 'light' }],
  ['a phone, dark', { ...phone, colorScheme: 'dark' }],
] as const)('the documentation has no accessibility barriers and fits the width of %s', async (_name, look) => {
  const { page, offences } = await browser.open(look)
  await enter(page, await buildUser(server), '/api-keys/documentation')
  for (const tab of ['Overview', 'Authentication', 'Code Examples', 'Permissions']) {
    await page.getByRole('tab', { name: tab, exact: true }).click()
    await page.getByRole('tabpanel', { name: tab }).getByRole('heading').first().waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.viewport?.width)
  }
  expect(offences).toEqual([])
})
