/** Rules about imports and places, checked on the text of the sources. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

interface Source {
  /** Relative to the root: `src/http/app.ts`. */
  path: string
  text: string
  /** Our own files as paths relative to the root, packages by their names. */
  imports: string[]
}

const importForm =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|(?:^|\n)\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

function readSource(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const imports = [...text.matchAll(importForm)].map(match => {
    const name = match[1] ?? match[2] ?? match[3] ?? ''
    return name.startsWith('.') ? join(dirname(path), name) : name
  })
  return { path, text, imports }
}

const sources: Source[] = ['bin', 'build', 'cli', 'migrations', 'src', 'terminal', 'test', 'web']
  .flatMap(folder => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter(entry => entry.isFile() && /\.(ts|tsx|css|cjs)$/.test(entry.name))
  .map(entry => readSource(relative(root, join(entry.parentPath, entry.name))))

const inside = (path: string, folders: readonly string[]): boolean =>
  folders.some(folder => path === folder || path.startsWith(`${folder}/`))
const isOwn = (name: string): boolean => /^(src|web|cli|bin|migrations|test)\/|^package\.json$/.test(name)
const common = ['src/base', 'src/config.ts', 'src/config-options.ts', 'src/config-values.ts']
const database = [...common, 'src/api', 'src/db']
/** Subject → other subjects that it may import; cycles are not allowed. */
const subjects: Record<string, readonly string[]> = {
  events: [],
  settings: [],
  roles: [],
  tags: [],
  keys: ['files'],
  system: [],
  ...{ metadata: ['settings'], files: ['tags', 'metadata', 'settings', 'events'] },
  groups: ['spaces'],
  spaces: ['files', 'settings'],
  links: ['events', 'files', 'metadata'],
  live: ['events', 'files', 'validation'],
  shares: ['files', 'groups', 'settings', 'spaces'],
  validation: ['files', 'settings'],
  uploads: ['files', 'links'],
  users: ['files', 'roles', 'keys', 'settings', 'spaces'],
}
const shared = ['src/reply.ts', 'src/route.ts', 'src/deps.ts', 'src/version.ts', 'src/dist-folder.ts']
const forSubjects = [...database, 'src/blobs', 'src/access', ...shared]

/** Folder → our own files and folders that its files may import, besides itself. */
const allowed: Record<string, readonly string[]> = {
  'src/api': [],
  'src/base': ['src/api'],
  'src/db': [...common, 'src/api', 'migrations/index.ts'],
  'src/blobs': [...common, 'src/api', 'src/dist-folder.ts'],
  'src/access': [...common, 'src/api', 'src/db'],
  ...Object.fromEntries(
    Object.entries(subjects).map(([subject, others]) => [
      `src/${subject}`,
      [...forSubjects, ...others.map(other => `src/${other}`)],
    ]),
  ),
  'src/http': [...forSubjects, ...Object.keys(subjects).map(subject => `src/${subject}`)],
  'src/commands': ['src'],
  bin: [
    'src/api',
    'src/commands',
    'src/config-options.ts',
    'src/base/process-context.ts',
    'src/version.ts',
    'terminal',
    'cli',
  ],
  build: [],
  web: ['src/api'],
  'web/visit': ['src/api', 'web/base.css', 'web/items', 'web/lib', 'web/ui', 'web/viewer'],
  terminal: ['src/api', 'src/base/process-context.ts'],
  cli: ['src/api', 'src/base/process-context.ts', 'src/base/semaphore.ts', 'terminal'],
  migrations: [],
}

/** Folder → packages that it may import; folders that are not listed may import any. */
const packages: Record<string, readonly string[]> = { 'src/api': ['zod/mini'], migrations: ['sequelize'] }

/** The first import cycle found from each file that closes one: `a → b → a`. */
function findCircles(importsOf: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path)
    if (start >= 0) circles.push([...way.slice(start), path].join(' → '))
    if (start >= 0 || done.has(path)) return
    for (const name of importsOf.get(path) ?? []) visit(name, [...way, path])
    done.add(path)
  }
  for (const path of importsOf.keys()) visit(path, [])
  return circles
}

