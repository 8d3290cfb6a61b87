/** A MariaDB with another default encoding than UTF-8, which it uses until the connection is set up. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { runBinary, serveBinary } from '../support/binary.ts'
import { signIn } from '../support/client.ts'
import { buildFolder } from '../support/factories.ts'
import { createMariadb } from '../support/mariadb-process.ts'

// Starting a MariaDB takes long on a busy machine.
test('errors of a MariaDB with another encoding are legible, and names are stored correctly', {
  timeout: 120_000,
}, async context => {
  const mariadb = await createMariadb(context)
  context.onTestFinished(() => mariadb.remove())
  const dataDir = await mkdtemp(join(tmpdir(), 'filestore-test-'))
  context.onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const password = 'given by the environment'
  for (const encoding of ['cp1251', 'utf8mb3', 'koi8r', 'latin1']) {
    await mariadb.stop()
    await mariadb.start([`--character-set-server=${encoding}`])
    const nowhere = mariadb.url.replace(/\w+$/, encodeURIComponent('нигде'))
    const { exitCode, stderr } = await runBinary(['migrate', 'status', '--data-dir', dataDir, '--database', nowhere])
    expect({ encoding, exitCode, stderr }).toEqual({
      encoding,
      exitCode: 7,
      stderr: expect.stringContaining("(Unknown database 'нигде')"),
    })
    const server = await serveBinary(['--data-dir', dataDir, '--database', mariadb.url], {
      FILESTORE_ADMIN_PASSWORD: password,
    })
    const admin = await signIn(server.url, 'admin', password)
    await buildFolder(admin, `${encoding} нигде 𝄞`)
    const { folders } = await admin.call(listFiles, {})
    expect(folders.map(({ name }) => name)).toContain(`${encoding} нигде 𝄞`)
    expect(await server.stop()).toBe(0)
  }
})
