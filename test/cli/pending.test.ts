/** The validation queue from the terminal. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile } from '../../src/api/files.ts'
import { maxPages } from '../../src/api/limits.ts'
import { type PendingFile, readQueue } from '../../src/api/validation.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildUser, turnSettings } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openUserTerminal } from './signed-in.ts'
import { runCli } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  await turnSettings(admin, { validation_enabled: true })
})
afterAll(() => server.close())

/** A reviewer's terminal, and a user whose `/a.txt` and `/b.txt` are pending. */
async function openExample() {
  const { terminal } = await openUserTerminal(server, { role: 'admin' })
  const owner = await buildUser(server)
  const a = await buildFile(owner, { name: 'a.txt' }, 'aaa')
  const b = await buildFile(owner, { name: 'b.txt' }, 'bb')
  return { terminal, owner, a, b }
}

test('the queue of a server that sends new pages forever ends at the largest number of pages', async () => {
  let count = 0
  const readPage = async () => {
    count += 1
    return count < 20_000 ? [{ id: count } as PendingFile] : []
  }
  expect((await readQueue(readPage)).length).toBe(maxPages)
})

const statusOf = async (owner: BuiltUser, id: number) => {
  const { file } = await owner.call(getFile, { id })
  return [file.validation_status, file.validation_comment]
}

describe('pending', () => {
  test('ls prints the pending files of all users with their owners', async () => {
    const { terminal, owner, a } = await openExample()
    const { code, stdout } = await runCli(terminal, ['pending', 'ls'])
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^ *${a.id} +3 Bytes +\\d{4}-.* ${owner.username}:/a\\.txt$`, 'm'))
    const waiting = JSON.parse((await runCli(terminal, ['pending', 'ls', '--json'])).stdout)
    expect(waiting).toContainEqual(expect.objectContaining({ id: a.id, owner: owner.username, sha256: a.sha256 }))
  })

  test('approve accepts an id, or an owner with a path', async () => {
    const { terminal, owner, a, b } = await openExample()
    const { code, stdout } = await runCli(terminal, ['pending', 'approve', `id:${a.id}`, `${owner.username}:/b.txt`])
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^ *${a.id} +approved +/a\\.txt\n *${b.id} +approved +/b\\.txt$`, 'm'))
    expect(await statusOf(owner, b.id)).toEqual(['approved', null])
  })

  test('reject stores the reason for the owner', async () => {
    const { terminal, owner, a } = await openExample()
    const args = ['pending', 'reject', `id:${a.id}`, '--reason', 'No signature', '--json']
    expect(JSON.parse((await runCli(terminal, args)).stdout)).toMatchObject({ id: a.id, validation_status: 'rejected' })
    expect(await statusOf(owner, a.id)).toEqual(['rejected', 'No signature'])
  })

  test.each([
    ['a rejection without a reason', ['reject', '/a.txt'], 2],
    ['a rejection with a blank reason', ['reject', '/a.txt', '--reason', ' '], 2],
    ['a file that is not pending', ['approve', 'id:999999'], 4],
    ['a path that files of several users have', ['approve', '/a.txt'], 2],
  ])('refuses %s', async (_what, args, code) => {
    const [{ terminal, owner, a }] = [await openExample(), await openExample()]
    expect((await runCli(terminal, ['pending', ...args])).code).toBe(code)
    expect(await statusOf(owner, a.id)).toEqual(['pending', null])
  })

  test('ends with code 3 for a user who may not review', async () => {
    const { terminal } = await openUserTerminal(server)
    for (const args of [['ls'], ['approve', 'id:1']]) {
      expect((await runCli(terminal, ['pending', ...args])).code).toBe(3)
    }
  })
})
