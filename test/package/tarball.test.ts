/** The packed product, installed in an empty folder as a user would do it. */
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../support/client.ts'
import { buildFile } from '../support/factories.ts'

const root = join(import.meta.dirname, '../..')
const installTime = 5 * 60_000

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestore-package-'))
  // dist was built before the first test. A new build here would remove it during other tests.
  await execa('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root })
  const [tarball = ''] = await readdir(folder)
  await execa('npm', ['init', '-y'], { cwd: folder })
  await execa('npm', ['install', `./${tarball}`, '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  // The only script compiles sqlite3, which takes a minute and was done in this repository already.
  await cp(join(root, 'node_modules/sqlite3/build'), join(folder, 'node_modules/sqlite3/build'), { recursive: true })
}, installTime)
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the tarball has no sources or tests, and only dependencies that cannot be bundled', async () => {
  const installed = await readdir(join(folder, 'node_modules/filestore'), { recursive: true })
  expect(installed.filter(name => /\.tsx?$/.test(name) || name.startsWith('test'))).toEqual([])
  const packages = await readdir(join(folder, 'node_modules'))
  expect(packages).toContain('sqlite3')
  expect(['react', 'koa', 'pino', 'mysql2', 'sequelize', 'umzug'].filter(name => packages.includes(name))).toEqual([])
})

test('the tarball has the licence of every bundled package', async () => {
  const notices = await readFile(join(folder, 'node_modules/filestore/dist/NOTICES.txt'), 'utf8')
  for (const name of [
    'commander',
    'ink',
    'react',
    '@mantine/core',
    'pdfjs-dist',
    '@fontsource-variable/inter',
    'zod',
    'koa',
    'mime-db',
    'mysql2',
  ]) {
    expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'))
  }
  expect(notices).not.toMatch(/ \((undefined)?\)$/m)
})

test('npx filestore serve makes the first administrator, serves the page and stores a file', async () => {
  const password = 'given by the environment'
  const server = execa('npx', ['filestore', 'serve', '--port', '0'], {
    cwd: folder,
    env: { FILESTORE_ADMIN_PASSWORD: password },
    // Its own process group: npx and its shell forward no signal to the server.
    detached: true,
    reject: false,
  })
  try {
    const lines = createInterface({ input: server.stdout })
    const url = await new Promise<string>((resolve, reject) => {
      lines.on('line', line => {
        const [found] = /(?<=is ready at )http:\/\/\S+/.exec(line) ?? []
        if (found !== undefined) resolve(found)
      })
      server.then(({ stderr }) => reject(new Error(`serve ended early: ${stderr}`)), reject)
    })
    const page = await fetch(`${url}/`)
    expect(page.status).toBe(200)
    const [, script] = /<script[^>]+src="([^"]+)"/.exec(await page.text()) ?? []
    expect((await fetch(new URL(script ?? '', `${url}/`))).status).toBe(200)
    const admin = await signIn(url, 'admin', password)
    const file = await buildFile(admin, { name: 'first.txt' }, 'hello')
    expect(await (await admin.raw(`/api/files/${file.id}/download`)).text()).toBe('hello')
  } finally {
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM')
    await server
  }
})
