/** A primary that becomes read-only while servers write to it: they say that it is away, and go to the next host. */
import { expect, type TestContext, test } from 'vitest'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { buildUser } from '../support/factories.ts'
import { createMariadb, type MariadbProcess } from '../support/mariadb-process.ts'
import { openCluster } from '../support/nodes.ts'
import { onlyOn } from '../support/only-on.ts'

/** A primary with a replica, and a user who may not write where only administrators may. */
async function openHosts(context: TestContext) {
  const binlog = ['--log-bin', '--log-bin-trust-function-creators=1']
  const primary = await createMariadb(context, [...binlog, '--server-id=1'])
  context.onTestFinished(primary.remove)
  const replica = await createMariadb(context, [...binlog, '--server-id=2', '--read-only'])
  context.onTestFinished(replica.remove)
  const { port } = new URL(primary.url)
  await replica.run(
    'DROP DATABASE filestore',
    `CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=${port}, MASTER_USER='root', MASTER_USE_GTID=slave_pos`,
    "SET GLOBAL gtid_slave_pos = ''",
    'START SLAVE',
  )
  for (const name of ['filestore', 'alone']) {
    await primary.run(`CREATE USER ${name}@'%'`, `GRANT ALL ON filestore.* TO ${name}@'%'`)
  }
  const url = primary.url.replace('root@', 'filestore@')
  return { primary, replica, url, host: `127.0.0.1:${new URL(replica.url).port}` }
}

/** Waits until the replica has what the primary has committed, and makes it the primary. */
async function promote(primary: MariadbProcess, replica: MariadbProcess): Promise<void> {
  const [row] = await primary.run('SELECT @@gtid_binlog_pos AS position')
  await replica.run(`SELECT MASTER_GTID_WAIT('${row?.position}')`, 'STOP SLAVE', 'SET GLOBAL read_only = 0')
}

test('changes at a primary that became read-only are answered with 503, and made at the next one', async context => {
  onlyOn('mariadb', context)
  const { primary, replica, url, host } = await openHosts(context)
  const cluster = await openCluster({ database: `${url}?or=${host}` })
  context.onTestFinished(cluster.close)
  const alone = await cluster.start(['--database', url.replace('filestore@', 'alone@')])
  const following = await cluster.start()
  const user = await buildUser({ ...cluster, url: following.url })
  const other = await signIn(alone.url, user.username, user.password)
  const send = (client: TestClient) => {
    const body = new FormData()
    body.set('file', new Blob(['content']), 'file.txt')
    return client.raw('/api/files/upload', { method: 'POST', body })
  }
  for (const client of [user, other]) expect((await send(client)).status).toBe(201)

  await primary.run('SET GLOBAL read_only = 1')
  for (const client of [user, other]) {
    const refused = await send(client)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await failure(refused)).toMatchObject({ status: 503, error: 'unavailable' })
  }
  await promote(primary, replica)
  const statuses: number[] = []
  // Those that come while it changes the host, too.
  await expect.poll(async () => statuses.push((await send(user)).status) && statuses.at(-1)).toBe(201)
  expect(statuses.filter(status => ![201, 503].includes(status))).toEqual([])
  expect(await replica.run('SELECT name FROM filestore.files')).toContainEqual({ name: 'file (2).txt' })

  // Behind a proxy a new session would be at another host.
  const sessions = async () =>
    (await primary.run("SELECT id FROM information_schema.processlist WHERE user = 'alone'")).map(({ id }) => id)
  const before = await sessions()
  expect(before.length).toBeGreaterThan(0)
  // A host is left once a second at most.
  const refuseMore = async () => {
    expect((await send(other)).status).toBe(503)
    return (await sessions()).filter(id => before.includes(id))
  }
  await expect.poll(refuseMore).toEqual([])
  await primary.run('SET GLOBAL read_only = 0')
  expect((await send(other)).status).toBe(201)
})
