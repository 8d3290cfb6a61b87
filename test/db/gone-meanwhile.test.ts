/** A row that another server removes on MariaDB while a call adds one that refers to it. */
import mysql from 'mysql2/promise'
import { expect, onTestFinished, test } from 'vitest'
import { createShare, hideShare } from '../../src/api/shares.ts'
import { signIn } from '../support/client.ts'
import { buildFolder, buildGroup, buildShare, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'

const waiting = `SELECT COUNT(*) AS count FROM information_schema.INNODB_TRX t
  JOIN information_schema.PROCESSLIST p ON p.ID = t.trx_mysql_thread_id
  WHERE t.trx_state = 'LOCK WAIT' AND p.DB = DATABASE()`

async function start() {
  const server = await startServer()
  onTestFinished(() => server.close())
  const other = await mysql.createConnection(server.databaseFlag ?? '')
  onTestFinished(() => other.end())
  /** Runs a call which waits for the removal of a row, and returns how it is refused. */
  async function whileRemoved(table: string, id: number, call: () => Promise<unknown>): Promise<unknown> {
    await other.query('START TRANSACTION')
    await other.query(`DELETE FROM ${table} WHERE id = ?`, [id])
    const refused = call().then(
      () => 'the call succeeded',
      ({ status, code }) => ({ status, code }),
    )
    // This table shows its old content to anyone who reads it ten times a second.
    await expect.poll(async () => (await other.query(waiting))[0], { interval: 300 }).toEqual([{ count: 1 }])
    await other.query('COMMIT')
    return refused
  }
  return { server, whileRemoved }
}

const isGone = { status: 404, code: 'not_found' }

test('a share to a group that is deleted meanwhile is 404', async context => {
  onlyOn('mariadb', context)
  const { server, whileRemoved } = await start()
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const { id: item_id } = await buildFolder(admin)
  const { id: group_id } = await buildGroup(admin, [])
  const give = () => admin.call(createShare, { item_id, group_id, level: 'view' })
  expect(await whileRemoved('user_groups', group_id, give)).toEqual(isGone)
})

test('hiding a share that ends meanwhile is 404', async context => {
  onlyOn('mariadb', context)
  const { server, whileRemoved } = await start()
  const [owner, anna] = [await buildUser(server), await buildUser(server)]
  const { id } = await buildShare(owner, await buildFolder(owner), anna, 'view')
  const hide = () => anna.call(hideShare, { id, hidden: true })
  expect(await whileRemoved('shares', id, hide)).toEqual(isGone)
})
