/** A server that sends escape sequences in every text: neither the command line nor the terminal browser obeys any. */
import { rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { abilities } from '../../../src/api/items.ts'
import { type Answers, answerJson, sendBytes, startOddServer } from '../../cli/odd-server.ts'
import { keys, openScreen } from '../../cli/screen.ts'
import { runCli, startOnTty, type Terminal } from '../../cli/terminal.ts'
import { callOf, contract } from '../../support/contract.ts'

/** Sequences that set the title, clear, hide, move up, ring, overwrite and reverse text; in 7-bit and 8-bit form. */
const hostile =
  'x\u001b]0;owned\u0007\u001b[2J\u001b[8m\u001b[1A\u009b31m\u0090q\u009c\r\n\u0008\u0085\u2028\u202egpj.exe'
const shown = 'x\\x1b]0;owned\\x07'
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

type Schema = Record<string, unknown>

const times = ['created_at', 'updated_at', 'at', 'last_seen_at']

function sampleText(name: string, { format }: Schema): string {
  if (format === 'date-time' || times.includes(name)) return '2026-01-02T03:04:05.678Z'
  return name === 'sha256' ? '0'.repeat(64) : hostile
}

/** What the caller may do with an item: all of it. Every other flag is off. */
const rights: readonly string[] = Object.keys(abilities.shape)
let nextId = 1

const leastOf = ({ minimum }: Schema): number => (typeof minimum === 'number' ? minimum : 0)

/** An answer with the form of a call's output, and the hostile text in every text field; lists have two entries. */
function sample(schema: Schema, name = ''): unknown {
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  // A cursor would make the client read further pages without end.
  if (name === 'next_cursor' || name === 'deleted_at') return null
  if (choices !== undefined) return sample(choices[0] ?? {}, name)
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if ('const' in schema) return schema.const
  if (schema.type === 'string') return sampleText(name, schema)
  if (schema.type === 'integer' || schema.type === 'number')
    return name === 'id' ? nextId++ : Math.max(7, leastOf(schema))
  if (schema.type === 'boolean') return rights.includes(name)
  if (schema.type === 'array') {
    const items = schema.items as Schema
    // Of a few words, such as permissions, a list has each once.
    return Array.isArray(items.enum) ? items.enum : [sample(items, name), sample(items, name)]
  }
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  return schema.type === 'object' ? Object.fromEntries(fields.map(([field, one]) => [field, sample(one, field)])) : null
}

const calls = contract.map(({ endpoint }) => ({
  form: new RegExp(`^${callOf(endpoint).replace(' /', ' /api/').replace(/:\w+/g, '[^/]+')}$`),
  fixed: !endpoint.path.includes(':'),
  data: sample(z.toJSONSchema(endpoint.output, { io: 'output', unrepresentable: 'any' }) as Schema),
}))

const bytes = Buffer.from(`${hostile}\n`)

/** Answers every call of the contract; `change` may replace each field. */
const answersWith = (change: (field: string, value: unknown) => unknown) =>
  new Proxy<Answers>(
    {},
    {
      get: (_answers, name) => (_request: unknown, response: Parameters<typeof answerJson>[0]) => {
        const path = String(name).replace('//', '/')
        if (/\/(download|preview)$/.test(path)) return sendBytes(response, bytes)
        const fits = calls.filter(({ form }) => form.test(path))
        const data = (fits.find(({ fixed }) => fixed) ?? fits[0])?.data ?? null
        answerJson(response, JSON.parse(JSON.stringify(data), change))
      },
    },
  )

const answers = answersWith((_field, value) => value)

const commands = [
  'ls',
  'ls --long',
  'tree',
  'search gpj',
  'stats',
  'whoami',
  'mv id:7 /b',
  'cp id:7 /b',
  'rm id:7',
  'upload local.txt',
  'download id:7 -',
  'trash ls',
  'trash restore id:7',
  'tags ls',
  'tags create a',
  'tags delete id:7 --yes',
  'tags add id:7 id:7',
  'favorites ls',
  'favorites add id:7',
  'keys ls',
  'keys create a --permission files:read',
  'keys rename 7 b',
  'keys revoke 7 --yes',
  'pending ls',
  'pending approve id:7',
  'pending reject id:7 --reason no',
]

/** Runs commands, four at a time. */
async function runAll(terminal: Terminal, lines: readonly string[]) {
  const outcomes: { line: string; code: number | undefined; text: string }[] = []
  for (let start = 0; start < lines.length; start += 4) {
    const some = lines.slice(start, start + 4).map(async line => {
      const { code, stdout, stderr } = await runCli(terminal, line.split(' '))
      outcomes.push({ line, code, text: `${stdout}\n${stderr}` })
    })
    await Promise.all(some)
  }
  return outcomes
}

test('no command prints an escape sequence of the server, as a table or as JSON, and some print it escaped', async () => {
  const { terminal } = await startOddServer(answers)
  await writeFile(terminal.path('local.txt'), 'x')
  const json = ['tree', 'keys ls', 'pending ls', 'mv id:7 /b']
  const lines = [...commands, ...json.map(line => `${line} --json`)]
  const outcomes = await runAll(terminal, lines)
  // A download prints the bytes of the file, which the user asked for.
  const printed = outcomes.filter(({ line }) => line !== 'download id:7 -')
  expect(printed.filter(({ text }) => obeyed.test(text)).map(({ line }) => line)).toEqual([])
  expect(printed.filter(({ text }) => text.includes(shown)).length).toBeGreaterThan(printed.length / 3)
  expect(printed.map(({ line, text }) => (text.includes('TypeError') ? line : '')).filter(Boolean)).toEqual([])
  await rm(terminal.path('local.txt'))
})

test('no error message of a server prints an escape sequence, whatever its format', async () => {
  const body = { success: false, message: hostile, error: hostile, fields: { [hostile]: hostile }, request_id: hostile }
  const forms: Answers[] = [400, 403, 409, 500].map(status => ({
    'GET /api/files': (_request, response) => response.writeHead(status).end(JSON.stringify(body)),
  }))
  forms.push({ 'GET /api/files': (_request, response) => response.writeHead(200).end(`<html>${hostile}`) })
  const run = async (form: Answers) => {
    const { terminal } = await startOddServer(form)
    const { code, stdout, stderr } = await runCli(terminal, ['ls'])
    expect(code).not.toBe(0)
    expect(stdout + stderr).not.toMatch(obeyed)
  }
  await Promise.all(forms.map(run))
})

/** Fails when the terminal was sent a sequence of the server; the client's own sequences are allowed. */
function expectHarmless(sent: string): void {
  for (const part of ['\u001b]0;', '\u0007', '\u001b[8m', '\u009b', '\u0090', '\u0085', '\u2028', '\u202e']) {
    expect({ part, isSent: sent.includes(part) }).toEqual({ part, isSent: false })
  }
}

test('on a terminal, with colors, spinners and questions, commands print no escape sequence of the server', async () => {
  const { terminal } = await startOddServer(answers)
  for (const args of [
    ['ls', '--long'],
    ['download', 'id:7', 'there.txt'],
  ]) {
    expectHarmless((await startOnTty(terminal, args)).stdout)
  }
  const asking = startOnTty(terminal, ['trash', 'delete', 'id:7'])
  asking.stdin.write('n\n')
  expectHarmless((await asking).stdout)
})

test('the terminal browser prints no escape sequence of the server in lists, previews, tags, trash and search', async () => {
  const { terminal } = await startOddServer(answers)
  const screen = await openScreen(terminal, [], { columns: 120, rows: 60 })
  await screen.stands('x\\x1b')
  screen.type(keys.enter)
  await screen.shows('File date')
  screen.type(keys.escape)
  await screen.hides('File date')
  screen.type('t')
  await screen.shows('Tags of')
  screen.type(keys.escape)
  await screen.hides('Tags of')
  for (const view of ['2', '3', '4', '5', '6']) {
    screen.type(view)
    await screen.stands('x\\x1b')
  }
  expectHarmless(screen.sent())
})

/** A short text that fits into a narrow column, so nothing of it is cut off. */
const narrow = '\u001b]0;owned\u0007\u202egpj'

/** Fields that have one of a few words, or a color, on a real server. */
const plainFields = ['validation_status', 'color', 'mime_type']

test.each(plainFields)('the terminal browser prints no escape sequence that a server sends as %s', async field => {
  const { terminal } = await startOddServer(answersWith((name, value) => (name === field ? narrow : value)))
  const screen = await openScreen(terminal, [], { columns: 120, rows: 60 })
  await screen.stands('x\\x1b')
  screen.type(keys.enter)
  await screen.shows('File date')
  screen.type(keys.escape)
  await screen.hides('File date')
  screen.type('/', 'gpj', keys.enter)
  await screen.shows('found')
  expectHarmless(screen.sent())
})

/** Fields that are numbers or times. */
test.each(['size', 'total', 'updated_at'])('the terminal browser rejects an answer with a text as %s', async field => {
  const { terminal } = await startOddServer(answersWith((name, value) => (name === field ? narrow : value)))
  const screen = await openScreen(terminal, [], { columns: 120, rows: 60 })
  await screen.shows('Invalid response format')
  expectHarmless(screen.sent())
})
