/** Random texts that calls accept: `fsck` and `backup` find nothing wrong with what was stored of them. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { createFolder, setFileMetadata } from '../../src/api/files.ts'
import { createGroup } from '../../src/api/groups.ts'
import { createApiKey } from '../../src/api/keys.ts'
import { createField } from '../../src/api/metadata.ts'
import { createRole } from '../../src/api/roles.ts'
import { createTag } from '../../src/api/tags.ts'
import { createUser } from '../../src/api/users.ts'
import { buildField, buildFile, buildUser, turnSettings } from '../support/factories.ts'
import { rounds, seed } from '../support/rounds.ts'
import { type Input, sendInput } from '../support/send-input.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import * as backups from './backups.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const odd = [
  '\u0301',
  '\uff9e',
  '\u00a0',
  '\ufeff',
  '\u200b',
  '\u202e',
  'İ',
  'ǆ',
  '\u1f82',
  '\u{1f600}',
  '\u{1d4af}',
  '\t',
  '\n',
]
/** Of any characters, with many that change when they are normalised, trimmed or compared. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 70 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...odd, 'a', ' ', 'é', '名'), minLength: 1, maxLength: 66 }),
)

/** Calls that store a text, each in all its fields. */
function callsWith(text: string, fileId: number, fieldId: number): [Endpoint, Input][] {
  return [
    [createTag, { name: text, color: '#123456' }],
    [createRole, { name: text, description: text, permission_ids: [1] }],
    [createGroup, { name: text }],
    [createApiKey, { name: text, permissions: ['files:read'] }],
    [
      createField,
      {
        name: `f${'_'.repeat(text.length % 60)}`,
        label: text,
        description: text,
        field_type: 'select',
        options: [text],
      },
    ],
    [createUser, { username: text, email: `${text}@x.org`, full_name: text, password: 'a password' }],
    [createUser, { username: `u${text.length}`, email: `${text}@x.org`, password: 'a password' }],
    [createFolder, { name: text }],
    [setFileMetadata, { id: fileId, metadata: [{ field_id: fieldId, value: text }] }],
  ]
}

test('texts that calls accept are no damage', async () => {
  const admin = await buildUser(server, { role: 'admin' })
  await turnSettings(admin, { metadata_enabled: true })
  const field = await buildField(admin, { field_type: 'textarea' })
  let accepted = 0
  for (const text of fc.sample(anyText, { seed, numRuns: rounds(25, 400) })) {
    const { id } = await buildFile(admin)
    for (const [endpoint, input] of callsWith(text, id, field.id)) {
      const { status } = await sendInput(admin, endpoint, input)
      expect(status).toBeLessThan(500)
      accepted += status < 300 ? 1 : 0
    }
  }
  expect(accepted).toBeGreaterThan(40)
  expect((await runFsck(server)).findings).toEqual([])
  await backups.backUp(server, await backups.openFolder())
})
