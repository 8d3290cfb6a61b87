/**
 * The server's own secrets and those of its callers are in no log line, no error answer, no command line and no metric:
 * while it works, while its object store fails, and when it does not start.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type RunOptions, runBinary, serveBinary } from '../support/binary.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { buildFile, buildKey } from '../support/factories.ts'
import { findFreePort } from '../support/free-port.ts'
import { drawImage } from '../support/images.ts'
import { largeContent } from '../support/planting.ts'
import { rounds } from '../support/rounds.ts'
import { type S3Fate, type S3Server, s3Environment, startS3Server } from '../support/s3-server.ts'
import { adminPassword, createDatabase, type TestDatabase } from '../support/test-server.ts'
import { beginUpload, patch } from '../support/tus.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'

const mariadb = process.env.FILESTORE_TEST_DATABASE
const databaseUser = `told-${process.pid}`
const databasePassword = 'geheim-of-the-database'
const secretKey = randomBytes(32).toString('base64url')
const sessionToken = 'geheim-of-the-session'

let store: S3Server
let folder: string
let database: TestDatabase
let root: mysql.Connection | undefined
let env: Record<string, string>

/** A database whose user has a password, on MariaDB. */
async function openDatabase(): Promise<string | undefined> {
  database = await createDatabase()
  if (mariadb === undefined || database.flag === undefined) return undefined
  root = await mysql.createConnection(mariadb)
  await root.query('CREATE USER ?@? IDENTIFIED BY ?', [databaseUser, '%', databasePassword])
  const { host, pathname } = new URL(database.flag)
  await root.query('GRANT ALL ON ??.* TO ?@?', [pathname.slice(1).replaceAll('_', '\\_'), databaseUser, '%'])
  return `mysql://${databaseUser}:${databasePassword}@${host}${pathname}`
}

