/** `filestore import` while somebody replaces the files and folders that it has found. */
import { renameSync } from 'node:fs'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { openTreeSite, plant } from './trees.ts'

const site = openTreeSite()

test('an import reads no pipe that takes the place of a file while it works', async () => {
  const files = Array.from({ length: 1500 }, (_, n) => [`${n}.txt`, 'here'])
  await plant(site.at('in'), Object.fromEntries(files))
  await mkdir(site.at('pipes'))
  const names = files.map(([name = '']) => name)
  await execa(
    'mkfifo',
    names.map(name => site.at('pipes', name)),
  )
  const importing = site.importFrom(site.at('in'))
  const count = () => site.server.deps.db.row<{ files: number }>('SELECT COUNT(*) AS files FROM files')
  await expect.poll(async () => (await count())?.files, { interval: 1 }).toBeGreaterThan(100)
  for (const name of names) renameSync(site.at('pipes', name), site.at('in', name))
  const { stderr } = await importing
  expect(stderr).toContain('It was replaced meanwhile; links are not followed')
  const sizes = await site.server.deps.db.rows('SELECT DISTINCT size FROM files WHERE is_directory = 0')
  expect(sizes).toEqual([{ size: 4 }])
})

test('an import follows no link that takes the place of a folder while it works', async () => {
  const files = Array.from({ length: 1500 }, (_, n) => [`${n}.txt`, 'here'])
  const folders = Array.from({ length: 20 }, (_, n) => `folder ${n}`)
  await plant(site.at('in'), {
    ...Object.fromEntries(files),
    ...Object.fromEntries(folders.map(name => [`${name}/own.txt`, 'own'])),
  })
  await plant(site.at('elsewhere'), { 'secret.txt': 'secret' })
  const importing = site.importFrom(site.at('in'))
  // The files of a folder come before its folders, most of which are known by then.
  const count = () => site.server.deps.db.row<{ files: number }>('SELECT COUNT(*) AS files FROM files')
  await expect.poll(async () => (await count())?.files, { interval: 1 }).toBeGreaterThan(1000)
  for (const name of folders) {
    await rm(site.at('in', name), { recursive: true })
    await symlink(site.at('elsewhere'), site.at('in', name))
  }
  const { code, stderr } = await importing
  // A folder is missing for a moment before its link is there.
  expect([1, 2]).toContain(code)
  expect(stderr).toContain('It was replaced meanwhile; links are not followed')
  const stored = await site.server.deps.db.rows<{ name: string }>('SELECT name FROM files WHERE is_directory = 0')
  expect(new Set(stored.map(({ name }) => name))).toEqual(new Set(files.map(([name]) => name)))
})
