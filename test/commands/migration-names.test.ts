/** Damaged names of migrations: no server starts on them, and `fsck --repair` puts them right. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { buildFile, buildUser } from '../support/factories.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer()
  await buildFile(await buildUser(server), { name: 'kept.bin' }, largeContent())
})
afterEach(() => server.close())

const last = migrations.at(-1)?.name ?? ''
const damages = [
  {
    what: 'a changed name',
    statement: "UPDATE migrations SET name = '0013-tacs' WHERE name = '0013-tags'",
    told: 'it lacks 0013-tags; no migration is called 0013-tacs',
  },
  {
    what: 'the last name changed',
    statement: `UPDATE migrations SET name = '9${last.slice(1)}' WHERE name = '${last}'`,
    told: `it lacks ${last}; no migration is called 9${last.slice(1)}`,
  },
  {
    what: 'a name missing',
    statement: "DELETE FROM migrations WHERE name = '0013-tags'",
    told: 'it lacks 0013-tags',
  },
]

describe('a database with', { timeout: 90_000 }, () => {
  test.each(damages)('$what of the migrations is not migrated again, and fsck repairs it', async damage => {
    const { statement, told } = damage
    await spoilRows(server, statement)
    for (const command of [
      ['migrate', 'up'],
      ['admin', 'user', 'list'],
    ]) {
      const refused = await runOn(server, command)
      expect(refused.code).not.toBe(0)
      expect(refused.stderr).toContain(`'filestore fsck --repair' puts it right (table migrations: ${told})`)
    }
    const found = await runOn(server, ['fsck'])
    expect(found).toMatchObject({ code: 10, stdout: expect.stringContaining(`table migrations: ${told}`) })
    expect(found.stdout).not.toMatch(/^lost/m)
    expect((await runOn(server, ['fsck', '--repair'])).stdout).toContain(`table migrations: ${told}`)
    expect(await runOn(server, ['fsck'])).toMatchObject({ code: 0 })
    expect(await runOn(server, ['migrate', 'up'])).toMatchObject({ code: 0 })
    expect((await runOn(server, ['migrate', 'status'])).stdout).not.toMatch(/^pending/m)
  })
})
