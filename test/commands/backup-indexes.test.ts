/** A backup of an SQLite database whose indexes disagree with its rows is not whole: `backup` and `--verify` say so. */
import { beforeEach, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'
import { unseen } from './fsck-unseen.ts'

let server: TestServer
let ann: BuiltUser
beforeEach(async context => {
  onlyOn('sqlite', context)
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  return () => server.close()
})

async function expectNamed(told: string): Promise<void> {
  const folder = await backups.openFolder()
  for (const args of [[folder], ['--verify', folder]]) {
    const { code, stdout, stderr } = await runOn(server, ['backup', ...args])
    expect(code).toBe(1)
    expect(stdout + stderr).toContain(told)
  }
}

test('one that holds another value than the row is named', async () => {
  const [shown, secret] = [await buildFolder(ann, 'shown'), await buildFolder(ann, 'secret')]
  const { id } = await buildShare(ann, shown, await buildUser(server), 'view')
  await spoilRows(server, ...unseen('shares', `UPDATE shares SET item_id = ${secret.id} WHERE id = ${id}`))
  await expectNamed('missing from index shares_item_user')
})

test('one of some rows that holds one too many is named', async () => {
  const { id } = await buildFile(ann, { name: 'held.txt' })
  await spoilRows(server, `UPDATE files SET validation_status = 'pending' WHERE id = ${id}`)
  await spoilRows(server, ...unseen('files', "UPDATE files SET validation_status = 'approved'", 'files_held%'))
  await expectNamed('index files_held_in holds another number of rows')
})
