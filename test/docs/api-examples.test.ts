/** Every code example of docs/api.md runs, does what its text says, and fails with a wrong key. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { createFolder, getFileByPath, listFiles, uploadFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { createApiKey, listApiKeys } from '../../src/api/keys.ts'
import { createLink, listLinks } from '../../src/api/links.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { listRecent, searchFiles } from '../../src/api/search.ts'
import { createShare, listAccess, listGiven, listReceived } from '../../src/api/shares.ts'
import { listSpaces } from '../../src/api/spaces.ts'
import { listFileTags, tagFiles } from '../../src/api/tags.ts'
import { uploadMany } from '../../src/api/upload-many.ts'
import { uploadToLink } from '../../src/api/visits.ts'
import { openClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildShare, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { type Block, blocks, codeWords, documentText } from './document.ts'
import { type Credentials, languages, needToolchain, type Outcome, runExample } from './run-example.ts'

let server: TestServer
/** The user with whom the examples share. */
let anna: BuiltUser
beforeAll(async () => {
  server = await startServer()
  anna = await buildUser(server, { username: 'anna' })
})
afterAll(() => server.close())

/** The content that the example of each language uploads. */
const greetings: Record<string, string> = { bash: 'bash', python: 'Python', javascript: 'Node.js', go: 'Go' }

/** What an example ran on, and its result. */
interface Run extends Outcome {
  language: string
  user: BuiltUser
  /** The content of `/hello.txt` before the example. */
  hello: FileDetails
}

/** Compares the lines that a program prints, or the whole answer with curl, with the server's data. */
function expectOutput({ language, stdout }: Run, endpoint: Endpoint, data: object, lines: string[]): void {
  if (language !== 'bash') {
    expect(stdout.split('\n')).toEqual(lines)
    return
  }
  const answer = JSON.parse(stdout) as { success: boolean; data: unknown }
  expect(answer).toMatchObject({ success: true, data })
  expect(endpoint.output.parse(answer.data)).toEqual(answer.data)
}

async function readBytes(user: BuiltUser, id: number): Promise<string> {
  return (await user.raw(`/api/files/${id}/download`)).text()
}

