/** Rate limits against guessing passwords and API keys, and what failed attempts reveal. */
import type { TestContext } from 'vitest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changePassword } from '../../src/api/auth.ts'
import { failure, openClient } from '../support/client.ts'
import { buildUser, disableUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  // Each test uses client addresses of its own, so the limits of one do not affect another.
  server = await startServer({ trustProxy: '127.0.0.1' })
})
afterAll(() => server.close())

let nextAddress = 1
const newAddress = (): string => `203.0.113.${nextAddress++}`

/** Tries to sign in from an address. */
const attempt = (address: string, username: string, password = 'wrong password', to = server) =>
  openClient(to.url).raw('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ username, password }),
  })

async function fail(address: string, username: string, times: number, to = server): Promise<void> {
  for (let round = 0; round < times; round++) {
    expect((await attempt(address, username, undefined, to)).status).toBe(401)
  }
}

const limited = { status: 429, error: 'rate_limited' }

describe('the rate limit of failed sign-ins', () => {
  test.each(['admin', 'nobody'])(
    'refuses the eleventh attempt for a username, even with the right password: %s',
    async name => {
      const address = newAddress()
      await fail(address, name, 10)
      const eleventh = await attempt(address, name, server.adminPassword)
      expect(Number(eleventh.headers.get('retry-after'))).toBeGreaterThan(800)
      expect(Number(eleventh.headers.get('retry-after'))).toBeLessThanOrEqual(900)
      expect(await failure(eleventh)).toEqual(limited)
      await fail(address, 'somebody-else', 1)
      expect((await attempt(newAddress(), 'admin', server.adminPassword)).status).toBe(200)
    },
  )

  test('holds for concurrent attempts', async () => {
    const address = newAddress()
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt(address, 'admin')))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(10).fill(429)])
  })

  test('counts every spelling of a username as one', async () => {
    const address = newAddress()
    const forms = ['admin', 'ADMIN', ' admin ', 'ad\u200bmin', 'ａｄｍｉｎ']
    for (const form of [...forms, ...forms]) await fail(address, form, 1)
    expect((await attempt(address, 'Admin', server.adminPassword)).status).toBe(429)
  })

  test('counts all addresses of an IPv6 /64 network as one, and other networks separately', async () => {
    for (let host = 1; host <= 10; host++) await fail(`2001:db8:1:2:${host}::${host}`, 'admin', 1)
    for (const same of ['2001:db8:1:2::', '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff']) {
      expect((await attempt(same, 'admin', server.adminPassword)).status).toBe(429)
    }
    for (const other of ['2001:db8:1:3::1', '2001:db8:1::2', '::2', '2001:db8::1:2']) {
      expect((await attempt(other, 'admin', server.adminPassword)).status).toBe(200)
    }
  })

  test('counts an IPv4 address and its IPv6 forms as one', async () => {
    const address = newAddress()
    const hex = `cb00:${(0x7100 + Number(address.split('.')[3])).toString(16)}`
    const forms = [address, `::ffff:${address}`, `::FFFF:${address}`, `::ffff:${hex}`, `0:0:0:0:0:ffff:${hex}`]
    for (const form of [...forms, ...forms]) await fail(form, 'admin', 1)
    for (const form of forms) expect((await attempt(form, 'admin', server.adminPassword)).status).toBe(429)
    const others = [newAddress(), newAddress()].map(other => `::FFFF:${other}`)
    for (const other of others) await fail(other, 'admin', 9)
    for (const other of others) expect((await attempt(other, 'admin', server.adminPassword)).status).toBe(200)
  })

  test('resets after a successful sign-in', async () => {
    const address = newAddress()
    for (let round = 0; round < 3; round++) {
      await fail(address, 'admin', 9)
      expect((await attempt(address, 'admin', server.adminPassword)).status).toBe(200)
    }
  })

  test('refuses an address after a hundred failures for any usernames, and counts no success', async () => {
    const address = newAddress()
    for (let round = 0; round < 12; round++) {
      expect((await attempt(address, 'admin', server.adminPassword)).status).toBe(200)
    }
    for (let round = 0; round < 100; round++) await fail(address, `name-${round}`, 1)
    const next = await attempt(address, 'another-name')
    expect(next.headers.get('retry-after')).not.toBeNull()
    expect(await failure(next)).toEqual(limited)
  })

  test('applies to the current password in a password change', async () => {
    const user = await buildUser(server)
    const guess = { current_password: 'wrong password', new_password: 'a better one' }
    for (let round = 0; round < 10; round++) {
      await expect(user.call(changePassword, guess)).rejects.toMatchObject({ status: 400 })
    }
    const right = { current_password: user.password, new_password: 'a better one' }
    await expect(user.call(changePassword, right)).rejects.toMatchObject({ status: 429 })
  })
})

