/**
 * Malformed multipart bodies, written by hand and at random: each is answered, the server goes on, other requests do
 * not wait, and nothing stays. `FILESTORE_TEST_SEED` tries other random bodies.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { countOpenBlobs, type Holdings, readHoldings } from '../support/holdings.ts'
import { findLongestPause } from '../support/longest-pause.ts'
import { multipartBody, multipartType } from '../support/multipart.ts'
import { seed } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { sendWire } from '../support/wire.ts'

let server: TestServer
let user: BuiltUser
let before: Holdings
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  await buildFile(user, { name: 'f' }, 'x'.repeat(50_000))
  before = await readHoldings(server)
})
afterAll(() => server.close())

const send = (body: string | Buffer, type = multipartType) =>
  sendWire(server.url, {
    method: 'POST',
    path: '/api/files/upload',
    headers: { ...user.headers, 'content-type': type },
    body: Buffer.from(body),
  })

const nothingStays = async () => {
  await expect.poll(() => readHoldings(server)).toEqual(before)
  await expect.poll(() => countOpenBlobs(server)).toBe(0)
  expect((await buildFile(user, { name: 'f', on_conflict: 'replace' }, 'x'.repeat(50_000))).name).toBe('f')
  // Its bytes replace the equal ones, which go some seconds later.
  await server.deps.removals.settled()
  before = await readHoldings(server)
}

const boundary = multipartType.split('boundary=')[1] ?? ''
const disposition = 'Content-Disposition: form-data; name="file"; filename="a.txt"'
const filled = 'm'.repeat(50_000)
const end = `\r\n--${boundary}--\r\n`
/** A form with one part that has these headers. */
const partOf = (...headers: string[]) => `--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n${filled}${end}`
/** A text field with this name before a valid file. */
const fieldOf = (name: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n${partOf(disposition)}`

describe('a malformed form', () => {
  test.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['no boundary at all', filled],
    ['the first boundary alone', `--${boundary}\r\n`],
    ['the last boundary alone', `--${boundary}--\r\n`],
    ['a file without its end', `--${boundary}\r\n${disposition}\r\n\r\n${filled}`],
    ['a file whose end lacks its dashes', `--${boundary}\r\n${disposition}\r\n\r\n${filled}\r\n--${boundary}`],
    ['a part without headers', `--${boundary}\r\n\r\n${filled}\r\n--${boundary}--\r\n`],
    ['a part whose headers do not end', `--${boundary}\r\n${disposition}\r\nX: ${filled}`],
    [
      'a part without a name',
      `--${boundary}\r\nContent-Disposition: form-data; filename="a"\r\n\r\n${filled}\r\n--${boundary}--`,
    ],
    ['a field without a name', `--${boundary}\r\nContent-Disposition: form-data\r\n\r\nx\r\n${partOf(disposition)}`],
    [
      'a part of another disposition',
      `--${boundary}\r\nContent-Disposition: attachment; name="file"; filename="a"\r\n\r\n${filled}\r\n--${boundary}--`,
    ],
    [
      'a header of a million bytes',
      `--${boundary}\r\n${disposition}\r\nX: ${'h'.repeat(1_000_000)}\r\n\r\nx\r\n--${boundary}--`,
    ],
    ['ten thousand headers', `--${boundary}\r\n${disposition}\r\n${'X: y\r\n'.repeat(10_000)}\r\nx\r\n--${boundary}--`],
    ['a thousand empty parts', `--${boundary}\r\n\r\n\r\n`.repeat(1000)],
    ['line ends of the wrong kind', `--${boundary}\n${disposition}\n\n${filled}\n--${boundary}--\n`],
    ['bytes of every value', Buffer.from(Array.from({ length: 65_536 }, (_, index) => index % 256))],
    ['a file part without a name', partOf('Content-Disposition: form-data; name=""; filename="a.txt"')],
    ['a file part whose name has no end', partOf('Content-Disposition: form-data; name="file; filename="a.txt')],
    ['a name in an unknown charset', partOf('Content-Disposition: form-data; name*=no-such\'\'file; filename="a"')],
    ['a file name in broken percents', partOf('Content-Disposition: form-data; name="file"; filename*=utf-8\'\'%zz%')],
    [
      'a file name of nothing but directories',
      partOf('Content-Disposition: form-data; name="file"; filename="../../"'),
    ],
    ['a header without a colon', partOf(disposition, 'no colon here')],
    ['a header without a name', partOf(disposition, ': nameless')],
    ['a header with a NUL', partOf(disposition, 'X\0: y')],
    ['a field in brackets', fieldOf('name[a][b][c]')],
    ['a field of a high place in a list', fieldOf('name[4294967294]')],
    ['a field as deep as its name allows', fieldOf(`name${'[a]'.repeat(30)}`)],
    ['a field of a longer name', fieldOf('n'.repeat(5000))],
    ['a field of an unclosed bracket', fieldOf('name[a')],
    ['the prototype', fieldOf('__proto__[polluted]')],
    ['the prototype of a field', fieldOf('name[__proto__][polluted]')],
    ['the prototype of the constructor', fieldOf('constructor[prototype][polluted]')],
  ])('of %s is 400 and leaves nothing', async (_what, body) => {
    const answer = await send(body)
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.text)).toMatchObject({ success: false, error: 'invalid_input' })
    expect(({} as { polluted?: string }).polluted).toBeUndefined()
    await nothingStays()
  })

  test.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary="${'b'.repeat(5000)}"`,
    'multipart/form-data; boundary=""',
    'multipart/form-data; boundary="unclosed',
    "multipart/form-data; boundary*=utf-8''x",
    'multipart/form-data; boundary=a; boundary=b',
    'multipart/form-data; =x; boundary',
  ])('without a usable boundary is 400: %s', async type => {
    expect((await send(multipartBody([{ name: 'file', fileName: 'a', value: filled }]), type)).status).toBe(400)
    await nothingStays()
  })
})

