/** Several hosts of a MariaDB: the first that takes changes is used, by all and again once it is back. */
import { expect, type TestContext, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/database.ts'
import { takesChanges, urlsOf } from '../../src/db/mariadb-hosts.ts'
import { migrateUp } from '../../src/db/migrate.ts'
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

test('the first host is used while it takes changes, and else the next one', async context => {
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
  for (const { port } of [one, other]) await expect.poll(port).toBe(ports[0])
  await first.stop('SIGKILL')
  for (const { port } of [one, other]) await expect.poll(port).toBe(ports[1])
  await second.run('DROP TABLE filestore.t')
  expect((await migrateUp(config)).length).toBeGreaterThan(50)
  await second.run('SET GLOBAL read_only = 1')
  await expect((await open()).db.row('SELECT 1')).rejects.toThrow('No connection to the database')
})

const answers = (variables: Record<string, string>) => ({
  show: async (sql: string) =>
    Object.entries(variables)
      .filter(([name]) => sql.includes(name))
      .map(([name, value]) => ({ Variable_name: name, Value: value })),
})

test.each<[boolean, Record<string, string>]>([
  [true, { read_only: 'OFF' }],
  [false, { read_only: 'ON' }],
  [true, { read_only: 'OFF', wsrep_on: 'OFF', wsrep_ready: 'OFF' }],
  [true, { read_only: 'OFF', wsrep_on: 'ON', wsrep_ready: 'ON' }],
  [false, { read_only: 'OFF', wsrep_on: 'ON', wsrep_ready: 'OFF' }],
  [false, { read_only: 'ON', wsrep_on: 'ON', wsrep_ready: 'ON' }],
])('takes changes: %s, with %j', async (expected, variables) => {
  expect(await takesChanges(answers(variables))).toBe(expected)
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
})
