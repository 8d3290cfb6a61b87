/** Downloads and uploads by a link, from a terminal that is not signed in. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { InputOf } from '../../src/api/endpoint.ts'
import { listFiles } from '../../src/api/files.ts'
import { createLink, type Link, listLinks, updateLink } from '../../src/api/links.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildField, buildFile, buildFolder, buildUser, turnSettings } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openTerminal, runCli, type Terminal, talk } from './terminal.ts'

let server: TestServer
let admin: TestClient
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  user = await buildUser(server)
})
afterAll(() => server.close())

type Terms = Partial<Omit<InputOf<typeof createLink>, 'item_id'>>

async function openLink(item: { id: number }, terms: Terms = {}): Promise<{ link: Link; address: string }> {
  const { link } = await user.call(createLink, { item_id: item.id, level: 'view', ...terms })
  return { link, address: `${server.url}${link.url}` }
}

/** A folder with `a.txt` and `below/b.txt`, in a folder of its own so that names are free. */
async function buildTree() {
  const outer = await buildFolder(user)
  const photos = await buildFolder(user, 'Photos', outer.id)
  const below = await buildFolder(user, 'below', photos.id)
  const a = await buildFile(user, { name: 'a.txt', parent_id: photos.id }, 'aaa')
  await buildFile(user, { name: 'b.txt', parent_id: below.id }, 'bbbb')
  return { photos, a }
}

const namesIn = async ({ id }: { id: number }) =>
  (await user.call(listFiles, { parent_id: id })).files.map(({ name }) => name).sort()

const read = (terminal: Terminal, name: string) => readFile(terminal.path(name), 'utf8')

