/** A MariaDB whose tables cannot grow: additions get 507, and work again once there is space. */
import { expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { buildFile, buildUser } from '../support/factories.ts'
import { createMariadb } from '../support/mariadb-process.ts'
import { countItems, expectTrueCounters, largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'

/** One file for all tables. A completely full disk would stop MariaDB itself. */
const upTo = (size: string) => [
  '--innodb-file-per-table=0',
  `--innodb-data-file-path=ibdata1:12M:autoextend:max:${size}`,
  '--innodb-autoextend-increment=1',
]

// Starting a MariaDB takes long on a busy machine.
test('an upload into a full MariaDB gets 507, and nothing is stored partly', { timeout: 120_000 }, async context => {
  const mariadb = await createMariadb(context, upTo('32M'))
  context.onTestFinished(() => mariadb.remove())
  const server = await startServer({ database: mariadb.url })
  context.onTestFinished(() => server.close())
  const user = await buildUser(server)
  const small = () => largeContent().subarray(0, 30_000)
  const { id } = await buildFile(user, {}, small())
  let stored = 1
  let failure: unknown
  while (failure === undefined) {
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => buildFile(user, {}, small())))
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') stored += 1
      else failure = outcome.reason
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 507, code: 'storage_full' })
    }
  }
  expect((await user.call(listFiles, { limit: 1000 })).total).toBe(stored)
  expect((await user.raw(`/api/files/${id}/download`)).status).toBe(200)
  await expectTrueCounters(server, user)
  await mariadb.stop()
  await mariadb.start(upTo('64M'))
  await expect.poll(async () => (await user.raw('/readyz')).status).toBe(200)
  for (let more = 0; more < 20; more++) await buildFile(user, {}, small())
  await user.call(trashFile, { id })
  expect(await countItems(server, user)).toBe(stored + 20)
  await expectTrueCounters(server, user)
})
