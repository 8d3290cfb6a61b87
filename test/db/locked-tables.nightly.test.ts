/** A table that somebody else has locked on MariaDB: who needs it is told so, instead of waiting for a day. */
import mysql from 'mysql2/promise'
import { expect, onTestFinished, test } from 'vitest'
import { failure } from '../support/client.ts'
import { buildFile, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'

test('a list, and a change, of a locked table are answered with 503, and work once it is free', async context => {
  onlyOn('mariadb', context)
  const server = await startServer()
  onTestFinished(() => server.close())
  const user = await buildUser(server)
  const { id } = await buildFile(user)
  const other = await mysql.createConnection(server.databaseFlag ?? '')
  onTestFinished(() => other.end())
  const list = () => user.raw('/api/files')
  const rename = () =>
    user.raw(`/api/files/${id}/rename`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'renamed.txt' }),
    })
  await other.query('LOCK TABLES files WRITE')
  for (const response of await Promise.all([list(), rename()])) {
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await failure(response)).toMatchObject({ status: 503, error: 'unavailable' })
  }
  await other.query('UNLOCK TABLES')
  expect([(await list()).status, (await rename()).status]).toEqual([200, 200])
})