describe('imports', () => {
  test.each(Object.entries(allowed))('%s imports only the allowed folders of our own', (folder, targets) => {
    const wrong = sources
      .filter(({ path }) => inside(path, [folder]))
      .flatMap(({ path, imports }) =>
        imports
          .filter(isOwn)
          .filter(name => !inside(name, [folder, ...targets]))
          .map(name => `${path} → ${name}`),
      )
    expect(wrong).toEqual([])
  })

  test.each(Object.entries(packages))('%s imports no other packages', (folder, names) => {
    const wrong = sources
      .filter(({ path }) => inside(path, [folder]))
      .flatMap(({ path, imports }) =>
        imports.filter(name => !isOwn(name) && !names.includes(name)).map(name => `${path} → ${name}`),
      )
    expect(wrong).toEqual([])
  })

  test('no file imports itself through others, types included', () => {
    expect(findCircles(new Map(sources.map(({ path, imports }) => [path, imports])))).toEqual([])
  })

  test('only src/http imports koa', () => {
    const users = sources.filter(({ imports }) => imports.some(name => /^(@koa\/|koa)/.test(name)))
    expect(users.map(({ path }) => path).filter(path => !inside(path, ['src/http', 'test']))).toEqual([])
  })

  test("the visitor's page knows no account, and nothing else of the web imports it", () => {
    const accounts = /^web\/lib\/server\/(auth-store|call|session|permissions|query-client)\.ts$/
    const wrong = sources.flatMap(({ path, imports }) =>
      imports
        .filter(name => (inside(path, ['web/visit']) ? accounts.test(name) : inside(name, ['web/visit'])))
        .map(name => `${path} → ${name}`),
    )
    expect(wrong).toEqual([])
  })

  test('a web screen imports no other screen, and web/ui imports nothing of our own', () => {
    const screenOf = (path: string) => /^web\/screens\/([^/]+)/.exec(path)?.[1]
    const wrong = sources.flatMap(({ path, imports }) =>
      imports
        .filter(name => {
          const crossesScreens =
            screenOf(path) !== undefined && screenOf(name) !== undefined && screenOf(path) !== screenOf(name)
          const leavesUi = inside(path, ['web/ui']) && isOwn(name) && !inside(name, ['web/ui'])
          return crossesScreens || leavesUi
        })
        .map(name => `${path} → ${name}`),
    )
    expect(wrong).toEqual([])
  })
})

/** The files in these folders whose text matches, except for the allowed ones. */
const holders = (pattern: RegExp, folders: readonly string[], except: readonly string[]): string[] =>
  sources
    .filter(({ path, text }) => inside(path, folders) && !inside(path, except) && pattern.test(text))
    .map(({ path }) => path)

