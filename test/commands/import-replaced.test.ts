/** `filestore import` while somebody replaces the files and folders that it has found. */
import { execFileSync } from 'node:child_process'
import { renameSync, rmSync, symlinkSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as adopt from '../../src/files/adopt.ts'
import { openTreeSite, plant } from './trees.ts'

const site = openTreeSite()

/** More than an import reads at once. */
const names = Array.from({ length: 40 }, (_, n) => `${n}.txt`)
const files = Object.fromEntries(names.map(name => [name, 'here']))

/** Replaces something when an import has found the last files and all folders, and opened none of them. */
function whenLastAreFound(replace: () => void): void {
  const { findNamed } = adopt
  let found = 0
  const spy = vi.spyOn(adopt, 'findNamed').mockImplementation((db, spaceId, parentId, some) => {
    found += some.length
    if (found === names.length) replace()
    return findNamed(db, spaceId, parentId, some)
  })
  onTestFinished(() => spy.mockRestore())
}

const storedFiles = () =>
  site.server.deps.db.rows<{ name: string; size: number }>('SELECT name, size FROM files WHERE is_directory = 0')

test('an import reads no pipe that takes the place of a file while it works', async () => {
  await plant(site.at('in'), files)
  await mkdir(site.at('pipes'))
  execFileSync(
    'mkfifo',
    names.map(name => site.at('pipes', name)),
  )
  whenLastAreFound(() => {
    for (const name of names) renameSync(site.at('pipes', name), site.at('in', name))
  })
  const { code, stderr } = await site.importFrom(site.at('in'))
  expect(code).toBe(2)
  expect(stderr.match(/It was replaced meanwhile; links are not followed/g)).toHaveLength(8)
  const stored = await storedFiles()
  expect([stored.length, new Set(stored.map(({ size }) => size))]).toEqual([32, new Set([4])])
})

test('an import follows no link that takes the place of a folder while it works', async () => {
  const folders = Array.from({ length: 3 }, (_, n) => `folder ${n}`)
  await plant(site.at('in'), { ...files, ...Object.fromEntries(folders.map(name => [`${name}/own.txt`, 'own'])) })
  await plant(site.at('elsewhere'), { 'secret.txt': 'secret' })
  whenLastAreFound(() => {
    for (const name of folders) {
      rmSync(site.at('in', name), { recursive: true })
      symlinkSync(site.at('elsewhere'), site.at('in', name))
    }
  })
  const { code, stderr } = await site.importFrom(site.at('in'))
  expect(code).toBe(2)
  expect(stderr.match(/It was replaced meanwhile; links are not followed/g)).toHaveLength(3)
  expect((await storedFiles()).map(({ name }) => name).sort()).toEqual([...names].sort())
})
