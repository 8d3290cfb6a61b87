/** A visitor's file that is sent again, because its answer was lost, is stored once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { updateLink } from '../../src/api/links.ts'
import { trashFile } from '../../src/api/trash.ts'
import { decideFile, readPending } from '../../src/api/validation.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildField, buildFile, buildFolder, buildUser, turnSettings } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'

let server: TestServer
let admin: TestClient
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  user = await buildUser(server)
})
afterAll(() => server.close())

type Options = Parameters<typeof buildLink>[2]

async function openLink(folder: { id: number }, options: Options = {}) {
  const link = await buildLink(user, folder, { level: 'upload', ...options })
  return { link, visitor: openVisitor(server.url, link.token) }
}

const namesIn = async ({ id }: { id: number }): Promise<string[]> =>
  (await user.call(listFiles, { parent_id: id })).files.map(({ name }) => name)

const countsOf = async ({ id }: { id: number }) => {
  const { uploads, bytes_in } = (await user.call(updateLink, { id, label: 'counted' })).link
  return { uploads, bytes_in }
}

test.each([
  ['a small file', 'words'],
  ['a large file', 'x'.repeat(100_000)],
])('%s that is sent again is answered alike, and stored and counted once', async (_what, bytes) => {
  const folder = await buildFolder(user)
  const { link, visitor } = await openLink(folder)
  const answers = await Promise.all([1, 2, 3].map(() => visitor.upload(bytes, { name: 'plan.txt' })))
  for (const answer of answers) {
    expect([answer.status, (await answer.json()).data]).toEqual([201, { name: 'plan.txt', size: bytes.length }])
  }
  expect(await namesIn(folder)).toEqual(['plan.txt'])
  expect(await countsOf(link)).toEqual({ uploads: 1, bytes_in: bytes.length })
})

test('a file that got a numbered name is recognised by the name that was sent', async () => {
  const folder = await buildFolder(user)
  await buildFile(user, { parent_id: folder.id, name: 'plan.txt' }, 'the owner has one of this name')
  const { visitor } = await openLink(folder)
  for (const bytes of ['words', 'others', 'words', 'others']) await visitor.upload(bytes, { name: 'plan.txt' })
  expect(await namesIn(folder)).toEqual(['plan (1).txt', 'plan (2).txt', 'plan.txt'])
})

test('a file of another name, content or link is another file', async () => {
  const folder = await buildFolder(user)
  await buildFile(user, { parent_id: folder.id, name: 'plan.txt' }, 'words')
  const [one, two] = [await openLink(folder), await openLink(folder)]
  await one.visitor.upload('words', { name: 'plan.txt' })
  await one.visitor.upload('words', { name: 'other.txt' })
  await one.visitor.upload('word', { name: 'plan.txt' })
  await two.visitor.upload('words', { name: 'plan.txt' })
  expect(await namesIn(folder)).toEqual(['other.txt', 'plan (1).txt', 'plan (2).txt', 'plan (3).txt', 'plan.txt'])
})

test('a file with other metadata is another file', async () => {
  const folder = await buildFolder(user)
  const field = await buildField(admin)
  await turnSettings(admin, { metadata_enabled: true })
  const { visitor } = await openLink(folder)
  for (const value of ['red', 'blue', 'red', 'blue']) {
    await visitor.upload('words', { name: 'plan.txt', metadata: [{ field_id: field.id, value }] })
  }
  await visitor.upload('words', { name: 'plan.txt' })
  expect(await namesIn(folder)).toEqual(['plan (1).txt', 'plan (2).txt', 'plan.txt'])
})

test('a file that was rejected is stored when it is sent again', async () => {
  const folder = await buildFolder(user)
  await turnSettings(admin, { validation_enabled: true })
  try {
    const { visitor } = await openLink(folder)
    const waiting = async () => (await readPending(admin.call)).filter(({ parent_id }) => parent_id === folder.id)
    await visitor.upload('words', { name: 'plan.txt' })
    const [{ id } = { id: 0 }] = await waiting()
    await admin.call(decideFile, { file_id: id, status: 'rejected', comment: 'Too short' })
    await visitor.upload('words', { name: 'plan.txt' })
    await visitor.upload('words', { name: 'plan.txt' })
    expect((await waiting()).map(({ name }) => name)).toEqual(['plan (1).txt'])
  } finally {
    await turnSettings(admin, { validation_enabled: false })
  }
})

test('a file that went to the trash is stored when it is sent again', async () => {
  const folder = await buildFolder(user)
  const { visitor } = await openLink(folder)
  await visitor.upload('words', { name: 'plan.txt' })
  const [{ id } = { id: 0 }] = (await user.call(listFiles, { parent_id: folder.id })).files
  await user.call(trashFile, { id })
  await visitor.upload('words', { name: 'plan.txt' })
  expect(await namesIn(folder)).toEqual(['plan.txt'])
})
