/** Builds the page: web/ → dist/web with hashed names, one style sheet, and compressed twins beside each file. */
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type * as esbuild from 'esbuild'

/** gzip'd bytes of JavaScript that a first load may need, from sign-in to the file list. */
const firstLoadBudget = 250_000
const compressible = /\.(js|css|svg|json)$/

export const pageOptions = (root: string): esbuild.BuildOptions & { metafile: true } => ({
  absWorkingDir: root,
  entryPoints: { main: 'web/main.tsx', favicon: 'web/favicon.svg' },
  outdir: join(root, 'dist/web/assets'),
  bundle: true,
  splitting: true,
  format: 'esm',
  target: ['chrome111', 'firefox115', 'safari16.4'],
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.woff2': 'file', '.svg': 'copy' },
  jsx: 'automatic',
  minify: true,
  metafile: true,
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
})

type Outputs = esbuild.Metafile['outputs']

/** The chunks that the browser needs for the first page: the entry, what it imports, and the lazy `files` screen. */
function firstLoadFiles(outputs: Outputs): Set<string> {
  const found = new Set<string>()
  const visit = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === 'import-statement') visit(path)
  }
  for (const [file, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint === 'web/main.tsx' || entryPoint?.startsWith('web/screens/files/')) visit(file)
  }
  return found
}

/**
 * esbuild gives each lazy chunk a style sheet that nothing would load, so all of them become one. What two chunks
 * share stands in it twice: no sheet may rely on coming after another, but for the entry's, which is first.
 */
async function mergeStyles(outputs: Outputs, assets: string): Promise<string> {
  const entry = Object.values(outputs).find(({ entryPoint }) => entryPoint === 'web/main.tsx')?.cssBundle
  const names = Object.keys(outputs).filter(name => name.endsWith('.css'))
  names.sort((a, b) => Number(b === entry) - Number(a === entry) || a.localeCompare(b))
  const files = names.map(name => join(assets, basename(name)))
  const css = (await Promise.all(files.map(file => readFile(file, 'utf8')))).join('')
  await Promise.all(files.map(file => rm(file)))
  const merged = `style-${createHash('sha256').update(css).digest('hex').slice(0, 8)}.css`
  await writeFile(join(assets, merged), css)
  return merged
}

async function writeIndex(root: string, outputs: Outputs, style: string): Promise<void> {
  const names = Object.keys(outputs).map(path => basename(path))
  const pick = (pattern: RegExp) => {
    const name = names.find(candidate => pattern.test(candidate))
    if (name === undefined) throw new Error(`The build has no file like ${pattern}`)
    return `assets/${name}`
  }
  const html = (await readFile(join(root, 'web/index.html'), 'utf8'))
    .replaceAll('%SCRIPT%', pick(/^main-\w+\.js$/))
    .replaceAll('%STYLE%', `assets/${style}`)
    .replaceAll('%FONT%', pick(/^inter-latin-wght-normal-\w+\.woff2$/))
    .replaceAll('%ICON%', pick(/^favicon-\w+\.svg$/))
  await writeFile(join(root, 'dist/web/index.html'), html)
}

/** Writes a .br and a .gz beside each file that gains by it; gives back the gzip'd size by file name. */
async function compress(folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  await Promise.all(
    (await readdir(folder))
      .filter(name => compressible.test(name))
      .map(async name => {
        const file = join(folder, name)
        const bytes = await readFile(file)
        const zipped = await promisify(gzip)(bytes, { level: 9 })
        const brotli = await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } })
        sizes.set(name, zipped.length)
        await Promise.all([writeFile(`${file}.gz`, zipped), writeFile(`${file}.br`, brotli)])
      }),
  )
  return sizes
}

/** Merges the style sheets and writes index.html with the names of this build. */
export async function linkPage(root: string, outputs: Outputs): Promise<void> {
  await writeIndex(root, outputs, await mergeStyles(outputs, join(root, 'dist/web/assets')))
}

/** Compresses what was built and fails when the first load has outgrown its budget. */
export async function finishPage(root: string, outputs: Outputs): Promise<void> {
  await linkPage(root, outputs)
  const sizes = await compress(join(root, 'dist/web/assets'))
  const scripts = [...firstLoadFiles(outputs)].map(path => basename(path)).filter(name => name.endsWith('.js'))
  const total = scripts.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
  console.log(
    `web: first load ${(total / 1000).toFixed(1)} kB of JavaScript (gzip), budget ${firstLoadBudget / 1000} kB`,
  )
  if (total > firstLoadBudget) throw new Error('The first load is over its budget')
}
