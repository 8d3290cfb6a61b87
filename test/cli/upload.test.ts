/** Uploading from the terminal. */
import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile, getFileByPath, listFiles } from '../../src/api/files.ts'
import type { FileItem } from '../../src/api/items.ts'
import { type BuiltUser, buildFile, buildFolder } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { sha256 } from './odd-server.ts'
import { openUserTerminal } from './signed-in.ts'
import { runCli } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ maxFileSize: '1MB' })
})
afterAll(() => server.close())

const namesIn = async (user: BuiltUser, parentId: number | null = null): Promise<string[]> => {
  const { folders, files } = await user.call(listFiles, { parent_id: parentId })
  return [...folders, ...files].map(item => item.name)
}

describe('upload', () => {
  test('stores a file in the root with its modification time, and prints the item', async () => {
    const { user, terminal } = await openUserTerminal(server)
    const bytes = Buffer.alloc(200_000, 'some bytes')
    await writeFile(terminal.path('a "b" %22 ü.bin'), bytes)
    await utimes(terminal.path('a "b" %22 ü.bin'), new Date(), new Date('2019-03-04T05:06:07.000Z'))
    const { code, stdout, stderr } = await runCli(terminal, ['upload', 'a "b" %22 ü.bin', '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const item: FileItem = JSON.parse(stdout)
    expect(item).toMatchObject({ path: '/a "b" %22 ü.bin', size: 200_000, modified_at: '2019-03-04T05:06:07.000Z' })
    expect((await user.call(getFile, { id: item.id })).file.sha256).toBe(sha256(bytes))
  })

  test('prints the path of the uploaded file', async () => {
    const { user, terminal } = await openUserTerminal(server)
    await buildFolder(user, 'Docs')
    await writeFile(terminal.path('a.txt'), 'abc')
    const { stdout } = await runCli(terminal, ['upload', './a.txt', '--to', 'Docs', '--name', 'b.txt'])
    expect(stdout).toBe('   SIZE  PATH\n3 Bytes  /Docs/b.txt')
  })

  test('reads standard input under the given name', async () => {
    const { user, terminal } = await openUserTerminal(server)
    const { code, stdout } = await runCli(terminal, ['upload', '-', '--name', 'piped.txt', '--json'], 'from a pipe')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ name: 'piped.txt', size: 11, modified_at: null })
    const { file } = await user.call(getFileByPath, { path: '/piped.txt' })
    expect(file.sha256).toBe(sha256(Buffer.from('from a pipe')))
  })

  test('stores an empty file', async () => {
    const { terminal } = await openUserTerminal(server)
    await writeFile(terminal.path('empty'), '')
    expect(JSON.parse((await runCli(terminal, ['upload', 'empty', '--json'])).stdout)).toMatchObject({ size: 0 })
  })

  test('stores a folder of 300 files with everything below it in the target folder', async () => {
    const { user, terminal } = await openUserTerminal(server)
    const target = await buildFolder(user, 'Target')
    const deep = join(terminal.folder, 'tree', 'deeper', 'empty')
    await mkdir(deep, { recursive: true })
    const names = Array.from({ length: 300 }, (_, index) => `file-${String(index).padStart(3, '0')}.txt`)
    await Promise.all(names.map(name => writeFile(terminal.path(`tree/deeper/${name}`), name)))
    await symlink('deeper/file-000.txt', terminal.path('tree/link.txt'))
    await symlink('..', terminal.path('tree/circle'))
    const { code, stdout, stderr } = await runCli(terminal, ['upload', 'tree', '--to', `id:${target.id}`, '--json'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Left out 'tree\/circle'/)
    const items: FileItem[] = JSON.parse(stdout)
    expect(items).toHaveLength(304)
    const { file: deeper } = await user.call(getFileByPath, { path: '/Target/tree/deeper' })
    expect(await namesIn(user, deeper.id)).toEqual(['empty', ...names])
    const last = items.find(item => item.name === 'file-299.txt')
    expect(last?.path).toBe('/Target/tree/deeper/file-299.txt')
  })

  test('merges a folder with the one of the same name, and prints a summary', async () => {
    const { user, terminal } = await openUserTerminal(server)
    const there = await buildFolder(user, 'tree')
    await buildFile(user, { name: 'old.txt', parent_id: there.id })
    await mkdir(terminal.path('tree'))
    await writeFile(terminal.path('tree/new.txt'), '12345')
    const { stdout } = await runCli(terminal, ['upload', 'tree'])
    expect(stdout).toBe('   SIZE  PATH\n5 Bytes  /tree/ (1 file)')
    expect(await namesIn(user, there.id)).toEqual(['new.txt', 'old.txt'])
  })
})

describe('upload with a taken name', () => {
  const openTaken = async () => {
    const opened = await openUserTerminal(server)
    const taken = await buildFile(opened.user, { name: 'a.txt' }, 'old')
    await writeFile(opened.terminal.path('a.txt'), 'new bytes')
    return { ...opened, taken }
  }

  test('chooses a free name and prints it', async () => {
    const { user, terminal } = await openTaken()
    const { code, stderr } = await runCli(terminal, ['upload', 'a.txt'])
    expect(code).toBe(0)
    expect(stderr).toContain("'a (1).txt'")
    expect(await namesIn(user)).toEqual(['a (1).txt', 'a.txt'])
  })

  test('ends with code 5 under --on-conflict fail, and leaves the existing file as it is', async () => {
    const { user, terminal, taken } = await openTaken()
    const { code, stdout } = await runCli(terminal, ['upload', 'a.txt', '--on-conflict', 'fail'])
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
    expect((await user.call(getFile, { id: taken.id })).file.size).toBe(3)
  })

  test('replaces the content under --on-conflict replace', async () => {
    const { terminal, taken } = await openTaken()
    const { stdout, stderr } = await runCli(terminal, ['upload', 'a.txt', '--on-conflict', 'replace', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ id: taken.id, size: 9 })
    expect(stderr).toBe('')
  })
})

describe('upload that fails', () => {
  test.each([
    ['a file', 'big.bin'],
    ['standard input', '-'],
  ])('ends with code 6 for %s over the size limit', async (_what, path) => {
    const { user, terminal } = await openUserTerminal(server)
    const bytes = 'x'.repeat(3 * 1024 ** 2)
    await writeFile(terminal.path('big.bin'), bytes)
    const { code, stdout } = await runCli(terminal, ['upload', path, '--name', 'big.bin'], path === '-' ? bytes : '')
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' })
    expect(await namesIn(user)).toEqual([])
  })

  test('ends with code 6 when the quota is exceeded', async () => {
    const { user, terminal } = await openUserTerminal(server, { storageQuota: 10 })
    await writeFile(terminal.path('a.bin'), 'more than ten bytes')
    expect((await runCli(terminal, ['upload', 'a.bin'])).code).toBe(6)
    expect(await namesIn(user)).toEqual([])
  })

  test('ends with code 2 for an unknown local path, after it has tried all others', async () => {
    const { user, terminal } = await openUserTerminal(server)
    await writeFile(terminal.path('last.txt'), 'x')
    const { code, stdout, stderr } = await runCli(terminal, ['upload', 'none', 'last.txt', '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'last.txt' }])
    expect(stderr).toContain("There is no 'none' on this machine")
    expect(await namesIn(user)).toEqual(['last.txt'])
  })

  test('ends with the code of the first failure of several items', async () => {
    const { user, terminal } = await openUserTerminal(server)
    await buildFile(user, { name: 'taken.txt' })
    await writeFile(terminal.path('taken.txt'), 'x')
    const { code } = await runCli(terminal, ['upload', 'taken.txt', 'none', '--on-conflict', 'fail'])
    expect(code).toBe(5)
  })

  test('ends with code 4 when the target folder is missing or is a file', async () => {
    const { user, terminal } = await openUserTerminal(server)
    await buildFile(user, { name: 'file.txt' })
    await writeFile(terminal.path('a.txt'), 'x')
    for (const target of ['/none', '/file.txt']) {
      const { code, stderr } = await runCli(terminal, ['upload', 'a.txt', '--to', target])
      expect(code).toBe(4)
      expect(stderr).toContain(target)
    }
    expect(await namesIn(user)).toEqual(['file.txt'])
  })

  test('ends with code 3 for a key without the permission', async () => {
    const { terminal } = await openUserTerminal(server, {}, ['files:read'])
    await writeFile(terminal.path('a.txt'), 'x')
    expect((await runCli(terminal, ['upload', 'a.txt'])).code).toBe(3)
  })

  test('escapes a local name with an escape sequence, and ends with code 2', async () => {
    const { terminal } = await openUserTerminal(server)
    await writeFile(terminal.path('x\u001b[31m.txt'), 'x')
    const { code, stderr } = await runCli(terminal, ['upload', 'x\u001b[31m.txt', 'none'])
    expect(code).toBe(2)
    expect(stderr).toContain('x\\x1b[31m.txt')
    expect(stderr).not.toContain('\u001b')
  })

  test.each([
    ['standard input without a name', ['upload', '-']],
    ['one name for two files', ['upload', 'a', 'b', '--name', 'c']],
    ['a name with a slash', ['upload', 'a', '--name', 'T/hi.txt']],
    ['a blank name for standard input', ['upload', '-', '--name', ' ']],
    ['an unknown conflict rule', ['upload', 'a', '--on-conflict', 'ask']],
    ['nothing to upload', ['upload']],
  ])('ends with code 2 for %s', async (_what, args) => {
    const { terminal } = await openUserTerminal(server)
    expect((await runCli(terminal, args)).code).toBe(2)
  })
})