describe('download', () => {
  test('gets a file into the current folder, to a path, or to standard output', async () => {
    const { a } = await buildTree()
    const { address } = await openLink(a)
    const terminal = await openTerminal()
    const { code, stdout, stderr } = await runCli(terminal, ['download', address])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^ *3 Bytes +a\.txt$/m)
    expect((await runCli(terminal, ['download', address, 'other.txt'])).code).toBe(0)
    expect([await read(terminal, 'a.txt'), await read(terminal, 'other.txt')]).toEqual(['aaa', 'aaa'])
    expect((await runCli(terminal, ['download', address, '-'])).stdout).toBe('aaa')
    const json = JSON.parse((await runCli(terminal, ['download', address, '--json'])).stdout)
    expect(json).toMatchObject({ id: a.id, name: 'a.txt', size: 3 })
  })

  test('gets a folder with all that is in it, and leaves alone what is there already', async () => {
    const { photos } = await buildTree()
    const { address } = await openLink(photos)
    const terminal = await openTerminal()
    const first = await runCli(terminal, ['download', address])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(/^ *7 Bytes +Photos\/ \(2 files\)$/m)
    expect(await read(terminal, 'Photos/below/b.txt')).toBe('bbbb')
    await writeFile(terminal.path('Photos/a.txt'), 'xxx')
    const again = await runCli(terminal, ['download', address, '.'])
    expect(again.stderr).toContain('1 file was there already')
    expect(await read(terminal, 'Photos/a.txt')).toBe('aaa')
  })

  test('with --zip gets one ZIP file, also to standard output', async () => {
    const { photos } = await buildTree()
    const { address } = await openLink(photos)
    const terminal = await openTerminal()
    expect((await runCli(terminal, ['download', '--zip', address])).stdout).toMatch(/ Photos\.zip$/m)
    expect((await stat(terminal.path('Photos.zip'))).size).toBeGreaterThan(100)
    expect((await runCli(terminal, ['download', '--zip', address, '-'])).stdout).toMatch(/^PK/)
    expect((await runCli(terminal, ['download', address, '-'])).stderr).toContain('--zip makes one stream')
  })

  test('where downloads are counted, a folder is one ZIP file and one download', async () => {
    const { photos } = await buildTree()
    const { address } = await openLink(photos, { max_downloads: 1 })
    const terminal = await openTerminal()
    const { code, stderr } = await runCli(terminal, ['download', address])
    expect(code).toBe(0)
    expect(stderr).toContain('one ZIP file')
    expect(await terminal.names()).toEqual(['Photos.zip'])
    const again = await runCli(terminal, ['download', address, 'again.zip'])
    expect(again.code).toBe(4)
    expect(again.stderr).toContain('used up')
  })

  test('a counted file that is there already is no second download', async () => {
    const { a } = await buildTree()
    const { link, address } = await openLink(a, { max_downloads: 2 })
    const terminal = await openTerminal()
    expect((await runCli(terminal, ['download', address])).code).toBe(0)
    expect((await runCli(terminal, ['download', address])).stderr).toContain('was there already')
    const { links } = await user.call(listLinks, { item_id: a.id })
    expect(links).toMatchObject([{ id: link.id, downloads: 1 }])
  })

  test('needs the password, from standard input or at the terminal', async () => {
    const { a } = await buildTree()
    const { address } = await openLink(a, { password: 'open sesame' })
    const terminal = await openTerminal()
    const none = await runCli(terminal, ['download', address])
    expect(none.code).toBe(3)
    expect(none.stderr).toContain('--password-stdin')
    const wrong = await runCli(terminal, ['download', address, '--password-stdin'], 'close sesame')
    expect(wrong.code).toBe(3)
    expect(wrong.stderr).toContain('Wrong password')
    expect(wrong.stderr).not.toContain('login')
    expect(await terminal.names()).toEqual([])
    expect((await runCli(terminal, ['download', address, '--password-stdin'], 'open sesame\n')).code).toBe(0)
    const asked = await talk(terminal, ['download', address, 'b.txt'], [['Password of the link: ', 'open sesame\r']])
    expect(asked.exitCode).toBe(0)
    expect(asked.screen).not.toContain('open sesame')
    expect(await read(terminal, 'b.txt')).toBe('aaa')
  })

  test.each([
    ['an unknown link', async () => `${server.url}/s/${'x'.repeat(22)}`, 'does not work (any more)'],
    [
      'a paused link',
      async () => {
        const { link, address } = await openLink((await buildTree()).a)
        await user.call(updateLink, { id: link.id, is_active: false })
        return address
      },
      'does not work (any more)',
    ],
  ])('%s ends with 4', async (_what, build, words) => {
    const terminal = await openTerminal()
    const { code, stdout, stderr } = await runCli(terminal, ['download', await build()])
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    expect(stderr).toContain(words)
  })

  test('a link for uploads alone gives nothing out', async () => {
    const { photos } = await buildTree()
    const { address } = await openLink(photos, { level: 'upload' })
    const { code, stderr } = await runCli(await openTerminal(), ['download', address])
    expect(code).toBe(3)
    expect(stderr).toContain('only takes uploads')
  })

  test('uses neither the profile nor the key of the environment', async () => {
    const { a } = await buildTree()
    const { address } = await openLink(a)
    const terminal = await openTerminal({ FILESTORE_URL: 'http://127.0.0.1:9', FILESTORE_API_KEY_ID: 'gk_none' })
    expect((await runCli(terminal, ['download', address])).code).toBe(0)
  })
})

