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

/** A name of a chunk under which the merged file gives it away. */
const exported = (chunk: string, name: string): string => `${chunk.replaceAll(/\W/g, '_')}_${name}`

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

/** Every name that the late files take from the early ones, as statements for the merged file. */
function statementsOf(late: ReadonlyMap<string, string>, early: ReadonlySet<string>): Set<string> {
  const found = new Set<string>()
  for (const text of late.values()) {
    for (const [, , list = '', chunk = ''] of text.matchAll(chunkImport)) {
      if (!early.has(chunk)) continue
      for (const { name } of parseNames(list)) found.add(`export{${name} as ${exported(chunk, name)}}from"./${chunk}"`)
    }
  }
  return found
}

/** A late file that takes from the merged one what it took from the early ones. */
const redirect = (text: string, early: ReadonlySet<string>, merged: string): string =>
  text.replace(chunkImport, (whole, word: string, list: string | undefined, chunk: string) => {
    if (!early.has(chunk)) return whole
    if (list === undefined) return `${word}"./${merged}"`
    const names = parseNames(list).map(({ name, local }) => `${exported(chunk, name)} as ${local}`)
    return `${word}{${names.join(',')}}from"./${merged}"`
  })

interface MergedLoad {
  /** The one file of the first load, from the folder of assets. */
  main: string
  /** The folder that now holds all scripts: another one whenever any of them changes. */
  folder: string
}

/** `early` and `late`: the names of all scripts in `assets`; `entry` is the early one that begins. */
export async function mergeFirstLoad(
  assets: string,
  entry: string,
  early: ReadonlySet<string>,
  late: readonly string[],
  target: string[],
): Promise<MergedLoad> {
  const read = async (name: string) => [name, await readFile(join(assets, name), 'utf8')] as const
  const lateTexts = new Map(await Promise.all(late.map(read)))
  const { outputFiles } = await esbuild.build({
    stdin: { contents: [`import"./${entry}"`, ...statementsOf(lateTexts, early)].join('\n'), resolveDir: assets },
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
    target,
    external: late.map(name => `./${name}`),
    logLevel: 'warning',
  })
  const mainText = outputFiles[0]?.text ?? ''
  const main = basename(entry)
  const files = new Map([
    [main, mainText],
    ...[...lateTexts].map(([name, text]) => [name, redirect(text, early, main)] as const),
  ])
  const hash = createHash('sha256')
  for (const [name, text] of [...files].sort(([a], [b]) => a.localeCompare(b))) hash.update(name).update(text)
  const folder = `js-${hash.digest('hex').slice(0, 8)}`
  await mkdir(join(assets, folder))
  await Promise.all([...early, ...late].map(name => rm(join(assets, name))))
  await Promise.all([...files].map(([name, text]) => writeFile(join(assets, folder, name), text)))
  return { main: `${folder}/${main}`, folder }
}
