/** `filestore admin link …`, beside a server on the same data. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLink, type Link, listLinks } from '../../src/api/links.ts'
import { visitLink } from '../../src/api/visits.ts'
import { openClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { expectRefusal, readJson, runOn } from './administration.ts'

let server: TestServer
let ann: BuiltUser
let bob: BuiltUser
beforeAll(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  bob = await buildUser(server, { username: 'bob' })
})
afterAll(() => server.close())

const run = (...args: string[]) => runOn(server, ['admin', 'link', ...args])

async function buildLink(user: BuiltUser, label: string): Promise<Link> {
  const { id } = await buildFolder(user)
  return (await user.call(createLink, { item_id: id, level: 'view', label, max_downloads: 5 })).link
}

const visit = ({ token }: Link) => openClient(server.url, {}).call(visitLink, { token: token ?? '' })

test('all links are listed, without tokens and the names of what they are on', async () => {
  const mine = await buildLink(ann, 'For Anna')
  const { link: other } = await bob.call(createLink, {
    item_id: (await buildFile(bob, { name: 'secret-name.txt' })).id,
    level: 'view',
  })
  const { stdout } = await run('ls')
  expect(stdout).toMatch(/^ *ID +LEVEL +STATE +ENDS +MADE BY +USED +LABEL$/m)
  expect(stdout).toMatch(new RegExp(`^ *${mine.id} +view +works +never +ann +0 of 5 downloads +For Anna$`, 'm'))
  expect(stdout).toMatch(new RegExp(`^ *${other.id} +view +works +never +bob +0 downloads +-$`, 'm'))
  const json = JSON.stringify(await readJson(server, ['link', 'ls']))
  for (const text of [stdout, json]) {
    expect(text).not.toContain(mine.token ?? '')
    expect(text).not.toContain('secret-name')
  }
  expect((await run('ls', '--user', 'bob')).stdout).not.toContain('For Anna')
  expectRefusal(await run('ls', '--user', 'nobody'), 4, "There is no user 'nobody'")
})

test('a link is paused and resumed, at once for its visitors', async () => {
  const link = await buildLink(ann, 'Pausing')
  expect(await visit(link)).toMatchObject({ locked: false })
  expect((await run('pause', `${link.id}`)).stdout).toBe(`The link ${link.id} is paused`)
  await expect(visit(link)).rejects.toMatchObject({ status: 404 })
  expect((await run('resume', `id:${link.id}`)).stdout).toBe(`The link ${link.id} is resumed: works`)
  expect(await visit(link)).toMatchObject({ locked: false })
  expect(await readJson(server, ['link', 'pause', `${link.id}`])).toMatchObject({ is_active: false, reason: 'paused' })
})

test('a link is revoked only when that is confirmed', async () => {
  const link = await buildLink(ann, 'Ending')
  expectRefusal(await run('revoke', `${link.id}`), 2, 'use --yes')
  expect((await run('revoke', `${link.id}`, '--yes')).stdout).toBe(`The link ${link.id} is revoked`)
  await expect(visit(link)).rejects.toMatchObject({ status: 404 })
  expect((await ann.call(listLinks, {})).links.map(({ id }) => id)).not.toContain(link.id)
  expectRefusal(await run('revoke', `${link.id}`, '--yes'), 4, 'not found')
  expectRefusal(await run('pause', 'Ending'), 2, 'is not the id of a link')
})
