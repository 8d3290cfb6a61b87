/** Settings that are missing or cannot be read count as the value that allows least, and `fsck --repair` writes that one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listSettings } from '../../src/api/settings.ts'
import { getSharingSettings, listReceived } from '../../src/api/shares.ts'
import { storedSettingKeys, storedSettings } from '../../src/db/stored-settings.ts'
import { findSwitches } from '../../src/settings/find.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser, turnSettings } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'
import { runFsck } from './fsck-run.ts'

/** By setting: the value that allows least, and another one. */
const expected: Record<string, [strict: string, wider: string]> = {
  validation_enabled: ['true', 'false'],
  allow_self_validation: ['false', 'true'],
  auto_validate_admin: ['false', 'true'],
  metadata_enabled: ['true', 'false'],
  metadata_required_on_upload: ['true', 'false'],
  sharing_people: ['false', 'true'],
  sharing_everyone: ['false', 'true'],
  sharing_find_people: ['exact', 'names'],
  sharing_links: ['false', 'true'],
  sharing_link_uploads: ['false', 'true'],
  sharing_link_password_required: ['true', 'false'],
  sharing_link_max_days: ['1', '0'],
}

let server: TestServer
let admin: TestClient
let ann: BuiltUser
let ben: BuiltUser
let link: { token: string }
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  ann = await buildUser(server)
  ben = await buildUser(server)
  const folder = await buildFolder(ann)
  await buildShare(ann, folder, ben, 'view')
  link = await buildLink(ann, folder)
})
afterAll(() => server.close())

const readRows = async () => {
  const rows = await server.deps.db.rows<{ key: string; value: string }>('SELECT `key`, value FROM settings')
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

/** What the settings admit. */
async function tryAll() {
  return {
    shares: (await ben.call(listReceived, {})).shares.length,
    link: (await openVisitor(server.url, link.token).raw('')).status,
    upload: (await buildFile(ann)).validation_status,
  }
}
const everything = { shares: 1, link: 200, upload: 'approved' }
const nothing = { shares: 0, link: 404, upload: 'pending' }

const widenAll = () =>
  spoilRows(
    server,
    'DELETE FROM settings',
    ...Object.entries(expected).map(
      ([key, [, wider]]) => `INSERT INTO settings (\`key\`, value, updated_at) VALUES ('${key}', '${wider}', 1)`,
    ),
  )

test('every setting has a value that allows least, which is one of its values', () => {
  expect([...storedSettingKeys].sort()).toEqual(Object.keys(expected).sort())
  for (const key of storedSettingKeys) {
    const { strict, values } = storedSettings[key]
    expect([key, strict]).toEqual([key, expected[key]?.[0]])
    expect(values).toContain(strict)
  }
})

describe.each([
  ['unreadable', "UPDATE settings SET value = 'nonsense'"],
  ['missing', 'DELETE FROM settings'],
])('settings that are %s', (_, statement) => {
  beforeAll(async () => {
    await widenAll()
    expect(await tryAll()).toEqual(everything)
    await spoilRows(server, statement)
  })

  test('admit nothing', async () => {
    expect(await tryAll()).toEqual(nothing)
    expect(await admin.call(getSharingSettings, {})).toEqual({
      people: false,
      everyone: false,
      find_people: 'exact',
      links: false,
      link_uploads: false,
      link_password_required: true,
      link_max_days: 1,
    })
    expect(await findSwitches(server.deps.db)).toEqual({
      validation_enabled: true,
      allow_self_validation: false,
      auto_validate_admin: false,
      metadata_enabled: true,
      metadata_required_on_upload: true,
    })
  })

  test('have that value after a repair', async () => {
    await runFsck(server, '--repair')
    expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
    expect(await readRows()).toEqual(Object.fromEntries(storedSettingKeys.map(key => [key, expected[key]?.[0]])))
    expect(await tryAll()).toEqual(nothing)
  })
})

test('a list shows an unreadable switch as it takes effect, and a new value replaces it', async () => {
  await widenAll()
  await spoilRows(server, "UPDATE settings SET value = 'nonsense' WHERE `key` = 'validation_enabled'")
  const value = async () => (await admin.call(listSettings, {})).find(({ key }) => key === 'validation_enabled')?.value
  expect(await value()).toBe('true')
  await turnSettings(admin, { validation_enabled: false })
  expect(await value()).toBe('false')
})