/** Checks by the heading of each example that it did its task. */
const checks: Record<string, (run: Run) => Promise<void>> = {
  'List a folder': async run => {
    const { folders, files } = await run.user.call(listFiles, { sort: 'date', order: 'desc' })
    expect(folders.length * files.length).toBeGreaterThan(1)
    const lines = [...folders, ...files].map(({ id, size, path }) => `${id} ${size} ${path}`)
    expectOutput(run, listFiles, { folders, files }, lines)
  },
  'Upload a file': async run => {
    const { file } = await run.user.call(getFileByPath, { path: '/hello.txt' })
    expect(await readBytes(run.user, file.id)).toBe(`Hello from ${greetings[run.language]}\n`)
    expect(file.id).toBe(run.hello.id)
    expectOutput(run, uploadFile, { file }, [`${file.id} ${file.path} ${file.sha256}`])
  },
  'Upload many files': async run => {
    const stored = await Promise.all(
      ['/notes/monday.txt', '/notes/tuesday.txt'].map(path => run.user.call(getFileByPath, { path })),
    )
    expect(await readBytes(run.user, stored[0]?.file.id ?? 0)).toBe(`Hello from ${greetings[run.language]}\n`)
    const results = stored.map(({ file }, index) => ({ index, ok: true, file }))
    expectOutput(
      run,
      uploadMany,
      { results },
      stored.map(({ file }) => file.path),
    )
  },
  Search: async run => {
    const { id, path } = run.hello
    expectOutput(run, searchFiles, { files: [{ id, path }], total: 1 }, [`${id} ${path}`])
  },
  'Download a file': async run => {
    expect(run.stdout).toBe('')
    expect(await readFile(join(run.folder, 'hello-copy.txt'), 'utf8')).toBe(await readBytes(run.user, run.hello.id))
  },
  'Create a folder': async run => {
    const { folders } = await run.user.call(listFiles, { only: 'folders' })
    const [id] = folders.filter(({ path }) => path === '/Reports').map(folder => folder.id)
    expectOutput(run, createFolder, { file: { id, is_directory: true } }, [String(id)])
  },
  'Tag files': async run => {
    const { tags } = await run.user.call(listFileTags, { id: run.hello.id })
    expect(tags).toMatchObject([{ name: 'invoice', color: '#3B82F6' }])
    expectOutput(run, tagFiles, { changed: 1 }, ['1'])
  },
  'Make an API key': async run => {
    const [, keyId = '', secret = ''] = /(gk_[\w-]+)[\s\S]*?(gs_[\w-]+)/.exec(run.stdout) ?? []
    const { api_keys: keys } = await run.user.call(listApiKeys, {})
    const key = keys.find(each => each.key_id === keyId)
    expect(key).toMatchObject({ name: 'Nightly report', permissions: ['files:read'], rate_limit_per_minute: 30 })
    expect((Date.parse(key?.expires_at ?? '') - Date.parse(key?.created_at ?? '')) / 86_400_000).toBeCloseTo(90)
    const made = openClient(server.url, { 'x-api-key-id': keyId, 'x-api-secret': secret })
    expect((await made.call(getProfile, {})).username).toBe(run.user.username)
    expectOutput(run, createApiKey, { id: key?.id, key_id: keyId, secret }, [`${keyId} ${secret}`])
  },
  'List recent files': async run => {
    const { files } = await run.user.call(listRecent, { limit: '10' })
    expect(files.map(({ name }) => name)).toEqual(['hello.txt', 'hello.png'])
    const lines = files.map(({ updated_at, path }) => `${updated_at} ${path}`)
    expectOutput(run, listRecent, { files: files.map(({ id }) => ({ id })) }, lines)
  },
  'Share a folder': async run => {
    const [share] = (await run.user.call(listGiven, {})).shares
    expect(share).toMatchObject({ level: 'view', who: { name: 'anna' }, item: { path: '/Reports' } })
    expectOutput(run, createShare, { share: { id: share?.id } }, [`${share?.id} anna`])
  },
  'Make a link': async run => {
    const [link] = (await run.user.call(listLinks, {})).links
    expect(link).toMatchObject({
      level: 'view',
      has_password: true,
      expires_at: '2099-12-31T23:59:59.000Z',
      works: true,
    })
    expectOutput(run, createLink, { link: { id: link?.id, url: link?.url } }, [`${link?.id} ${link?.url}`])
  },
  'Send a file to a link': async run => {
    const { file: folder } = await run.user.call(getFileByPath, { path: '/Inbox' })
    const { files } = await run.user.call(listFiles, { parent_id: folder.id })
    expect(files.map(({ name }) => name)).toEqual(['Anna Meier - essay.txt'])
    expectOutput(run, uploadToLink, { name: 'essay.txt', size: 21 }, ['essay.txt 21'])
  },
  'See what is shared with you': async run => {
    expect((await run.user.call(listReceived, {})).shares).toEqual([])
    const { shares } = await run.user.call(listReceived, { hidden: 'true' })
    expect(shares).toMatchObject([{ item: { name: 'Newer' } }])
    expect((await anna.call(listGiven, {})).shares.map(({ item }) => item.name)).not.toContain('Older')
    expectOutput(run, listReceived, { shares: [{ id: shares[0]?.id }] }, ['Newer anna edit True'])
  },
  'Make a team folder for a group': async run => {
    const name = run.language === 'bash' ? 'Class 7b' : 'Class 7c'
    const space = (await anna.call(listSpaces, {})).spaces.find(one => one.name === name)
    expect(space).toMatchObject({ level: 'edit', via: 'group', storage_quota: 20_000_000_000 })
    const { access } = await run.user.call(listAccess, { id: space?.folder_id ?? 0 })
    const id = access.find(({ who }) => who.kind === 'group')?.share_id
    expectOutput(run, createShare, { share: { id, who: { name } } }, [`${id} ${name}`])
  },
  'Make a key for one folder': async run => {
    const [, keyId = '', secret = ''] = /(gk_[\w-]+)[\s\S]*?(gs_[\w-]+)/.exec(run.stdout) ?? []
    const made = openClient(server.url, { 'x-api-key-id': keyId, 'x-api-secret': secret })
    expect((await made.upload('a page', { name: 'scan.pdf' })).path).toBe('/scan.pdf')
    const { file } = await run.user.call(getFileByPath, { path: '/Inbox/scan.pdf' })
    expect(file.name).toBe('scan.pdf')
    expectOutput(run, createApiKey, { key_id: keyId, secret, scope_id: file.parent_id }, [`${keyId} ${secret}`])
  },
  'Handle 429': async run => {
    const { total } = await run.user.call(listFiles, {})
    expectOutput(run, listFiles, { total }, [String(total)])
  },
}

