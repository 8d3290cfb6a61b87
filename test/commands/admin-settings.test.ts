/** `filestore admin settings …` and `filestore admin fields …` beside a server that uses the same data. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFields } from '../../src/api/metadata.ts'
import { listSettings, settingKeys } from '../../src/api/settings.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { buildField, buildFile } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { expectRefusal, readJson, runOn } from './administration.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterAll(() => server.close())

describe('settings', () => {
  const settings = (args: string[]) => runOn(server, ['admin', 'settings', ...args])

  test('list prints all five settings as the API does', async () => {
    expect(await readJson(server, ['settings', 'list'])).toEqual(await admin.call(listSettings, {}))
    const { stdout } = await settings(['list'])
    for (const key of settingKeys) expect(stdout).toMatch(new RegExp(`^${key} +(true|false) +\\d{4}-`, 'm'))
  })

  test('set takes effect from the next request, and get prints only the value', async () => {
    expect((await settings(['set', 'validation_enabled', 'true'])).stdout).toBe('validation_enabled is true')
    expect(await settings(['get', 'validation_enabled'])).toEqual({ code: 0, stdout: 'true', stderr: '' })
    expect((await buildFile(admin)).validation_status).toBe('pending')
    expect(await readJson(server, ['settings', 'set', 'validation_enabled', 'false'])).toMatchObject({
      key: 'validation_enabled',
      value: 'false',
    })
    expect((await buildFile(admin)).validation_status).toBe('approved')
  })

  test.each([
    [['get', 'colour'], 4, "There is no setting 'colour', but validation_enabled"],
    [['set', 'colour', 'true'], 4, "There is no setting 'colour'"],
    [['set', 'metadata_enabled', 'yes'], 2, "value: Expected 'true' or 'false'"],
    [['set', 'metadata_enabled'], 2, 'value'],
  ])('refuses %j', async (args, code, words) => {
    expectRefusal(await settings(args), code, words)
  })

  test('--help says what each setting does', async () => {
    const { stdout } = await settings(['set', '--help'])
    for (const key of settingKeys) expect(stdout).toMatch(new RegExp(`^ +${key} +\\w`, 'm'))
  })
})

describe('fields', () => {
  const fields = (args: string[]) => runOn(server, ['admin', 'fields', ...args])
  const findField = async (name: string) => (await admin.call(listFields, {})).find(field => field.name === name)

  test('create makes a field, and list prints it as the API does', async () => {
    const choices = ['--type', 'select', '--option', 'Sales', '--option', 'Law, tax']
    const more = ['--label', 'Team', '--description', 'Whose it is', '--required', ...choices]
    expect((await fields(['create', 'team', ...more])).stdout).toBe('Field team was created')
    expect(await findField('team')).toMatchObject({
      label: 'Team',
      description: 'Whose it is',
      field_type: 'select',
      options: ['Sales', 'Law, tax'],
      is_required: true,
      is_enabled: true,
    })
    expect(await readJson(server, ['fields', 'list'])).toEqual(await admin.call(listFields, {}))
    expect((await fields(['list'])).stdout).toMatch(/^ *\d+ +team +required +Team +select: Sales, Law, tax$/m)
  })

  test('set changes only the given properties', async () => {
    const made = await buildField(admin, { label: 'Old', is_required: true })
    const changed = await readJson(server, ['fields', 'set', made.name, '--no-required', '--no-enabled'])
    expect(changed).toEqual({ ...made, is_required: false, is_enabled: false })
    expect((await fields(['list'])).stdout).toMatch(new RegExp(`${made.name} +optional, disabled +Old`))
    expect((await fields(['set', made.name, '--label', 'New', '--enabled'])).code).toBe(0)
    expect(await findField(made.name)).toEqual({ ...made, label: 'New', is_required: false })
  })

  test('delete asks first, and removes the values from all files', async () => {
    const made = await buildField(admin)
    const file = await buildFile(admin, { metadata: [{ field_id: made.id, value: 'something' }] })
    expect(await fields(['delete', made.name])).toMatchObject({ code: 2, stdout: '' })
    expect((await fields(['delete', made.name, '--yes'])).stdout).toBe(`Field ${made.name} was deleted`)
    expect(await findField(made.name)).toBeUndefined()
    const response = await admin.raw(`/api/files/${file.id}`)
    expect(await response.json()).toMatchObject({ data: { file: { metadata: [] } } })
  })

  test.each([
    ['a name with digits', ['create', 'a1'], 2, 'name: Use lowercase letters'],
    ['an unknown type', ['create', 'shade', '--type', 'colour'], 2, '--type'],
    ['a select field without options', ['create', 'shade', '--type', 'select'], 2, '--option: Give at least one'],
    ['options for a text field', ['create', 'shade', '--option', 'red'], 2, '--option: Only a select field'],
    ['a taken name', ['create', 'taken_name'], 5, "name: 'taken_name' is already taken"],
    ['a blank label', ['set', 'taken_name', '--label', ' '], 2, '--label: Label is required'],
    ['no change', ['set', 'taken_name'], 2, 'Nothing to change'],
    ['an unknown field', ['set', 'nothing', '--required'], 4, "no metadata field 'nothing'"],
    ['the deletion of an unknown field', ['delete', 'nothing', '--yes'], 4, "no metadata field 'nothing'"],
  ])('refuses %s', async (_what, args, code, words) => {
    if ((await findField('taken_name')) === undefined) await buildField(admin, { name: 'taken_name' })
    expectRefusal(await fields(args), code, words)
  })
})