/** Valid bodies, which the test mutates. */
const right = [
  multipartBody([
    { name: 'parent_id', value: '' },
    { name: 'metadata', value: '[]' },
    { name: 'file', fileName: 'a.txt', value: 'content' },
  ]),
  multipartBody([
    { name: 'file', fileName: 'größe.bin', value: Buffer.alloc(40_000, 'b') },
    { name: 'name', value: 'other' },
  ]),
]

interface Mutation {
  body: Buffer
  /** [position, bit] */
  flips: [number, number][]
  cut: number | null
  /** [from, length, to] of bytes that are repeated */
  again: [number, number, number] | null
  sentType: string
}

/** The bit flips of a fuzzer such as zzuf, and possibly a cut or a repetition. */
const mutation: fc.Arbitrary<Mutation> = fc.record({
  body: fc.constantFrom(...right),
  // As often few flips as many, and most of them in the headers of the parts.
  flips: fc.array(fc.tuple(fc.oneof(fc.nat(400), fc.nat(50_000)), fc.nat(7)), { maxLength: 60 }),
  cut: fc.option(fc.nat(50_000), { freq: 3 }),
  again: fc.option(fc.tuple(fc.nat(500), fc.nat(300), fc.nat(500)), { freq: 3 }),
  sentType: fc.oneof(
    { weight: 4, arbitrary: fc.constant(multipartType) },
    { weight: 1, arbitrary: fc.string({ maxLength: 80 }).map(text => `multipart/form-data; ${text}`) },
  ),
})

function mutate({ body, flips, cut, again }: Mutation): Buffer {
  let bytes = Buffer.from(body)
  for (const [place, bit] of flips) {
    const index = place % bytes.length
    bytes[index] = (bytes[index] ?? 0) ^ (1 << bit)
  }
  if (again !== null) {
    const [from, length, to] = again
    bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(from, from + length), bytes.subarray(to)])
  }
  return cut === null ? bytes : bytes.subarray(0, cut % bytes.length)
}

/** ms */
const longestLag = 200

async function sendMutations(): Promise<void> {
  const answered = async (one: Mutation) => {
    const answer = await send(mutate(one), one.sentType)
    // A mutation that is still valid is stored.
    expect(answer.status === 201 || (answer.status >= 400 && answer.status < 500)).toBe(true)
    expect(() => JSON.parse(answer.text)).not.toThrow()
  }
  await fc.assert(fc.asyncProperty(mutation, answered), { seed, numRuns: 150 })
}

describe('a randomly mutated form', () => {
  test('is answered like any other, and does not block other requests', async () => {
    expect(await findLongestPause(sendMutations)).toBeLessThan(longestLag)
    await expect.poll(() => countOpenBlobs(server)).toBe(0)
    expect((await user.raw('/api/auth/profile')).status).toBe(200)
  })
})