/** The examples of sharing are in these languages only. */
const ofSharing = ['bash', 'python'] as const
const inFewLanguages = [
  ...['List recent files', 'Share a folder', 'Make a link', 'Send a file to a link', 'See what is shared with you'],
  ...['Make a team folder for a group', 'Make a key for one folder'],
]

/** A proxy that answers the first request with 429 and forwards the others; returns its address. */
async function openBusyDoor(): Promise<{ url: string; refused(): number }> {
  let refused = 0
  const door = createServer(async (request, response) => {
    if (refused === 0) {
      refused++
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' })
      return response.end(JSON.stringify({ success: false, message: 'Later', error: 'rate_limited', request_id: '' }))
    }
    const headers = Object.entries(request.headers).filter(([name]) => /^(x-api|authorization)/.test(name))
    const answer = await fetch(server.url + request.url, { headers: headers as [string, string][] })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>(resolve => door.close(() => resolve())))
  return { url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`, refused: () => refused }
}

/** Milliseconds. Go's first run compiles its standard library. */
const timeout = 180_000

/** The items that the text says the examples need. */
const needed = codeWords(/the key needs ([^.]+)\./.exec(documentText)?.[1] ?? '') as Permission[]

const neededForTeams = codeWords(/for a group takes ([^.]+)\./.exec(documentText)?.[1] ?? '') as Permission[]

const examples = blocks.filter(({ chapter, language }) => chapter === 'Code Examples' && language in greetings)

describe('an example in docs/api.md', () => {
  test.for(examples)('works as described: $section, $language', { timeout }, async (block: Block, context) => {
    await needToolchain(block.language, context)
    const ofTeams = block.section === 'Make a team folder for a group'
    const user = await buildUser(server, ofTeams ? { role: 'admin' } : {})
    const key = await buildKey(server, user, ofTeams ? [...needed, ...neededForTeams] : needed)
    if (block.section === 'See what is shared with you') {
      const { id } = await buildFolder(anna)
      for (const name of ['Older', 'Newer']) await buildShare(anna, await buildFolder(anna, name, id), user, 'edit')
    }
    await buildFolder(user)
    await buildFile(user, { name: 'hello.png' })
    const hello = await buildFile(user, { name: 'hello.txt' })
    const door = block.section === 'Handle 429' ? await openBusyDoor() : undefined
    const credentials: Credentials = { url: door?.url ?? server.url, keyId: key.keyId, secret: key.secret }

    const outcome = await runExample(block, credentials)
    expect(outcome.exitCode, outcome.stderr).toBe(0)
    await checks[block.section]?.({ ...outcome, language: block.language, user, hello })
    expect(door?.refused()).toBe(door && 1)

    const refused = await runExample(block, { ...credentials, secret: `${key.secret}x` })
    expect(refused.exitCode).not.toBe(0)
  })

  test('exists for every operation in every language', () => {
    const there = examples.map(({ section, language }) => `${section}: ${language}`)
    const wanted = Object.keys(checks).flatMap(section =>
      (inFewLanguages.includes(section) ? ofSharing : languages).map(language => `${section}: ${language}`),
    )
    expect(there).toEqual(wanted)
  })
})