/** test/api/shared-limits.test.ts tests what two servers share for one username. */
describe('two servers on one database', () => {
  let started: Promise<TestServer> | undefined
  afterAll(async () => (await started)?.close())

  const second = (context: TestContext): Promise<TestServer> => {
    onlyOn('mariadb', context)
    // The same folder, because the server's secret is that of the database.
    const { dataDir, databaseFlag: database } = server
    started ??= startServer({ trustProxy: '127.0.0.1', database, dataDir })
    return started
  }

  test('share the failures of an address, even of concurrent attempts', async context => {
    const other = await second(context)
    const address = newAddress()
    const tries = Array.from({ length: 30 }, (_, round) => [server, other].map(to => [`name-${round}`, to] as const))
    for (const some of [tries.slice(0, 15), tries.slice(15)]) {
      await Promise.all(some.flat().map(([name, to]) => attempt(address, name, undefined, to)))
    }
    for (let round = 0; round < 20; round++) {
      await fail(address, `last-${round}`, 1)
      await fail(address, `last-${round}`, 1, other)
    }
    for (const to of [server, other]) expect((await attempt(address, 'another', undefined, to)).status).toBe(429)
  })

  test('share the wrong API keys of an address', async context => {
    const other = await second(context)
    const address = newAddress()
    const show = async (to: TestServer) =>
      (
        await fetch(`${to.url}/api/files`, {
          headers: { authorization: 'Bearer gk_a:gs_b', 'x-forwarded-for': address },
        })
      ).status
    const statuses = await Promise.all(Array.from({ length: 100 }, (_, round) => show(round % 2 ? server : other)))
    expect(new Set(statuses)).toEqual(new Set([401]))
    expect([await show(server), await show(other)]).toEqual([429, 429])
  })
})

describe('the existence of a username', () => {
  const wrong = { success: false, message: 'Invalid username or password', error: 'unauthenticated' }

  test('does not show in the status, headers or cookies of a failed sign-in', async () => {
    const { id, username } = await buildUser(server)
    await disableUser(server, id)
    const answers = []
    for (const name of ['admin', username, 'nobody']) {
      const response = await attempt(newAddress(), name)
      expect(response.status).toBe(401)
      expect(response.headers.getSetCookie()).toEqual([])
      expect(await response.json()).toEqual({ ...wrong, request_id: expect.any(String) })
      const { 'x-request-id': _id, date, ...headers } = Object.fromEntries(response.headers)
      expect(date).toEqual(expect.any(String))
      answers.push(headers)
    }
    for (const headers of answers) expect(headers).toEqual(answers[0])
  })

  test('does not show in the time of a failed sign-in, because every attempt compares a hash', async () => {
    const { username } = await buildUser(server, { isCostly: true })
    const disabled = await buildUser(server, { isCostly: true })
    await disableUser(server, disabled.id)
    const names = [username, disabled.username, 'nobody-at-all']
    const costs = names.map((): number[] => [])
    for (let round = 0; round < 9; round++) {
      for (const [index, name] of names.entries()) {
        const address = newAddress()
        const before = process.cpuUsage()
        await attempt(address, name)
        const { user, system } = process.cpuUsage(before)
        costs[index]?.push(user + system)
      }
    }
    // Measure CPU time, because wall time varies on a busy machine. An attempt without a hash would take a tenth of it.
    const least = costs.map(list => Math.min(...list))
    expect(Math.max(...least) / Math.min(...least)).toBeLessThan(3)
  })

  test('does not show in the rate limit, which is the same for an unknown username', async () => {
    const headersOf = async (name: string) => {
      const address = newAddress()
      await fail(address, name, 10)
      const { status, headers } = await attempt(address, name)
      return [status, [...headers.keys()].sort()]
    }
    expect(await headersOf('nobody')).toEqual(await headersOf('admin'))
  })
})
