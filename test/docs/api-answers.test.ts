/** The answers and other blocks of docs/api.md match the contract and the server. */
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { errorStatus } from '../../src/api/errors.ts'
import { createFolder, listFiles, renameFile, uploadFile } from '../../src/api/files.ts'
import { fileDetails } from '../../src/api/items.ts'
import { createApiKey } from '../../src/api/keys.ts'
import { searchFiles } from '../../src/api/search.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { uploadMany } from '../../src/api/upload-many.ts'
import { buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { type Block, blocks } from './document.ts'
import { languages } from './run-example.ts'

const failure = z.object({
  success: z.literal(false),
  message: z.string(),
  error: z.enum(Object.keys(errorStatus)),
  fields: z.record(z.string(), z.string()),
  request_id: z.uuid(),
})
const envelope = (data: z.ZodMiniType) => z.object({ success: z.literal(true), message: z.string(), data })

/** What the server would answer, by the section that shows it. */
const shown: Record<string, z.ZodMiniType> = {
  Overview: envelope(renameFile.output),
  Items: fileDetails,
  Errors: failure,
  'List a folder': envelope(listFiles.output),
  'Upload a file': envelope(uploadFile.output),
  'Upload many files': envelope(uploadMany.output),
  Search: envelope(searchFiles.output),
  'Create a folder': envelope(createFolder.output),
  'Tag files': envelope(tagFiles.output),
  'Make an API key': envelope(createApiKey.output),
}

/** The same schema with every field optional and no other field allowed. */
function abbreviated(schema: z.ZodMiniType): z.ZodMiniType {
  if (schema instanceof z.ZodMiniObject) {
    const shape = Object.entries(schema.shape as Record<string, z.ZodMiniType>)
    return z.strictObject(Object.fromEntries(shape.map(([name, field]) => [name, z.optional(abbreviated(field))])))
  }
  if (schema instanceof z.ZodMiniArray) return z.array(abbreviated(schema.def.element as z.ZodMiniType))
  if (schema instanceof z.ZodMiniUnion)
    return z.union(schema.def.options.map(option => abbreviated(option as z.ZodMiniType)))
  if (schema instanceof z.ZodMiniNullable) return z.nullable(abbreviated(schema.def.innerType as z.ZodMiniType))
  return schema
}

const answers = blocks.filter(({ language }) => language === 'json')

describe('an answer in docs/api.md', () => {
  test.for(answers)('matches the contract: $section', ({ section, code }: Block) => {
    const schema = shown[section]
    if (schema === undefined) throw new Error(`Nothing is known of the answer under '${section}'`)
    const answer: unknown = JSON.parse(code)
    expect(abbreviated(schema).parse(answer)).toEqual(answer)
  })

  test('exists for each kind, and that of an item has all fields', () => {
    expect(answers.map(({ section }) => section)).toEqual(Object.keys(shown))
    const item = answers.find(({ section }) => section === 'Items')?.code ?? ''
    expect(Object.keys(JSON.parse(item) as object)).toEqual(Object.keys(fileDetails.shape))
  })
})

describe('a block in docs/api.md', () => {
  test('is an answer, an example, the environment or a way to send a key, so that each is checked', () => {
    const others = blocks.filter(
      ({ chapter, language }) =>
        language !== 'json' && !(chapter === 'Code Examples' && (languages as string[]).includes(language)),
    )
    expect(others.map(({ section, language }) => `${section}: ${language}`)).toEqual([
      'Authentication: text',
      // How to follow changes: test/api/changes.test.ts and test/api/live.test.ts make these calls.
      'Files: bash',
      'Files: text',
      // test/docs/large-files.test.ts runs the first, and test/api/tus-clients.test.ts what the second shows.
      'Large files: sh',
      'Large files: js',
      // test/docs/large-files.test.ts runs it, too.
      'Links for visitors: sh',
      'Code Examples: sh',
    ])
  })

  test('with ways to send a key shows three that the server accepts', async () => {
    const server = await startServer()
    onTestFinished(() => server.close())
    const { keyId, secret } = await buildKey(server, await buildUser(server), ['files:read'])
    const code = blocks.find(({ section }) => section === 'Authentication')?.code ?? ''
    const ways = code
      .replaceAll('gk_…', keyId)
      .replaceAll('gs_…', secret)
      .replace(/base64\((.+)\)/, (_all, text: string) => btoa(text))
      .trim()
      .split('\n\n')
    expect(ways).toHaveLength(3)
    for (const way of ways) {
      const headers = way.split('\n').map((line): [string, string] => {
        const [name = '', value = ''] = line.split(': ')
        return [name, value]
      })
      expect((await fetch(`${server.url}/api/auth/profile`, { headers })).status, way).toBe(200)
    }
  })
})
