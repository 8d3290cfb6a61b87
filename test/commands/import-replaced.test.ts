/** `filestore import` while somebody replaces the files that it has found. */
import { rm } from 'node:fs/promises'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { openTreeSite, plant } from './trees.ts'

const site = openTreeSite()

test('an import reads no pipe that takes the place of a file while it works', async () => {
  const files = Array.from({ length: 1500 }, (_, n) => [`${n}.txt`, 'here'])
  await plant(site.at('in'), Object.fromEntries(files))
  const importing = site.importFrom(site.at('in'))
  const count = () => site.server.deps.db.row<{ files: number }>('SELECT COUNT(*) AS files FROM files')
  await expect.poll(async () => (await count())?.files, { interval: 1 }).toBeGreaterThan(100)
  const paths = files.map(([name = '']) => site.at('in', name))
  await Promise.all(paths.map(path => rm(path)))
  await execa('mkfifo', paths)
  const { stderr } = await importing
  expect(stderr).toContain('It was replaced meanwhile; links are not followed')
  const sizes = await site.server.deps.db.rows('SELECT DISTINCT size FROM files WHERE is_directory = 0')
  expect(sizes).toEqual([{ size: 4 }])
})
