/** Paths in team folders and in what others share: `@Name/…` in every command that takes a path. */
import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFileByPath, listFiles } from '../../src/api/files.ts'
import { hideShare } from '../../src/api/shares.ts'
import { createTag } from '../../src/api/tags.ts'
import { listTrash } from '../../src/api/trash.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { buildFolder, buildShare, buildTeam } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openPlaces } from './open-places.ts'
import { runCli } from './terminal.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterAll(() => server.close())

/** The places, and a function that runs a command of the user. */
async function openExample() {
  const opened = await openPlaces(server, admin)
  return { ...opened, run: (...args: string[]) => runCli(opened.terminal, args) }
}

const namesIn = async (client: TestClient, parentId: number | null): Promise<string[]> => {
  const { folders, files } = await client.call(listFiles, { parent_id: parentId })
  return [...folders, ...files].map(({ name }) => name)
}

describe('places', () => {
  test('@ lists team folders and what is shared with the user, but nothing hidden', async () => {
    const { user, owner, team, photos, share, run } = await openExample()
    const { code, stdout } = await run('ls', '@')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ *ID +KIND +LEVEL +FROM +PLACE$/m)
    expect(stdout).toMatch(new RegExp(`^ *${team.folder_id} +team +manage +- +@Accounts/$`, 'm'))
    expect(stdout).toMatch(new RegExp(`^ *${photos.id} +share +view +${owner.username} +@Photos/$`, 'm'))
    await user.call(hideShare, { id: share.id, hidden: true })
    expect(JSON.parse((await run('ls', '@', '--json')).stdout)).toEqual([
      { kind: 'team', id: team.folder_id, name: 'Accounts', from: null, level: 'manage', is_directory: true },
    ])
  })

  test('ls of an own tree that is empty says where the places are', async () => {
    const { run } = await openExample()
    const stderr = "This folder is empty; 'filestore ls @' lists team folders and what is shared with you"
    expect(await run('ls')).toEqual({ code: 0, stdout: '', stderr })
  })

  test('reading commands take paths that begin with a place, and print them so', async () => {
    const { terminal, year, a, team, run } = await openExample()
    expect((await run('ls', '@Accounts/2026')).stdout).toMatch(/3 Bytes .* a\.txt$/m)
    expect((await run('ls', '@Accounts/2026/../..')).stdout).toMatch(/ 2026\/$/m)
    expect((await run('ls', `id:${team.folder_id}/2026`)).stdout).toMatch(/ a\.txt$/m)
    expect((await run('ls', `@id:${team.folder_id}/2026/a.txt`)).code).toBe(0)
    expect((await run('tree', '@Accounts')).stdout).toBe(
      '@Accounts/\n└── 2026/\n    └── a.txt\n\n1 folder, 1 file, 3 Bytes',
    )
    expect((await run('tree', '@Accounts/2026')).stdout).toContain('@Accounts/2026/\n└── a.txt')
    expect((await run('search', 'a.txt', '--in', '@Accounts')).stdout).toMatch(/ @Accounts\/2026\/a\.txt$/m)
    expect((await run('search', 'a.txt', '--in', '@Photos')).stdout).toBe('')
    expect((await run('search', 'a.txt', '--in', '/')).stdout).toBe('')
    expect((await run('download', '@Accounts/2026/a.txt', '-')).stdout).toBe('aaa')
    expect((await run('download', '@Photos', '.')).stdout).toMatch(/Photos\/ \(1 file\)$/m)
    expect(await readFile(terminal.path('Photos/b.txt'), 'utf8')).toBe('bb')
    expect((await run('ls', '--json', `id:${a.id}`)).stdout).toContain(`"parent_id": ${year.id}`)
  })

  test('changing commands work in a place by what the user may do there', async () => {
    const { user, terminal, team, run } = await openExample()
    await user.call(createTag, { name: 'Work', color: '#3B82F6' })
    await writeFile(terminal.path('c.txt'), 'ccc')
    expect((await run('mkdir', '@Accounts/2027')).stdout).toBe('SIZE  FOLDER\n   -  @Accounts/2027/')
    expect((await run('mkdir', '-p', '@Accounts/2027/x/y')).stdout).toContain('@Accounts/2027/x/y/')
    expect((await run('upload', 'c.txt', '--to', '@Accounts/2027')).stdout).toMatch(/ @Accounts\/2027\/c\.txt$/m)
    expect((await run('upload', 'c.txt', '--to', '@Accounts/2027')).stderr).toContain('1 file was there already')
    expect((await run('mv', '@Accounts/2027/c.txt', '@Accounts/d.txt')).stdout).toContain('@Accounts/d.txt')
    expect((await run('cp', '@Photos/b.txt', '@Accounts')).stdout).toContain('@Accounts/b.txt')
    expect((await run('favorites', 'add', '@Accounts/d.txt')).stdout).toContain('@Accounts/d.txt')
    expect((await run('favorites', 'ls')).stdout).toContain('@Accounts/d.txt')
    expect((await run('tags', 'add', 'Work', '@Accounts/d.txt')).stdout).toContain('@Accounts/d.txt [Work]')
    expect((await run('rm', '@Accounts/d.txt')).stdout).toContain('@Accounts/d.txt')
    expect(await namesIn(user, team.folder_id)).toEqual(['2026', '2027', 'b.txt'])
    for (const args of [
      ['rm', '@Photos/b.txt'],
      ['mkdir', '@Photos/x'],
      ['upload', 'c.txt', '--to', '@Photos'],
    ]) {
      expect((await run(...args)).code).toBe(3)
    }
  })

  test('the trash of a team folder is listed, restored from and emptied', async () => {
    const { user, team, a, run } = await openExample()
    await run('rm', '@Accounts/2026/a.txt')
    expect((await run('trash', 'ls')).stdout).toBe('')
    expect((await run('trash', 'ls', '@Accounts')).stdout).toMatch(/ @Accounts\/2026\/a\.txt$/m)
    expect((await run('trash', 'restore', '@Accounts/2026/a.txt')).stdout).toContain('@Accounts/2026/a.txt')
    await run('rm', '@Accounts/2026/a.txt')
    expect((await run('trash', 'restore', `id:${a.id}`)).code).toBe(0)
    await run('rm', '@Accounts/2026')
    expect((await run('trash', 'empty', '@Accounts', '--yes')).stdout).toBe('Deleted 1 item')
    expect((await user.call(listTrash, { folder_id: String(team.folder_id) })).files).toEqual([])
    expect((await run('trash', 'ls', '@Photos')).code).toBe(2)
    expect((await run('trash', 'restore', 'id:999999')).code).toBe(4)
  })

  test('a move to another place says that the original is in the trash there', async () => {
    const { user, owner, photos, run } = await openExample()
    const { code, stdout, stderr } = await run('mv', '@Accounts/2026/a.txt', '/')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '   SIZE  MOVED TO\n3 Bytes  /a.txt' })
    expect(stderr).toContain("the original is in the trash of 'Accounts'")
    expect((await run('trash', 'ls', '@Accounts')).stdout).toContain('@Accounts/2026/a.txt')
    expect((await run('mv', '/a.txt', '@Accounts/z.txt')).stderr).toContain('the original is in your trash')
    expect(await namesIn(user, null)).toEqual([])
    await buildShare(owner, photos, user, 'edit')
    expect((await run('mv', '@Photos/b.txt', '/')).stderr).toContain(`in the trash of '${owner.username}'`)
  })

  test('of several places of one name the ids are told, and an own item of the name is /@Name', async () => {
    const { user, team, run } = await openExample()
    const other = await buildTeam(admin, user, 'Accounts')
    await buildFolder(user, '@Accounts')
    const { code, stdout, stderr } = await run('ls', '@Accounts')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    for (const { folder_id: id } of [team, other]) expect(stderr).toContain(`id:${id}`)
    expect((await run('mkdir', `id:${other.folder_id}/x`, '/@Accounts/own')).code).toBe(0)
    expect(await namesIn(user, other.folder_id)).toEqual(['x'])
    expect((await user.call(getFileByPath, { path: '/@Accounts/own' })).file.place).toBeNull()
  })

  test.each([
    ['an unknown place', ['ls', '@none'], 4],
    ['an unknown path in a place', ['ls', '@Accounts/none'], 4],
    ['all places as a folder', ['tree', '@'], 2],
    ['all places as a target', ['mkdir', '@/x'], 2],
    ['the place itself as something new', ['mkdir', '@Accounts'], 2],
    ['the team folder to remove', ['rm', '@Accounts'], 3],
  ])('refuses %s', async (_what, args, code) => {
    const { run } = await openExample()
    expect(await run(...args)).toMatchObject({ code, stdout: '' })
  })

  test('a drop box stores files with the name of the user in front, and tells no other reason', async () => {
    const { user, owner, terminal, run } = await openExample()
    const drop = await buildFolder(owner, 'Homework')
    await buildShare(owner, drop, user, 'upload')
    await writeFile(terminal.path('essay.txt'), 'text')
    const { code, stdout, stderr } = await run('upload', 'essay.txt', '--to', '@Homework')
    expect(code).toBe(0)
    expect(stdout).toContain(`@Homework/${user.username} - essay.txt`)
    expect(stderr).toContain(`is stored as '${user.username} - essay.txt'`)
    expect(stderr).not.toContain('taken')
  })
})
