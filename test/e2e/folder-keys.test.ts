/** API keys for one folder: making one in the browser, and what the list of keys says of it. */
import { expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { listApiKeys } from '../../src/api/keys.ts'
import { trashFile } from '../../src/api/trash.ts'
import { openClient } from '../support/client.ts'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { desktop, enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

test('a key for one folder has only what suits it, and the list says when the folder is gone', async () => {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Scans')
  await buildFile(user, { parent_id: folder.id, name: 'a.pdf' })
  await buildFile(user, { name: 'secret.txt' })
  const { page, offences } = await browser.open(desktop)
  await enter(page, user, '/api-keys')
  await page.getByRole('button', { name: 'Create API Key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create API Key' })
  await dialog.getByLabel('Name').fill('Scanner')
  await dialog.getByLabel('Read tags').check()
  await dialog.getByLabel('Read files').check()

  await dialog.getByLabel('One folder').click()
  const picker = page.getByRole('dialog', { name: 'Folder of the key' })
  await picker.getByText('Open the folder that the key is for.').waitFor()
  await page.keyboard.press('Escape')
  await picker.waitFor({ state: 'detached' })
  await expect.poll(() => dialog.getByLabel('Everything that you can reach').isChecked()).toBe(true)
  await dialog.getByLabel('One folder').click()
  await picker
    .getByRole('option', { name: 'Scans' })
    .or(picker.getByRole('button', { name: 'Scans' }))
    .first()
    .click()
  await picker.getByRole('button', { name: 'Select This Location' }).click()
  await dialog.getByRole('button', { name: 'Change the folder Scans' }).waitFor()
  await expect.poll(() => dialog.getByLabel('Read tags').count()).toBe(0)
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create API Key' }).click()

  await row(page, 'Scanner').getByText('In Scans').waitFor()
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue()
  const [key] = (await user.call(listApiKeys, {})).api_keys
  expect(key).toMatchObject({ scope_id: folder.id, permissions: ['files:read'] })
  const script = openClient(server.url, { 'x-api-key-id': key?.key_id ?? '', 'x-api-secret': secret })
  expect((await script.call(listFiles, {})).files.map(({ name }) => name)).toEqual(['a.pdf'])

  await user.call(trashFile, { id: folder.id })
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await page.reload()
  await row(page, 'Scanner').getByText('Folder gone').waitFor()
  expect(await row(page, 'Scanner').getByText('Active').count()).toBe(0)
  expect(asked).not.toContain(`/api/files/${folder.id}`)
  expect(await findBarriersInBothThemes(page)).toEqual([])
  expect(offences).toEqual([])
})
