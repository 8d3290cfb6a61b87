/** How a person likes to see files: kept on the server, and checked strictly. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getProfile, login, updatePreferences, updateProfile } from '../../src/api/auth.ts'
import { maxChangesPerDay, maxColumnWidth, minColumnWidth } from '../../src/api/limits.ts'
import { defaultPreferences, listColumns } from '../../src/api/preferences.ts'
import { failure, openClient, signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const put = (body: unknown): Promise<Response> =>
  user.raw('/api/auth/preferences', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const preferencesOf = async (client: Pick<BuiltUser, 'call'>) => (await client.call(getProfile, {})).preferences

describe('preferences', () => {
  test('are the usual ones until the user changes some, and then those, at every place of sign-in', async () => {
    const own = await buildUser(server)
    expect(await preferencesOf(own)).toEqual(defaultPreferences)
    const changed = { view: 'grid', column_widths: { size: 120 } } as const
    expect(await own.call(updatePreferences, changed)).toEqual({ ...defaultPreferences, ...changed })
    const other = await signIn(server.url, own.username, own.password)
    expect(await preferencesOf(other)).toEqual({ ...defaultPreferences, ...changed })
    const { username, password } = own
    const { user: signedIn } = await openClient(server.url).call(login, { username, password })
    expect(signedIn.preferences.view).toBe('grid')
  })

  test('change each for itself: two devices that change different ones do not undo each other', async () => {
    const own = await buildUser(server)
    const phone = await signIn(server.url, own.username, own.password)
    await Promise.all([
      own.call(updatePreferences, { sort: 'size', order: 'desc' }),
      phone.call(updatePreferences, { details: true }),
      own.call(updatePreferences, { columns: ['date'] }),
    ])
    const all = { ...defaultPreferences, sort: 'size', order: 'desc', details: true, columns: ['date'] }
    expect(await preferencesOf(phone)).toEqual(all)
    await phone.call(updatePreferences, { columns: [...listColumns], column_widths: { date: 200 } })
    await own.call(updatePreferences, { column_widths: {} })
    expect(await preferencesOf(phone)).toEqual({ ...all, columns: [...listColumns] })
  })

  test.each<[string, unknown, string]>([
    ['an unknown field', { theme: 'dark' }, 'theme'],
    ['an unknown order of files', { sort: 'colour' }, 'sort'],
    ['an unknown direction', { order: 'up' }, 'order'],
    ['an unknown view', { view: 'tiles' }, 'view'],
    ['an unknown column', { columns: ['name'] }, 'columns'],
    ['a column twice', { columns: ['size', 'size'] }, 'columns'],
    ['more columns than there are', { columns: Array(1000).fill('size') }, 'columns'],
    ['the width of an unknown column', { column_widths: { name: 100 } }, 'column_widths'],
    ['too small a width', { column_widths: { size: minColumnWidth - 1 } }, 'column_widths'],
    ['too large a width', { column_widths: { size: maxColumnWidth + 1 } }, 'column_widths'],
    ['half a pixel', { column_widths: { size: 100.5 } }, 'column_widths'],
    ['a text for yes or no', { details: 'true' }, 'details'],
    ['null', { view: null }, 'view'],
  ])('refuse %s', async (_what, body, field) => {
    const before = await preferencesOf(user)
    const response = await put(body)
    expect(response.status).toBe(400)
    const fields = Object.keys((await failure(response)).fields ?? {})
    expect(fields).toHaveLength(1)
    expect(fields[0]).toMatch(new RegExp(`^${field}\\b`))
    expect(await preferencesOf(user)).toEqual(before)
  })

  test('are shown to a key, which cannot change them', async () => {
    await user.call(updatePreferences, { details: true })
    const key = await buildKey(server, user, ['files:write'])
    expect((await preferencesOf(key)).details).toBe(true)
    await expect(key.call(updatePreferences, { details: false })).rejects.toMatchObject({ status: 403 })
  })

  test('leave no event, and listings and the rest of the account as they are', async () => {
    const own = await buildUser(server)
    await buildFile(own)
    const etag = (await own.raw('/api/files')).headers.get('etag') ?? ''
    const { preferences, ...account } = await own.call(getProfile, {})
    const countEvents = () => server.deps.db.row('SELECT COUNT(*) AS count FROM events')
    const before = await countEvents()
    expect((await own.call(updatePreferences, { view: 'grid' })).view).not.toBe(preferences.view)
    expect(await countEvents()).toEqual(before)
    expect((await own.raw('/api/files', { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect(await own.call(getProfile, {})).toEqual({ ...account, preferences: { ...preferences, view: 'grid' } })
    expect((await own.call(updateProfile, { full_name: 'Ada' })).preferences.view).toBe('grid')
  })

  test('count among the changes of a day', async () => {
    const own = await buildUser(server)
    await server.deps.changes.count(own.id, maxChangesPerDay)
    const tooMany = { status: 429, code: 'rate_limited' }
    await expect(own.call(updatePreferences, { details: true })).rejects.toMatchObject(tooMany)
  })

  test('are the usual ones again where the stored ones cannot be read, and can be changed then', async () => {
    const { db } = server.deps
    for (const broken of ['{"view":', '{"view":"tiles"}', '[]', '{"theme":"dark"}']) {
      const own = await buildUser(server)
      await db.touch(() => db.change('UPDATE users SET preferences = $1 WHERE id = $2', [broken, own.id]))
      expect(await preferencesOf(own)).toEqual(defaultPreferences)
      expect((await own.call(updatePreferences, { view: 'grid' })).view).toBe('grid')
      expect(await preferencesOf(own)).toEqual({ ...defaultPreferences, view: 'grid' })
    }
  })
})
