/** Large files through a real nginx that takes bodies of 1 MB, as it does unless it is told otherwise. */
import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { resumableFrom } from '../../src/api/limits.ts'
import { openUserTerminal } from '../cli/signed-in.ts'
import { runCli } from '../cli/terminal.ts'
import { buildFolder, buildUser } from '../support/factories.ts'
import { openSender } from '../support/link-uploads.ts'
import { startSmallNginx } from '../support/nginx-process.ts'
import '../support/equal-bytes.ts'
import type { TestClient } from '../support/client.ts'
import { chooseFiles, enter } from './browser.ts'
import { browser, openSite, server } from './site.ts'
import { largeFile } from './uploading.ts'

openSite({ trustProxy: '127.0.0.1' })

const size = resumableFrom + 1_000_000

async function expectStored(user: TestClient, path: string, parentId: number | null = null): Promise<void> {
  const files = async () => (await user.call(listFiles, { parent_id: parentId })).files
  await expect.poll(async () => (await files()).map(file => file.size), { timeout: 60_000 }).toEqual([size])
  const answer = await user.raw(`/api/files/${(await files())[0]?.id}/download`)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(await readFile(path))
}

test('the page sends a large file in pieces that nginx takes', async context => {
  const nginx = await startSmallNginx(context, server)
  try {
    const user = await buildUser(server)
    const { page } = await browser.open({ baseURL: nginx.url, viewport: { width: 1280, height: 800 } })
    await enter(page, user)
    const path = largeFile('film.mp4', size)
    await chooseFiles(page, [path])
    await expectStored(user, path)
  } finally {
    await nginx.stop()
  }
})

test('the terminal sends a large file in pieces that nginx takes, also to a link', async context => {
  const nginx = await startSmallNginx(context, server)
  try {
    const { user, terminal } = await openUserTerminal(server)
    terminal.env.FILESTORE_URL = nginx.url
    const path = largeFile('film.mp4', size)
    await writeFile(terminal.path('film.mp4'), await readFile(path))
    expect(await runCli(terminal, ['upload', 'film.mp4'])).toMatchObject({ code: 0, stderr: '' })
    await expectStored(user, path)
    const owner = await buildUser(server)
    const asked = await buildFolder(owner)
    const { link } = await openSender(server, owner, asked)
    const sent = await runCli(terminal, ['upload', 'film.mp4', '--to', `${nginx.url}/s/${link.token}`])
    expect(sent).toMatchObject({ code: 0 })
    await expectStored(owner, path, asked.id)
  } finally {
    await nginx.stop()
  }
})
