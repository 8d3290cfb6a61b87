/** Every combination of the five settings: which metadata an upload or replacement needs, and its first status. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MetadataField } from '../../src/api/metadata.ts'
import { type SettingKey, settingKeys } from '../../src/api/settings.ts'
import { decideFile } from '../../src/api/validation.ts'
import {
  type BuiltUser,
  buildField,
  buildFile,
  buildKey,
  buildReviewer,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { rounds } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
let people: { plain: BuiltUser; reviewer: BuiltUser }
let field: MetadataField
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
  people = { plain: await buildUser(server), reviewer: await buildReviewer(server) }
  field = await buildField(admin, { name: 'project', label: 'Project', is_required: true })
})
afterAll(() => server.close())

type Settings = Record<SettingKey, boolean>
interface Outcome {
  /** The status of new content. */
  starts: 'approved' | 'pending'
  /** Whether an upload with the required value is stored, and one without it. */
  withValue: 'stored' | 'refused'
  withoutValue: 'stored' | 'refused'
}

// One line for each rule, as five letters, where a capital means that the setting is on: validation_enabled,
// allow_self_validation, auto_validate_admin, metadata_enabled, metadata_required_on_upload
const starts: [settings: RegExp, plain: Outcome['starts'], reviewer: Outcome['starts']][] = [
  [/^v..../, 'approved', 'approved'],
  [/^V.a../, 'pending', 'pending'],
  [/^V.A../, 'pending', 'approved'],
]
const demands: [settings: RegExp, withValue: Outcome['withValue'], withoutValue: Outcome['withoutValue']][] = [
  [/m.$/, 'refused', 'stored'],
  [/Mr$/, 'stored', 'stored'],
  [/MR$/, 'stored', 'refused'],
]

function find<Row extends [RegExp, ...unknown[]]>(rows: Row[], letters: string): Row {
  const found = rows.filter(([settings]) => settings.test(letters))
  const [row] = found
  if (row === undefined || found.length !== 1) throw new Error(`${letters} has ${found.length} rows`)
  return row
}

const combinations = Array.from({ length: 32 }, (_, bits) => {
  const letters = [...'vsamr'].map((letter, index) => (bits & (1 << index) ? letter.toUpperCase() : letter)).join('')
  const settings = Object.fromEntries(settingKeys.map((key, index) => [key, (bits & (1 << index)) !== 0])) as Settings
  return { letters, settings }
})

/** Tries to store a file under the current settings. */
const attempt = (user: BuiltUser, name: string, hasValue: boolean, replaces: boolean) =>
  buildFile(user, {
    name,
    on_conflict: replaces ? 'replace' : 'fail',
    metadata: hasValue ? [{ field_id: field.id, value: 'Apollo' }] : undefined,
  })

/** An approved file without metadata, which the new content replaces. */
async function buildApproved(user: BuiltUser, name: string): Promise<number> {
  await turnSettings(admin, { validation_enabled: false, metadata_required_on_upload: false })
  return (await buildFile(user, { name })).id
}

/** Selects eight combinations in which each pair of settings has all four states: an orthogonal array of strength 2. */
const isPairwise = (_: unknown, bits: number): boolean => {
  const [v, s, a, m, r] = [1, 2, 4, 8, 16].map(bit => (bits & bit) !== 0)
  return m === (v !== s) && r === (v !== a)
}

describe.each(rounds(combinations.filter(isPairwise), combinations))('with $letters', ({ letters, settings }) => {
  const [, plain, reviewer] = find(starts, letters)
  const [, withValue, withoutValue] = find(demands, letters)
  const begins = { plain, reviewer }

  test.each(['plain', 'reviewer'] as const)('a %s user uploads and replaces files by the rules', async who => {
    const user = people[who]
    for (const replaces of [false, true]) {
      for (const hasValue of [true, false]) {
        const name = `${letters} ${replaces} ${hasValue}`
        const earlier = replaces ? await buildApproved(user, name) : null
        await turnSettings(admin, settings)
        const answer = await attempt(user, name, hasValue, replaces).catch(error => error)
        if ((hasValue ? withValue : withoutValue) === 'stored') {
          expect(answer).toMatchObject({ name, validation_status: begins[who], validation_comment: null })
          expect(answer.metadata).toHaveLength(hasValue ? 1 : 0)
          if (earlier !== null) expect(answer.id).toBe(earlier)
        } else {
          const named = hasValue ? { metadata: 'Metadata is switched off' } : { project: 'Project is required' }
          expect(answer).toMatchObject({ status: 400, code: 'invalid_input', fields: named })
        }
      }
    }
  })

  test('a reviewer may decide on their own file only while validation and self-validation are on', async () => {
    const user = people.reviewer
    await turnSettings(admin, {
      validation_enabled: true,
      auto_validate_admin: false,
      metadata_required_on_upload: false,
    })
    const waiting = await buildFile(user)
    expect(waiting.validation_status).toBe('pending')
    await turnSettings(admin, settings)
    const decision = user.call(decideFile, { file_id: waiting.id, status: 'approved' })
    if (/^VS/.test(letters)) expect((await decision).file.validation_status).toBe('approved')
    else await expect(decision).rejects.toMatchObject({ status: 403, code: 'forbidden' })
  })
})

describe('auto_validate_admin', () => {
  test('depends on the role of the user, not on the permissions of the key that uploads', async () => {
    await turnSettings(admin, {
      validation_enabled: true,
      auto_validate_admin: true,
      metadata_required_on_upload: false,
    })
    const status = async (user: BuiltUser) =>
      (await buildFile(await buildKey(server, user, ['files:upload']))).validation_status
    expect([await status(people.plain), await status(people.reviewer)]).toEqual(['pending', 'approved'])
  })
})
