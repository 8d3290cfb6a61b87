/** docs/architecture.md is for readers who do not know the code yet, so every name in it must exist. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

test('every file and folder that docs/architecture.md names exists', () => {
  const form = /`((?:\.ci|bin|build|cli|deploy|docs|migrations|src|terminal|test|web)\/[\w./-]*)`/g
  const named = [...text.matchAll(form)].map(([, path]) => path ?? '')
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(path => !existsSync(join(root, path)))).toEqual([])
})

test('every link in docs/architecture.md leads to a file', () => {
  const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, path]) => path ?? '')
  expect(links.filter(path => !existsSync(join(root, 'docs', path)))).toEqual([])
})
