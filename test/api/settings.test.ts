/** The five settings of the system. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listRoles } from '../../src/api/roles.ts'
import { listSettings, type SettingKey, settingKeys, updateSetting } from '../../src/api/settings.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildUser, turnSettings } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

const initial = {
  validation_enabled: false,
  allow_self_validation: false,
  auto_validate_admin: false,
  metadata_enabled: true,
  metadata_required_on_upload: false,
}

let server: TestServer
let admin: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())
beforeEach(() => turnSettings(admin, initial))

const read = async (): Promise<Record<string, boolean>> =>
  Object.fromEntries((await admin.call(listSettings, {})).map(({ key, value }) => [key, value === 'true']))

const put = (key: string, body: unknown) =>
  admin.raw(`/api/settings/${key}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('settings', () => {
  test('that were never changed, and the system roles, have the time of the migrations', async () => {
    // The tests of one process share a migrated database: test/support/migrated.ts.
    const began = performance.timeOrigin
    const fresh = await startServer()
    try {
      const own = await buildUser(fresh, { role: 'admin' })
      const { roles } = await own.call(listRoles, {})
      const times = [
        ...(await own.call(listSettings, {})).map(setting => setting.updated_at),
        ...roles.flatMap(role => [role.created_at, role.updated_at]),
      ].map(time => Date.parse(time))
      // A database may store whole seconds only.
      expect(Math.min(...times)).toBeGreaterThanOrEqual(began - 1000)
      expect(Math.max(...times)).toBeLessThanOrEqual(Date.now())
    } finally {
      await fresh.close()
    }
  })

  test('are all off except metadata on a new server', async () => {
    const fresh = await startServer()
    const first = await buildUser(fresh, { role: 'admin' })
    const settings = await first.call(listSettings, {})
    await fresh.close()
    expect(settings.map(({ key }) => key)).toEqual(settingKeys)
    expect(Object.fromEntries(settings.map(({ key, value }) => [key, value === 'true']))).toEqual(initial)
  })

  test.each(settingKeys)('include %s, which can be changed whatever the others are', async key => {
    for (const value of ['true', 'false', 'true'] as const) {
      expect(await admin.call(updateSetting, { key, value })).toMatchObject({ key, value })
      expect(await read()).toEqual({ ...initial, [key]: value === 'true' })
    }
  })

  test('keep their update time when nothing changes', async () => {
    const first = await admin.call(updateSetting, { key: 'validation_enabled', value: 'true' })
    expect(Date.parse(first.updated_at)).toBeGreaterThan(0)
    expect(await admin.call(updateSetting, { key: 'validation_enabled', value: 'true' })).toEqual(first)
  })

  test('are 404 for an unknown key, and 400 for any value but true and false', async () => {
    for (const key of ['nothing', 'VALIDATION_ENABLED', '__proto__', '%20validation_enabled']) {
      expect(await failure(await put(key, { value: 'true' }))).toEqual({ status: 404, error: 'not_found' })
    }
    for (const value of [true, 1, 'TRUE', 'yes', '', null, undefined, ['true']]) {
      expect(await failure(await put('validation_enabled', { value }))).toEqual({
        status: 400,
        error: 'invalid_input',
        fields: { value: expect.any(String) },
      })
    }
    expect(await read()).toEqual(initial)
  })

  test('record an event each time they change', async () => {
    const count = async () =>
      (await server.deps.db.row<{ n: number }>("SELECT COUNT(*) AS n FROM events WHERE action = 'setting.update'"))?.n
    const before = (await count()) ?? 0
    await turnSettings(admin, { auto_validate_admin: true })
    await turnSettings(admin, { auto_validate_admin: true })
    expect(await count()).toBe(before + 1)
  })

  test('have one of the two values after ten concurrent changes', async () => {
    const turn = (value: 'true' | 'false') => admin.call(updateSetting, { key: 'metadata_enabled', value })
    await Promise.all(Array.from({ length: 10 }, (_, index) => turn(index % 2 === 0 ? 'true' : 'false')))
    expect(typeof (await read())['metadata_enabled' satisfies SettingKey]).toBe('boolean')
  })
})