beforeAll(async () => {
  store = await startS3Server()
  folder = await mkdtemp(join(tmpdir(), 'filestore-told-'))
  const [flag, port] = [await openDatabase(), String(await findFreePort())]
  env = {
    AWS_ACCESS_KEY_ID: s3Environment.FILESTORE_S3_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY: s3Environment.FILESTORE_S3_SECRET_ACCESS_KEY,
    AWS_SESSION_TOKEN: sessionToken,
    FILESTORE_STORAGE: `${store.flag}&redirect=1&public=${store.address.endpoint.replace('127.0.0.1', 'localhost')}`,
    FILESTORE_PORT: port,
    FILESTORE_PUBLIC_URL: `http://127.0.0.1:${port}`,
    FILESTORE_DATA_DIR: join(folder, 'data'),
    FILESTORE_MAX_FILE_SIZE: '1GB',
    FILESTORE_SECRET_KEY: secretKey,
    FILESTORE_ADMIN_PASSWORD: adminPassword,
    FILESTORE_LOG_LEVEL: 'debug',
    ...(flag === undefined ? {} : { FILESTORE_DATABASE: flag, FILESTORE_WORKERS: '2' }),
  }
})
beforeEach(() => {
  store.decide = () => 'serve'
})
afterAll(async () => {
  await root?.query('DROP USER IF EXISTS ?@?', [databaseUser, '%'])
  await root?.end()
  await database.drop()
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

/** The command lines of a process and of all that it has started. */
async function commandLines(pid: number): Promise<string[]> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
  const children = (await read(`task/${pid}/children`)).trim().split(' ').filter(Boolean).map(Number)
  return [await read('cmdline'), ...(await Promise.all(children.map(commandLines))).flat()]
}

const ownSecrets = () => [
  ...[s3Environment.FILESTORE_S3_SECRET_ACCESS_KEY, sessionToken, secretKey, adminPassword, databasePassword],
]

/** Those of the secrets that a text tells, as they are or as a part of an address. */
const toldBy = (text: string, secrets: readonly string[]): string[] =>
  secrets.filter(secret => [secret, encodeURIComponent(secret)].some(form => text.includes(form)))

const signatures = (): string[] =>
  store.authorizations.flatMap(header => /Signature=([0-9a-f]{64})/.exec(header)?.[1] ?? [])

/** What a caller of the server knows and nobody else may. */
interface Known {
  secrets: string[]
  answers: string[]
}

/** Keeps what was answered with a failure, but for the caller's own cookie, which each answer extends. */
async function ask(known: Known, asked: Promise<Response>): Promise<void> {
  const response = await asked
  const text = await response.text()
  const headers = [...response.headers].filter(([name]) => name !== 'set-cookie')
  if (!response.ok) known.answers.push(JSON.stringify(headers) + text)
}

async function work(url: string, admin: TestClient, known: Known): Promise<{ id: number }> {
  const key = await buildKey({ url }, admin, ['files:read', 'files:upload'])
  const content = largeContent()
  const { id } = await buildFile(admin, { name: 'kept.bin' }, content)
  const image = Buffer.concat([await drawImage(900, 700).as('png'), content])
  const picture = await buildFile(admin, { name: 'drawn.png' }, image)
  const link = await buildLink(admin, { id }, { password: 'geheim-of-the-link' })
  known.secrets.push(String(admin.headers.cookie).split('=')[1] ?? '', key.secret, link.token, 'geheim-of-the-link')
  const visitor = openVisitor(url, link.token)
  const begun = await beginUpload(key, { length: 20_000_000, metadata: { name: 'large.bin' } })
  await patch(key, begun, 0, Buffer.alloc(20_000_000))
  for (const asked of [
    key.raw(`/api/files/${id}/download`),
    key.raw(`/api/files/${id}/download`, { headers: { range: 'bytes=1-2' } }),
    key.raw('/api/users'),
    admin.raw(`/api/files/${picture.id}/thumbnail`),
    admin.raw('/api/files/0/download'),
    visitor.raw('/files'),
    visitor.post('/unlock', { password: 'geheim-of-another' }),
    visitor.post('/unlock', { password: 'geheim-of-the-link' }),
    openVisitor(url, `${link.token.slice(1)}x`).raw('/files'),
  ]) {
    await ask(known, asked)
  }
  const large = await buildFile(admin, { name: 'large.bin' }, Buffer.alloc(2_000_000, 'l'))
  const address = new URL((await admin.raw(`/api/files/${large.id}/download`)).headers.get('location') ?? '')
  known.secrets.push('geheim-of-another', address.searchParams.get('X-Amz-Signature') ?? '')
  return { id }
}

/** A store that repeats what it was sent, as one does that explains why a signature is wrong. */
const repeats: S3Fate = {
  lie: response => {
    const sent = store.authorizations.at(-1)
    response.writeHead(403).end(`<Error><Code>AccessDenied</Code><Message>${sent} ${sessionToken}</Message></Error>`)
  },
}

const fates: S3Fate[] = [repeats, 'break', { status: 500 }, { status: 404, code: 'NoSuchBucket' }]

test('a server at work, or with a store that fails, tells none of its secrets or its callers’', async () => {
  const known: Known = { secrets: ownSecrets(), answers: [] }
  const server = await serveBinary(['--port', env.FILESTORE_PORT ?? ''], env)
  let printed = server.output
  server.child.stderr?.on('data', piece => {
    printed += piece
  })
  const lines: string[] = []
  const look = async () => lines.push(...(await commandLines(server.child.pid ?? 0)))
  const admin = await signIn(server.url, 'admin', adminPassword)
  await Promise.all([work(server.url, admin, known), look()])
  const { id } = await buildFile(admin, { name: 'other.bin' }, largeContent())
  for (const fate of fates) {
    store.decide = () => fate
    const form = new FormData()
    form.set('file', new Blob([largeContent() as BlobPart]), 'new.bin')
    await ask(known, admin.raw(`/api/files/${id}/download`))
    await ask(known, admin.raw('/api/files/upload', { method: 'POST', body: form }))
    await ask(known, fetch(`${server.url}/readyz`))
    await look()
  }
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  expect(await server.stop()).toBe(0)
  const secrets = [...known.secrets, ...signatures()]
  expect(secrets.every(secret => secret.length > 7)).toBe(true)
  expect(known.answers.length).toBeGreaterThan(fates.length * 3)
  // The log has told of all of it.
  expect(printed).toContain('NoSuchBucket')
  expect(printed).toMatch(/the object store answered 403 AccessDenied/)
  expect(lines.filter(line => line.includes('serve')).length).toBeGreaterThan(0)
  expect(toldBy(printed, secrets)).toEqual([])
  expect(toldBy(known.answers.join('\n'), secrets)).toEqual([])
  expect(toldBy(lines.join('\n'), secrets)).toEqual([])
  expect(toldBy(metrics, secrets)).toEqual([])
})

const place = () => ({ FILESTORE_DATA_DIR: join(folder, 'unused') })

/** Starts that fail, by the environment that lets them; the nightly run has those after the ninth, too. */
const failures: [what: string, fate: S3Fate, given: () => Record<string, string>][] = [
  ['a store that repeats what it was sent', repeats, () => ({})],
  ['a wrong secret', 'serve', () => ({ AWS_SECRET_ACCESS_KEY: 'geheim-geheim' })],
  ['a secret in the address', 'serve', () => ({ FILESTORE_STORAGE: 's3://key:geheim-geheim@files' })],
  ['half of the credentials', 'serve', () => ({ FILESTORE_S3_SECRET_ACCESS_KEY: 'geheim-geheim' })],
  ['a key that no request can send', 'serve', () => ({ AWS_ACCESS_KEY_ID: 'key\nid' })],
  ['a database with a wrong port', 'serve', () => ({ FILESTORE_DATABASE: 'mysql://u:geheim-geheim@host:99999/db' })],
  [
    'a wrong password',
    'serve',
    () => ({ FILESTORE_DATABASE: `mysql://u:geheim-geheim@${new URL(mariadb ?? 'mysql://127.0.0.1:1').host}/db` }),
  ],
  ['a short secret of the server', 'serve', () => ({ FILESTORE_SECRET_KEY: 'geheim-geheim' })],
  ['a public address with a password', 'serve', () => ({ FILESTORE_PUBLIC_URL: 'https://u:geheim-geheim@host' })],
  ['a store that refuses the key', { status: 403, code: 'InvalidAccessKeyId' }, () => ({})],
  ['a store that is away', 'break', () => ({})],
  ['a secret as a parameter', 'serve', () => ({ FILESTORE_STORAGE: 's3://files?secret=geheim-geheim' })],
  ['a secret in the old address', 'serve', () => ({ FILESTORE_STORAGE_FROM: 's3://key:geheim-geheim@files' })],
  ['a database of another kind', 'serve', () => ({ FILESTORE_DATABASE: 'pgsql://u:geheim-geheim@host/db' })],
  ['a database without a name', 'serve', () => ({ FILESTORE_DATABASE: 'mysql://u:geheim-geheim@host' })],
  ['a database that is away', 'serve', () => ({ FILESTORE_DATABASE: 'mysql://u:geheim-geheim@127.0.0.1:1/db' })],
]

test.each(rounds(failures.slice(0, 9), failures))(
  'a start that fails by %s tells no secret',
  async (_what, fate, given) => {
    store.decide = () => fate
    const options: RunOptions = { env: { FILESTORE_MIN_FREE_SPACE: '0', ...env, ...place(), ...given() } }
    const { exitCode, stdout, stderr } = await runBinary(['serve', '--port', '0'], options)
    expect(exitCode).toBeGreaterThan(0)
    expect(toldBy(stdout + stderr, ['geheim-geheim', ...ownSecrets(), ...signatures()])).toEqual([])
    expect(stderr).not.toMatch(/^$|Signature=\w/)
  },
)
