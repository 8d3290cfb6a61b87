/** Questions of the page's upload queue before a file is sent: its metadata, and what to do about a taken name. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '../../../src/api/client.ts'
import { getFile, listFiles } from '../../../src/api/files.ts'
import { listUploadFields } from '../../../src/api/metadata.ts'
import { answerClash, askAgain, putQuestionsAway } from '../../../web/lib/uploads/clashes.ts'
import { describeUpload, dropUndescribed, undescribedBeside } from '../../../web/lib/uploads/metadata.ts'
import { type BuiltUser, buildField, buildFile, buildFolder, buildUser } from '../../support/factories.ts'
import { startServer } from '../../support/server.ts'
import type { TestServer } from '../../support/test-server.ts'
import { openUploadPage, rowOf, statuses, textFile } from './page.ts'

describe('required metadata', () => {
  let server: TestServer
  let fieldId: number
  beforeAll(async () => {
    server = await startServer()
    const admin = await buildUser(server, { role: 'admin' })
    fieldId = (await buildField(admin, { name: 'photographer', label: 'Photographer', is_required: true })).id
  })
  afterAll(() => server.close())

  const valuesOf = async (user: BuiltUser, name: string): Promise<string[]> => {
    const { files } = await user.call(listFiles, {})
    const id = files.find(file => file.name === name)?.id ?? 0
    return (await user.call(getFile, { id })).file.metadata.map(({ value }) => value)
  }

  test('is asked for one file after the other, and Undo restores a dropped file with its values', async () => {
    const user = await buildUser(server)
    const page = openUploadPage(user)
    await page.add([textFile('one.txt'), textFile('two.txt')])
    expect(statuses(page)).toEqual({ 'one.txt': 'describing', 'two.txt': 'describing' })
    describeUpload(page.uploads, rowOf(page, 'one.txt'), new Map([[fieldId, 'Jana']]), false)
    await expect.poll(() => statuses(page)).toEqual({ 'two.txt': 'describing' })
    expect(await valuesOf(user, 'one.txt')).toEqual(['Jana'])
    dropUndescribed(page.uploads, rowOf(page, 'two.txt'), false, new Map([[fieldId, 'Pe']]))
    expect(statuses(page)).toEqual({})
    expect(page.tray.getState().isOpen).toBe(false)
    page.offers[0]?.undo()
    expect(rowOf(page, 'two.txt')).toMatchObject({ status: 'describing', values: new Map([[fieldId, 'Pe']]) })
    expect(page.tray.getState().isOpen).toBe(true)
  })

  test('can be given once for all files of a drop', async () => {
    const user = await buildUser(server)
    const page = openUploadPage(user)
    await page.add(Array.from({ length: 60 }, (_, index) => textFile(`${index}.txt`)))
    expect(undescribedBeside(page.uploads, rowOf(page, '0.txt'))).toBe(59)
    describeUpload(page.uploads, rowOf(page, '0.txt'), new Map([[fieldId, 'Jana']]), true)
    await expect.poll(() => statuses(page)).toEqual({})
    expect((await user.call(listFiles, {})).total).toBe(60)
    expect(await valuesOf(user, '59.txt')).toEqual(['Jana'])
  })

  test('whose fields fail to load stops no upload', async () => {
    const user = await buildUser(server)
    const call = ((endpoint, input) =>
      endpoint.path === listUploadFields.path
        ? Promise.reject(new Error('broken'))
        : user.call(endpoint, input)) as Call
    const page = openUploadPage(user, { call })
    await page.add([textFile('plain.txt')])
    expect(page.notes).toEqual(['Failed to load metadata fields. Uploads go on without them'])
    await expect.poll(() => statuses(page)).toEqual({})
    expect(await valuesOf(user, 'plain.txt')).toEqual([])
  })

  test('of one file stays asked for while other files are added', async () => {
    const user = await buildUser(server)
    const page = openUploadPage(user)
    await page.add([textFile('one.txt')])
    const first = rowOf(page, 'one.txt')
    await page.add([textFile('two.txt')])
    expect(rowOf(page, 'one.txt')).toBe(first)
    describeUpload(page.uploads, first, new Map([[fieldId, 'Jana']]), true)
    await expect.poll(() => statuses(page)).toEqual({ 'two.txt': 'describing' })
  })
})

describe('a taken name', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  const sizes = async (user: BuiltUser): Promise<Record<string, number>> =>
    Object.fromEntries((await user.call(listFiles, {})).files.map(({ name, size }) => [name, size]))

  test('is asked about once for all, but a folder is never replaced', async () => {
    const user = await buildUser(server)
    await Promise.all(['1.txt', '2.txt', '3.txt'].map(name => buildFile(user, { name }, 'old')))
    await buildFolder(user, '4.txt')
    const page = openUploadPage(user)
    await page.add(['1.txt', '2.txt', '3.txt', '4.txt', '5.txt'].map(name => textFile(name)))
    await expect.poll(() => page.uploads.rows.useList.getState().clashing).toHaveLength(4)
    expect(page.uploads.useQuestion.getState().isAsked).toBe(true)
    answerClash(page.uploads, rowOf(page, '1.txt'), 'replace', true)
    await expect.poll(() => statuses(page)).toEqual({ '4.txt': 'clashing' })
    answerClash(page.uploads, rowOf(page, '4.txt'), 'rename', false)
    await expect.poll(() => statuses(page)).toEqual({})
    expect(await sizes(user)).toEqual({ '1.txt': 10, '2.txt': 10, '3.txt': 10, '4 (1).txt': 10, '5.txt': 10 })
  })

  test('leaves its row waiting when the question is closed, and Skip keeps the old content', async () => {
    const user = await buildUser(server)
    await buildFile(user, { name: 'a.txt' }, 'old')
    const page = openUploadPage(user)
    await page.add([textFile('a.txt')])
    const { useQuestion } = page.uploads
    await expect.poll(() => useQuestion.getState().isAsked).toBe(true)
    putQuestionsAway(page.uploads)
    expect([useQuestion.getState().isAsked, statuses(page)]).toEqual([false, { 'a.txt': 'clashing' }])
    askAgain(page.uploads)
    expect(useQuestion.getState().isAsked).toBe(true)
    answerClash(page.uploads, rowOf(page, 'a.txt'), 'skip', false)
    expect(statuses(page)).toEqual({})
    expect(await sizes(user)).toEqual({ 'a.txt': 3 })
  })
})