describe('places', () => {
  const product = ['cli', 'migrations', 'src', 'terminal', 'web']

  test('only db/write.ts begins transactions', () => {
    expect(holders(/\bCOMMIT\b|\.transaction\(/, ['src'], ['src/db/write.ts', 'src/db/run-migrations.ts'])).toEqual([])
  })

  test('only modules that create or change tables load Sequelize, because it doubles the time of a start', () => {
    const names = ['run-migrations', 'restore-tables', 'in-use', 'migration-connection', 'migration-lease']
    const makers = names.map(name => `src/db/${name}.ts`)
    expect(holders(/from 'sequelize'/, ['src'], makers)).toEqual([])
    expect(holders(new RegExp(`^import .*/(${names.join('|')}).ts'`, 'm'), ['src/db'], makers)).toEqual([])
  })

  test('events are never changed, and only the retention deletes them', () => {
    // fsck gives an event another id where no row could be added after it.
    const allowed = ['src/events/retention.ts', 'src/commands/fsck/last-ids.ts']
    expect(holders(/(UPDATE|DELETE FROM|TRUNCATE( TABLE)?) events\b/, ['src'], allowed)).toEqual([])
    expect(holders(/\bupdate\(\s*(\w+\.)?events\b/, ['src'], [])).toEqual([])
  })

  test('only find.ts of a subject looks up its rows by id', () => {
    const tables = {
      files: 'files',
      api_keys: 'keys',
      users: 'users',
      roles: 'roles',
      tags: 'tags',
      metadata_fields: 'metadata',
      user_groups: 'groups',
      shares: 'shares',
    }
    for (const [table, subject] of Object.entries(tables)) {
      const lookUp = new RegExp(`SELECT[^\`']*FROM ${table}\\b[^\`']*WHERE (\\w\\.)?id (=|IN)`)
      // These walk the tree from an item that find.ts has found already.
      const inFiles = ['trash.ts', 'paths.ts', 'find-in-space.ts', 'search/below.ts']
      const walks = ['src/access/reach.ts', ...inFiles.map(name => `src/files/${name}`)]
      const except = [`src/${subject}/find.ts`, ...walks]
      expect(holders(lookUp, ['src'], except)).toEqual([])
    }
  })

  test('only src/access decides whose tree an item is in', () => {
    const comparison = /space_?id\b [!=]== (?!null)|[!=]== *[\w.]*space_?id\b/i
    // `fsck` searches for wrong rows, and a deleted tree may have been transferred meanwhile.
    const except = ['src/access', 'src/commands/fsck', 'src/files/delete/tree.ts']
    expect(holders(comparison, ['src'], except)).toEqual([])
  })

  test('only src/http/query.ts reads the query of an address, because what Koa offers takes time with the square of its length', () => {
    expect(
      holders(/\bctx\.(request\.)?(query|querystring|search|URL)\b|searchParams/, ['src'], ['src/http/query.ts']),
    ).toEqual([])
  })

  test('every export is used in another file', () => {
    const files = new Map<string, number>()
    const words = sources.flatMap(({ text }) => [...new Set(text.match(/\w+/g))])
    for (const word of words) files.set(word, (files.get(word) ?? 0) + 1)
    const exported = /^export (?:async )?(?:const|function|interface|type|class)\*? ?(\w+)/gm
    const unused = sources
      .filter(({ path }) => !inside(path, ['test']))
      .flatMap(({ path, text }) => [...text.matchAll(exported)].map(([, name = '']) => ({ path, name })))
      .filter(({ name }) => (files.get(name) ?? 0) < 2)
    expect(unused).toEqual([])
  })

  test('only src/config.ts and cli/profile.ts read the environment', () => {
    const reading = /process\.env\b|processContext\(\)\.env\b|\benv\b.*= processContext\(\)/
    expect(holders(reading, product, ['src/config.ts', 'cli/profile.ts'])).toEqual([])
  })

  test('only src/blobs/open-store.ts reads the location of the store from the configuration', () => {
    const asking = /\bconfig\.storage\b|\bstorage\b[^}\n]*\}(: (Pick<)?Config\b| = (\w+\.)?config\b)/
    expect(holders(asking, ['src'], ['src/blobs/open-store.ts'])).toEqual([])
  })

  test('commands take streams, platform and exit code from their process context', () => {
    const taking = /\bprocess\.(stdin|stdout|stderr|platform|exitCode|argv|cwd)\b/
    // bin/main.ts is the process itself, and cli/browse takes over the terminal of the process.
    const except = ['bin/main.ts', 'cli/browse']
    expect(holders(taking, ['bin', 'cli', 'terminal'], except)).toEqual([])
  })

  test('console and process.exit are used only in bin, terminal/output.ts and the log of the page', () => {
    expect(
      holders(/\bconsole\.|process\.exit\(/, product, ['terminal/output.ts', 'web/lib/server/log-failure.ts']),
    ).toEqual([])
  })

  test('migrations never use functions that silently rebuild a table', () => {
    expect(holders(/changeColumn|removeColumn|\.sync\(/, ['migrations', 'src/db'], [])).toEqual([])
  })

  test('no file bypasses the type checker', () => {
    expect(
      holders(
        /@ts-(ignore|nocheck|expect-error)|\bas any\b/,
        [...product, 'bin', 'build', 'test'],
        ['test/architecture.test.ts'],
      ),
    ).toEqual([])
  })

  test('no file of the product is longer than 250 lines, and no test longer than 300', () => {
    const lengths = sources.map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    expect(lengths.filter(({ path, lines }) => lines > (path.startsWith('test/') ? 300 : 250))).toEqual([])
  })

  test('every file name is in kebab case', () => {
    const wrong = sources.filter(({ path }) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)+$/.test(basename(path)))
    expect(wrong.map(({ path }) => path)).toEqual([])
  })
})

test('docs/security.md names each test of test/security, and no missing files', () => {
  const document = readFileSync(join(root, 'docs/security.md'), 'utf8')
  const named = [...document.matchAll(/`(test\/[\w./-]+\.test\.ts)`/g)].map(match => match[1] ?? '')
  const paths = sources.map(({ path }) => path)
  expect(named.filter(name => !paths.includes(name))).toEqual([])
  const security = paths.filter(path => inside(path, ['test/security']) && path.endsWith('.test.ts'))
  expect(security.filter(path => !named.includes(path))).toEqual([])
})