describe('upload', () => {
  test('sends files, and standard input under a name', async () => {
    const { photos } = await buildTree()
    const { address } = await openLink(photos, { level: 'upload' })
    const terminal = await openTerminal()
    await writeFile(terminal.path('one.txt'), '1')
    await writeFile(terminal.path('two.txt'), '22')
    const { code, stdout, stderr } = await runCli(terminal, ['upload', 'one.txt', 'two.txt', '--to', address])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n').slice(1)).toEqual(['1 Bytes  one.txt', '2 Bytes  two.txt'])
    const sent = await runCli(terminal, ['upload', '-', '--name', 'dump.sql', '--to', address, '--json'], 'abc')
    expect(JSON.parse(sent.stdout)).toEqual({ name: 'dump.sql', size: 3 })
    expect(await namesIn(photos)).toEqual(['a.txt', 'dump.sql', 'one.txt', 'two.txt'])
  })

  test('never replaces, and does not tell that a name is taken', async () => {
    const { photos } = await buildTree()
    const { address } = await openLink(photos, { level: 'both' })
    const terminal = await openTerminal()
    await writeFile(terminal.path('a.txt'), 'mine')
    const { stdout } = await runCli(terminal, ['upload', 'a.txt', '--to', address])
    expect(stdout).toMatch(/ a\.txt$/m)
    expect(await namesIn(photos)).toHaveLength(2)
  })

  test('gives the sender where the link asks for one, and only there', async () => {
    const { photos } = await buildTree()
    const { address } = await openLink(photos, { level: 'upload', ask_name: true })
    const terminal = await openTerminal()
    await writeFile(terminal.path('essay.txt'), 'x')
    const args = ['upload', 'essay.txt', '--to', address]
    expect(await runCli(terminal, args)).toMatchObject({ code: 2, stderr: expect.stringContaining('--sender') })
    expect((await runCli(terminal, [...args, '--sender', 'Anna Meier'])).code).toBe(0)
    expect((await talk(terminal, args, [['Your name: ', 'Ben\r']])).exitCode).toBe(0)
    expect(await namesIn(photos)).toEqual(['Anna Meier - essay.txt', 'Ben - essay.txt', 'a.txt'])
    const plain = await openLink(photos, { level: 'upload' })
    const given = await runCli(terminal, ['upload', 'essay.txt', '--to', plain.address, '--sender', 'Anna'])
    expect(given).toMatchObject({ code: 2, stderr: expect.stringContaining('asks for no name') })
  })

  test('tells the fields that are missing, and takes them with --metadata', async () => {
    const { photos } = await buildTree()
    const { address } = await openLink(photos, { level: 'upload', password: 'open sesame' })
    const field = await buildField(admin, { is_required: true })
    await turnSettings(admin, { metadata_enabled: true, metadata_required_on_upload: true })
    onTestFinished(() => turnSettings(admin, { metadata_required_on_upload: false }))
    const terminal = await openTerminal()
    await writeFile(terminal.path('one.txt'), '1')
    const args = ['upload', 'one.txt', '--to', address, '--password-stdin']
    const refused = await runCli(terminal, args, 'open sesame')
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(field.label) })
    expect((await runCli(terminal, [...args, '-m', `${field.name}=7`], 'open sesame')).code).toBe(0)
    expect(await namesIn(photos)).toEqual(['a.txt', 'one.txt'])
  })

  test('of several files all are tried; a folder is refused', async () => {
    const { photos } = await buildTree()
    const { address } = await openLink(photos, { level: 'upload', max_bytes: 5 })
    const terminal = await openTerminal()
    await mkdir(terminal.path('Folder'))
    await writeFile(terminal.path('one.txt'), '1')
    const { code, stdout, stderr } = await runCli(terminal, ['upload', 'Folder', 'one.txt', 'none', '--to', address])
    expect(code).toBe(2)
    expect(stdout).toMatch(/ one\.txt$/m)
    expect(stderr).toContain('a link takes only files')
    await writeFile(terminal.path('long.txt'), 'much too long')
    expect((await runCli(terminal, ['upload', 'long.txt', '--to', address])).code).toBe(6)
  })

  test('a link to look at takes nothing', async () => {
    const { photos } = await buildTree()
    const { address } = await openLink(photos)
    const terminal = await openTerminal()
    await writeFile(terminal.path('one.txt'), '1')
    const { code, stderr } = await runCli(terminal, ['upload', 'one.txt', '--to', address])
    expect(code).toBe(3)
    expect(stderr).toContain('takes no uploads')
  })
})
