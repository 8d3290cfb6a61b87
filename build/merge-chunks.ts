/**
 * esbuild makes a chunk for each set of parts that share a file, so a page would be a hundred small requests. A second
 * pass makes one file of several chunks; the others then take what they share with it from there.
 */
import * as esbuild from 'esbuild'

/** Texts of scripts by their names; all are in one folder. */
export type Scripts = ReadonlyMap<string, string>

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

/** By merged chunk and name: the name under which the merged file gives away what the others take. A short one. */
type Shared = Map<string, Map<string, string>>

function nameShared(others: Scripts, chunks: readonly string[]): Shared {
  const shared: Shared = new Map(chunks.map(chunk => [chunk, new Map()]))
  let count = 0
  for (const text of others.values()) {
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

/** A file that takes from the merged one what it took from its chunks. */
const redirect = (text: string, shared: Shared, merged: string): string =>
  text.replace(chunkImport, (whole, word: string, list: string | undefined, chunk: string) => {
    const exported = shared.get(chunk)
    if (exported === undefined) return whole
    if (list === undefined) return `${word}"./${merged}"`
    const names = parseNames(list).map(({ name, local }) => `${exported.get(name)} as ${local}`)
    return `${word}{${names.join(',')}}from"./${merged}"`
  })

/** Lets esbuild read the chunks to be merged; imports of all other scripts stay. */
const fromMemory = (scripts: Scripts, chunks: readonly string[]): esbuild.Plugin => ({
  name: 'from-memory',
  setup: build => {
    build.onResolve({ filter: /^\.\// }, ({ path }) => {
      const name = path.slice('./'.length)
      return chunks.includes(name) ? { path: name, namespace: 'chunk' } : { path, external: true }
    })
    build.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({ contents: scripts.get(path) ?? '' }))
  },
})

/** The scripts with one named `merged` in place of the `chunks`, whose texts it holds in their order. */
export async function mergeChunks(
  scripts: Scripts,
  chunks: readonly string[],
  merged: string,
  target: string[],
): Promise<Scripts> {
  const others = new Map([...scripts].filter(([name]) => !chunks.includes(name)))
  const shared = nameShared(others, chunks)
  const { outputFiles } = await esbuild.build({
    stdin: { contents: [...chunks.map(name => `import"./${name}"`), ...statementsOf(shared)].join('\n') },
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
    target,
    plugins: [fromMemory(scripts, chunks)],
    logLevel: 'warning',
  })
  const redirected = [...others].map(([name, text]) => [name, redirect(text, shared, merged)] as const)
  return new Map([[merged, outputFiles[0]?.text ?? ''], ...redirected])
}
