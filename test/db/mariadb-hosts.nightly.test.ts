/** Several hosts of a MariaDB: all processes use one of them, and leave it only when it takes no changes. */
import mysql from 'mysql2/promise'
import { expect, type TestContext, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/database.ts'
import { toAppError } from '../../src/db/failures.ts'
import { openHosts, refuseHost, urlsOf } from '../../src/db/mariadb-hosts.ts'
import { migrateUp } from '../../src/db/migrate.ts'
import { migrationStatus } from '../../src/db/run-migrations.ts'
import { createMariadb, type MariadbProcess } from '../support/mariadb-process.ts'
import { onlyOn } from '../support/only-on.ts'

async function openTwo(context: TestContext) {
  const hosts = await Promise.all([createMariadb(context), createMariadb(context)])
  context.onTestFinished(async () => {
    for (const host of hosts) await host.remove()
  })
  const [first, second] = hosts as [MariadbProcess, MariadbProcess]
  const flag = `${first.url}?or=127.0.0.1:${new URL(second.url).port}`
  const { database: config } = readConfig({ database: flag }, {})
  const open = async () => {
    const db = await openDatabase(config)
    context.onTestFinished(db.close)
    const port = async () => {
      const row = await db.row<{ port: number }>('SELECT @@port AS port').catch(() => undefined)
      return row?.port
    }
    return { db, port }
  }
  const ports = hosts.map(({ url }) => Number(new URL(url).port))
  return { first, second, config, open, ports }
}

/** Takes the connections that a host has left, but for a few. */
async function fill({ url }: MariadbProcess) {
  const connections: mysql.Connection[] = []
  for (;;) {
    const connection = await mysql.createConnection(url).catch(() => null)
    if (connection === null) break
    connections.push(connection)
  }
  return { end: async () => Promise.all(connections.map(connection => connection.end())) }
}

test('a process stays at its host while that takes changes, and else uses the first that does', async context => {
  onlyOn('mariadb', context)
  const { first, second, config, open, ports } = await openTwo(context)
  for (const { run } of [first, second]) await run('CREATE TABLE filestore.t (id INT)')
  const one = await open()
  expect(await one.port()).toBe(ports[0])
  await first.run('SET GLOBAL read_only = 1')
  const other = await open()
  expect(await other.port()).toBe(ports[1])
  // The process that has sessions at the first one notices within seconds.
  await expect.poll(one.port).toBe(ports[1])
  await one.db.touch(() => one.db.change('INSERT INTO t VALUES (1)'))
  await first.run('SET GLOBAL read_only = 0')
  await second.run('SET GLOBAL max_connections = 10')
  const filled = await fill(second)
  const late = await Promise.allSettled(
    Array.from({ length: 12 }, one.db.row.bind(null, 'SELECT @@port AS port, SLEEP(1)')),
  )
  for (const result of late) {
    if (result.status === 'fulfilled') expect(result.value).toMatchObject({ port: ports[1] })
  }
  expect(late.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
  await filled.end()
  for (const { port } of [one, other]) expect(await port()).toBe(ports[1])
  await second.stop('SIGKILL')
  for (const { port } of [one, other]) await expect.poll(port).toBe(ports[0])
  await first.run('DROP TABLE filestore.t')
  expect((await migrateUp(config)).length).toBeGreaterThan(50)
  await first.run('SET GLOBAL read_only = 1')
  const reasons = new RegExp(
    `:${ports[0]} \\(takes no changes, read_only is ON\\), .*:${ports[1]} \\(connect ECONNREFUSED`,
  )
  const { db } = await open()
  for (const work of [() => db.row('SELECT 1'), () => migrationStatus(config)]) {
    const error = await work().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'ConnectError', message: expect.stringMatching(reasons) })
    expect(toAppError(error).code).toBe('unavailable')
  }
})

const answers = (variables: Record<string, string>) => async (sql: string) =>
  Object.entries(variables)
    .filter(([name]) => sql.includes(`'${name}'`))
    .map(([name, value]) => ({ Variable_name: name, Value: value }))

test.each<[string | null, Record<string, string>]>([
  [null, { read_only: 'OFF' }],
  ['read_only is ON', { read_only: 'ON' }],
  ['read_only is NO_LOCK', { read_only: 'NO_LOCK' }],
  ['read_only is undefined', {}],
  [null, { read_only: 'OFF', wsrep_on: 'OFF' }],
  [null, { read_only: 'OFF', wsrep_on: 'ON', wsrep_ready: 'ON' }],
  ['wsrep_ready is OFF', { read_only: 'OFF', wsrep_on: 'ON', wsrep_ready: 'OFF' }],
  ['read_only is ON', { read_only: 'ON', wsrep_on: 'ON', wsrep_ready: 'ON' }],
])('a host is refused: %s, with %j', async (reason, variables) => {
  const refused = refuseHost(answers(variables))
  if (reason === null) await refused
  else await expect(refused).rejects.toThrow(reason)
})

/** Hosts of which each answers with its own errors first, one for each session. */
function scripted(...hosts: (Error & { code?: string })[][]) {
  const opened: string[] = []
  const { open } = openHosts<string>(
    ['mysql://h0/db', ...hosts.slice(1).map((_errors, at) => `mysql://h${at + 1}/db`)],
    {
      open: async url => {
        opened.push(url)
        const error = hosts[Number(new URL(url).host.slice(1))]?.shift()
        if (error !== undefined) throw error
        return url
      },
      show: (_session, sql) => answers({ read_only: 'OFF' })(sql),
      destroy: () => undefined,
    },
  )
  return { open: async () => new URL((await open()).url).host, opened }
}
const away = () => new Error('connect ETIMEDOUT')

test('one failed check does not move a process to another host, two in a row do, and it does not go back', async () => {
  const hosts = scripted([away()], [])
  expect(await hosts.open()).toBe('h0')
  const moved = scripted([away(), away()], [])
  expect(await moved.open()).toBe('h1')
  moved.opened.length = 0
  for (let session = 0; session < 3; session++) expect(await moved.open()).toBe('h1')
  expect(new Set(moved.opened)).toEqual(new Set(['mysql://h1/db']))
})

test.each(['ER_CON_COUNT_ERROR', 'ER_ACCESS_DENIED_ERROR'])('%s is an error of the host that works', async code => {
  const refusal = () => Object.assign(new Error('refused'), { code })
  const hosts = scripted([refusal(), away(), refusal()], [])
  await expect(hosts.open()).rejects.toMatchObject({ code })
  await expect(hosts.open()).rejects.toMatchObject({ code })
  expect(await hosts.open()).toBe('h0')
})

test('an address names its hosts', () => {
  expect(urlsOf('mysql://u:p%40@h1:3310/db?or=h2,h3:3307')).toEqual([
    'mysql://u:p%40@h1:3310/db',
    'mysql://u:p%40@h2:3306/db',
    'mysql://u:p%40@h3:3307/db',
  ])
  expect(urlsOf('mysql://h1/db')).toEqual(['mysql://h1/db'])
  for (const hosts of ['', 'h2,', 'h2:x', 'h2/db', 'u:p@h2']) {
    const database = `mysql://u:geheim@h1/db?or=${encodeURIComponent(hosts)}`
    expect(() => readConfig({ database }, {})).toThrow(/^(?!.*geheim).*names no hosts/)
  }
  expect(() => readConfig({ database: 'mysql://u:geheim@h1/db?or=h2&or=h3' }, {})).toThrow(/^(?!.*geheim).*or once/)
})
