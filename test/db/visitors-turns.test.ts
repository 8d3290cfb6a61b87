/** Writes of visitors that wait for the writer: those of one storage do not keep those of another one waiting. */
import { expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { onlyOn, onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { buildLink } from '../support/visitor.ts'

test('a visitor’s counted download does not wait for all of those that came before by links of others', async context => {
  onlyOn('sqlite', context)
  onlyOneServer('process', context)
  const server = await startServer({ trustProxy: '127.0.0.1' })
  context.onTestFinished(() => server.close())
  const { db } = server.deps
  const [many, one] = [await buildUser(server), await buildUser(server)]
  const [large, small] = [await buildFile(many), await buildFile(one)]
  const ended: string[] = []
  const download = async (maker: BuiltUser, item: { id: number }, network: number) => {
    const { token } = await buildLink(maker, item, { max_downloads: 5 })
    return async () => {
      const headers = { 'x-forwarded-for': `198.51.100.${network}` }
      const answer = await fetch(`${server.url}/api/s/${token}/files/${item.id}/download`, { headers })
      expect(answer.status).toBe(200)
      await answer.arrayBuffer()
      ended.push(maker.username)
    }
  }
  const first = await Promise.all(Array.from({ length: 20 }, (_, n) => download(many, large, n + 1)))
  const last = await download(one, small, 99)
  let release = () => {}
  const gate = new Promise<void>(resolve => {
    release = resolve
  })
  const holding = db.touch(() => gate)
  const begun = first.map(begin => begin())
  await expect.poll(() => db.waiting()).toBe(first.length)
  begun.push(last())
  await expect.poll(() => db.waiting()).toBe(first.length + 1)
  release()
  await Promise.all([holding, ...begun])
  expect(ended.indexOf(one.username)).toBeLessThan(5)
})
