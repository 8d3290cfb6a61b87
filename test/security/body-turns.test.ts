/** Large bodies of one user do not delay the requests of others. */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type BuiltUser, buildFolder, buildUser } from '../support/factories.ts'
import { holdLastBytes } from '../support/held-body.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink } from '../support/visitor.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

async function countUnderWay(): Promise<number> {
  const underWay = await server.deps.metrics.getSingleMetric('filestore_http_requests_under_way')?.get()
  return underWay?.values[0]?.value ?? expect.fail()
}

test('large bodies are parsed one at a time, users in turn, and the server does other work in between', async () => {
  const [eve, bob] = [await buildUser(server), await buildUser(server)]
  const hold = (user: BuiltUser, count: number, characters: number) =>
    holdLastBytes(
      server.url,
      user,
      Array.from({ length: count }, () => ({
        method: 'POST',
        path: '/api/files/by-path',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ path: 'a'.repeat(characters) }),
      })),
    )
  const before = await countUnderWay()
  const releases = [hold(eve, 7, 1_000_000), hold(bob, 1, 900_000)]
  await expect.poll(countUnderWay).toBe(before + 8)
  let turn = 0
  let next = setImmediate(function count() {
    turn += 1
    next = setImmediate(count)
  })
  const parsed: { turn: number; isOfBob: boolean }[] = []
  // The spy sees the server's parsing because the server runs in this process.
  const { parse } = JSON
  const spy = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    if (text.length >= 900_000) parsed.push({ turn, isOfBob: text.length < 1_000_000 })
    return parse(text, reviver)
  })
  onTestFinished(() => {
    spy.mockRestore()
    clearImmediate(next)
  })
  const answers = (await Promise.all(releases.map(release => release()))).flat()
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
  expect(new Set(parsed.map(({ turn }) => turn)).size).toBe(8)
  // Bob's body may arrive while the first of eve's is parsed.
  expect(parsed.findIndex(({ isOfBob }) => isOfBob)).toBeLessThanOrEqual(2)
})

test('large bodies of visitors of many links are parsed one at a time for each maker of links', async () => {
  const [eve, bob] = [await buildUser(server), await buildUser(server)]
  const folder = await buildFolder(eve)
  const links: string[] = []
  for (let count = 0; count < 7; count += 1) links.push((await buildLink(eve, folder)).token)
  const before = await countUnderWay()
  const hold = (headers: Record<string, string>, paths: readonly string[], text: string) =>
    holdLastBytes(
      server.url,
      { ...bob, headers },
      paths.map(path => ({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text }),
      })),
    )
  const crowd = hold(
    { origin: server.url },
    links.map(token => `/api/s/${token}/archive`),
    'v'.repeat(40_000),
  )
  const single = hold(bob.headers, ['/api/files/by-path'], 'b'.repeat(40_000))
  await expect.poll(countUnderWay).toBe(before + 8)
  const order: string[] = []
  const { parse } = JSON
  const spy = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    if (text.length > 40_000) order.push(text.includes('vvv') ? 'crowd' : 'single')
    return parse(text, reviver)
  })
  onTestFinished(() => spy.mockRestore())
  await Promise.all([crowd(), single()])
  expect(order).toHaveLength(8)
  // Bob's body may arrive while the first of eve's visitors is parsed.
  expect(order.indexOf('single')).toBeLessThanOrEqual(2)
})
