/** How `filestore admin` finds its data, and how a running server notices the changes. */
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/database.ts'
import { runBinary, serveBinary } from '../support/binary.ts'
import { openClient, signIn } from '../support/client.ts'
import { onlyOn } from '../support/only-on.ts'
import { createDatabase, type TestDatabase } from '../support/test-server.ts'
import { dataFlags, expectRefusal, runOn } from './administration.ts'

let dataDir: string
let database: TestDatabase

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'filestore-admin-'))
  database = await createDatabase()
})
afterEach(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const here = () => ({ dataDir, databaseFlag: database.flag })
const commands = [
  ['user', 'list'],
  ['settings', 'set', 'validation_enabled', 'true'],
  ['fields', 'delete', 'team', '--yes'],
]

/** The tables of the test's database; none when its file does not exist. */
async function tableCount(): Promise<number> {
  const db = await openDatabase(readConfig({ dataDir, database: database.flag }).database)
  const query =
    db.dialect === 'sqlite'
      ? 'SELECT COUNT(*) AS count FROM sqlite_master'
      : 'SELECT COUNT(*) AS count FROM information_schema.tables WHERE table_schema = DATABASE()'
  const count = (await db.row<{ count: number }>(query))?.count ?? 0
  await db.close()
  return count
}

const migrate = (...args: string[]) => runOn(here(), ['migrate', ...args])

describe('missing or unreadable data', () => {
  test('a command without a database reports that, and makes none', async context => {
    onlyOn('sqlite', context)
    for (const command of commands) {
      const { code, stdout, stderr } = await runOn(here(), ['admin', ...command])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      const advice = 'give --data-dir or --database as the server has them'
      expect(stderr).toBe(`error: There is no database at ${dataDir}/filestore.db: ${advice}`)
    }
    expect(await readdir(dataDir)).toEqual([])
  })

  test('a database without tables is refused and stays empty', async () => {
    if (database.flag === undefined) await writeFile(join(dataDir, 'filestore.db'), '')
    expectRefusal(await runOn(here(), ['admin', 'user', 'list']), 2, "no tables yet: 'filestore migrate up'")
    expect(await tableCount()).toBe(0)
  })

  test('a database of an older filestore is refused and stays as it is', async () => {
    await migrate('up')
    await migrate('down', '--yes')
    expectRefusal(await runOn(here(), ['admin', 'user', 'list']), 7, "run 'filestore migrate up' first")
    expect((await migrate('status')).stdout).toMatch(/pending +\S+$/)
  })

  test('a MariaDB that does not answer, or lacks the database, is reported without its password', async context => {
    onlyOn('mariadb', context)
    for (const url of ['mysql://root:hush@127.0.0.1:9/nothing', `${database.flag}_not_there`]) {
      const result = await runOn({ dataDir, databaseFlag: url }, ['admin', 'user', 'list'])
      expect(result).toMatchObject({ code: 7, stdout: '' })
      expect(result.stderr).toMatch(/ECONNREFUSED|Unknown database/)
      expect(result.stderr).not.toContain('hush')
    }
    expect(await readdir(dataDir)).toEqual([])
  })

  test('admin create and migrate report a MariaDB that does not answer like the other commands', async () => {
    const elsewhere = { dataDir, databaseFlag: 'mysql://root:hush@127.0.0.1:9/nothing' }
    const ann = ['--username', 'ann', '--email', 'a@x.org', '--password-stdin']
    for (const command of [
      ['admin', 'create', ...ann],
      ['migrate', 'up'],
      ['migrate', 'status'],
      ['migrate', 'down', '--yes'],
    ]) {
      const result = await runOn(elsewhere, command, 'long enough')
      expectRefusal(result, 7, 'is MariaDB running, and --database right? (connect ECONNREFUSED 127.0.0.1:9)')
      expect(result.stderr).not.toContain('hush')
    }
  })

  test('a file that is no database is named in the error and stays as it is', async context => {
    onlyOn('sqlite', context)
    const file = join(dataDir, 'filestore.db')
    const text = 'something else, longer than the head of a database would be. '.repeat(20)
    await writeFile(file, text)
    for (const command of [
      ['admin', 'user', 'list'],
      ['migrate', 'up'],
      ['migrate', 'status'],
    ]) {
      expectRefusal(await runOn(here(), command), 2, `${file} is no SQLite database: give --data-dir as the server has`)
    }
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  test('a database without read permission is reported as such, not as missing', async context => {
    onlyOn('sqlite', context)
    await migrate('up')
    const file = join(dataDir, 'filestore.db')
    // Root may read every file, so run the command as nobody.
    const isRoot = process.getuid?.() === 0
    const uid = isRoot ? 65_534 : undefined
    const refuse = async (args: string[], path: string) => {
      const { exitCode, stderr } = await runBinary([...args, '--data-dir', dataDir], { uid })
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 3 })
      expect(stderr).toContain(`No access to ${path}: run this as the user that the server runs as`)
    }
    await chmod(file, 0o000)
    await chmod(dataDir, isRoot ? 0o755 : 0o700)
    for (const args of [
      ['admin', 'user', 'list'],
      ['migrate', 'status'],
      ['migrate', 'up'],
    ])
      await refuse(args, file)
    await chmod(dataDir, isRoot ? 0o700 : 0o000)
    await refuse(['admin', 'user', 'list'], file)
    await chmod(dataDir, 0o700)
  })

  test('a user is not deleted when the blob folder does not belong to the database', async () => {
    await runOn(
      here(),
      ['admin', 'create', '--username', 'ann', '--email', 'a@x.org', '--password-stdin'],
      'long enough',
    )
    const elsewhere = join(dataDir, 'elsewhere')
    expectRefusal(
      await runOn(here(), ['admin', 'user', 'delete', 'ann', '--yes', '--storage', elsewhere]),
      2,
      `no folder of bytes at ${elsewhere}`,
    )
    expect(await readdir(dataDir)).not.toContain('elsewhere')
  })
})

describe('admin commands beside a running server', () => {
  test("take effect from the server's next request", async () => {
    const env = { FILESTORE_ADMIN_PASSWORD: 'some password' }
    const server = await serveBinary(dataFlags(here()), env)
    await runOn(here(), ['admin', 'user', 'add', 'ann', '--email', 'a@x.org', '--password-stdin'], 'long enough')
    const ann = await signIn(server.url, 'ann', 'long enough')
    const status = async (path: string) => (await ann.raw(path)).status
    expect([await status('/api/files'), await status('/api/users')]).toEqual([200, 403])
    const made = await runOn(here(), [
      'admin',
      'key',
      'create',
      'k',
      '--user',
      'ann',
      '--permission',
      'files:read',
      '--json',
    ])
    const { key_id, secret } = JSON.parse(made.stdout)
    const key = openClient(server.url, { 'x-api-key-id': key_id, 'x-api-secret': secret })
    expect((await key.raw('/api/files')).status).toBe(200)
    expect((await runOn(here(), ['admin', 'user', 'disable', 'ann'])).code).toBe(0)
    expect([await status('/api/files'), (await key.raw('/api/files')).status]).toEqual([401, 401])
    await runOn(here(), ['admin', 'user', 'enable', 'ann'])
    expect((await key.raw('/api/files')).status).toBe(200)
    await runOn(here(), ['admin', 'key', 'revoke', key_id, '--yes'])
    expect((await key.raw('/api/files')).status).toBe(401)
    await server.stop()
  })
})
