/** Rows that refer to missing rows: backup, `--verify` and `restore` name them, and `--keep` keeps what was whole. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
let ann: BuiltUser
let folder: string

beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  folder = await backups.openFolder()
})
afterEach(() => server.close())

interface Damage {
  what: string
  statement: string
  told: string
}

const ofAnn = "(SELECT id FROM (SELECT id FROM users WHERE username = 'ann') u)"

const damages: Damage[] = [
  {
    what: 'rows of contents are gone',
    statement: "DELETE FROM blobs WHERE place = 'inline'",
    told: 'table files: rows with blob_id 1, of which there is none in blobs',
  },
  {
    what: 'a file names no content',
    statement: "UPDATE files SET blob_id = NULL WHERE name = 'one.txt'",
    told: ': it is a file, and names no content',
  },
  {
    what: 'a file names a content that there is not',
    statement: "UPDATE files SET blob_id = 4294967299 WHERE name = 'one.txt'",
    told: 'table files: rows with blob_id 4294967299, of which there is none in blobs',
  },
  {
    what: 'a user is gone',
    statement: "DELETE FROM users WHERE username = 'ann'",
    told: 'table spaces: rows with owner_id 2, of which there is none in users',
  },
  {
    what: 'a user has no role',
    statement: "UPDATE users SET role_id = 99 WHERE username = 'ann'",
    told: 'table users: rows with role_id 99, of which there is none in roles',
  },
  {
    what: 'a storage is gone',
    statement: `DELETE FROM spaces WHERE owner_id = ${ofAnn}`,
    told: 'of which there is none in spaces',
  },
  {
    what: 'a file is in no storage',
    statement: "UPDATE files SET space_id = 99 WHERE name = 'one.txt'",
    told: 'table files: rows with space_id 99, of which there is none in spaces',
  },
]

describe('a database in which', () => {
  test.each(damages)('$what is named, and an older whole backup stays', async ({ statement, told }) => {
    await buildFile(ann, { name: 'one.txt' }, Buffer.from('one'))
    const { snapshot: whole } = await backups.backUp(server, folder)
    await spoilRows(server, statement)
    const made = await runOn(server, ['backup', folder, '--keep', '1'])
    expect(made).toMatchObject({ code: 1, stderr: expect.stringContaining(`${whole} stays`) })
    expect(made.stderr).toContain(told)

    const verified = await runOn(server, ['backup', '--verify', folder])
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(`${whole}  whole`) })
    expect(verified.stdout.split(told)).toHaveLength(2)

    const restored = await runOn(await backups.openSite(), ['restore', folder])
    expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining(told) })
  })
})
