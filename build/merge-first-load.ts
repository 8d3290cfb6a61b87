/**
 * esbuild makes a chunk for each set of screens that share a file, so a first load would be a hundred small requests.
 * A second pass makes one file of them; the lazy chunks then take what they share with it from there.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as esbuild from 'esbuild'

/** How esbuild writes what one chunk takes from another; names may be renamed on the way. */
const chunkImport = /\b(import|export)(?:\{([^}]*)\}from)?"\.\/([\w.-]+\.js)"/g

interface Names {
  name: string
  /** What it is called in the file that takes it, or is given away as. */
  local: string
}

const parseNames = (list: string): Names[] =>
  list
    .split(',')
    .filter(each => each !== '')
    .map(each => {
      const [name = '', local = name] = each.trim().split(' as ')
      return { name, local }
    })

/** By early chunk and name: the name under which the merged file gives away what lazy files take. A short one. */
type Shared = Map<string, Map<string, string>>

function nameShared(lazy: ReadonlyMap<string, string>, early: ReadonlySet<string>): Shared {
  const shared: Shared = new Map([...early].map(chunk => [chunk, new Map()]))
  let count = 0
  for (const text of lazy.values()) {
    for (const [, , list = '', chunk = ''] of text.matchAll(chunkImport)) {
      const names = shared.get(chunk)
      for (const { name } of parseNames(list)) {
        if (names !== undefined && !names.has(name)) names.set(name, `_${(count++).toString(36)}`)
      }
    }
  }
  return shared
}

const statementsOf = (shared: Shared): string[] =>
  [...shared].flatMap(([chunk, names]) =>
    [...names].map(([name, exported]) => `export{${name} as ${exported}}from"./${chunk}"`),
  )

/** A lazy file that takes from the merged one what it took from the early ones. */
const redirect = (text: string, shared: Shared, merged: string): string =>
  text.replace(chunkImport, (whole, word: string, list: string | undefined, chunk: string) => {
    const exported = shared.get(chunk)
    if (exported === undefined) return whole
    if (list === undefined) return `${word}"./${merged}"`
    const names = parseNames(list).map(({ name, local }) => `${exported.get(name)} as ${local}`)
    return `${word}{${names.join(',')}}from"./${merged}"`
  })

interface MergedLoad {
  /** The one file of the first load, from the folder of assets. */
  main: string
  /** The folder that now holds all scripts: another one whenever any of them changes. */
  folder: string
}

/** `early` (in the order of the one file) and `lazy`: the names of all scripts in `assets`; `entry` is an early one. */
export async function mergeFirstLoad(
  assets: string,
  entry: string,
  early: ReadonlySet<string>,
  lazy: readonly string[],
  target: string[],
): Promise<MergedLoad> {
  const read = async (name: string) => [name, await readFile(join(assets, name), 'utf8')] as const
  const lazyTexts = new Map(await Promise.all(lazy.map(read)))
  const shared = nameShared(lazyTexts, early)
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: [...[...early, entry].map(name => `import"./${name}"`), ...statementsOf(shared)].join('\n'),
      resolveDir: assets,
    },
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
    target,
    external: lazy.map(name => `./${name}`),
    logLevel: 'warning',
  })
  const mainText = outputFiles[0]?.text ?? ''
  const main = basename(entry)
  const files = new Map([
    [main, mainText],
    ...[...lazyTexts].map(([name, text]) => [name, redirect(text, shared, main)] as const),
  ])
  const hash = createHash('sha256')
  for (const [name, text] of [...files].sort(([a], [b]) => a.localeCompare(b))) hash.update(name).update(text)
  const folder = `js-${hash.digest('hex').slice(0, 8)}`
  await mkdir(join(assets, folder))
  await Promise.all([...early, ...lazy].map(name => rm(join(assets, name))))
  await Promise.all([...files].map(([name, text]) => writeFile(join(assets, folder, name), text)))
  return { main: `${folder}/${main}`, folder }
}
