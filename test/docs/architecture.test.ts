/** docs/architecture.md is for readers who do not know the code yet, so every name in it must exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

test('every function that docs/architecture.md names is in the sources', () => {
  const sources = ['build', 'cli', 'src', 'web']
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(path => join(folder, path)),
    )
    .filter(path => /\.tsx?$/.test(path))
    .map(path => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  const named = [...text.matchAll(/`(?:[\w.]+\.)?(\w+)\([^`]*\)`/g)].map(([, name]) => name ?? '')
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(name => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([])
})

test('every link in docs/architecture.md leads to a file', () => {
  const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, path]) => path ?? '')
  expect(links.filter(path => !existsSync(join(root, 'docs', path)))).toEqual([])
})
