/** Builds the page: web/ → dist/web with hashed names, one style sheet, and compressed twins beside each file. */
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import * as esbuild from 'esbuild'
import { pdfBuild } from './copy-pdf-assets.ts'
import { directImports } from './direct-imports.ts'
import { mergeFirstLoad } from './merge-first-load.ts'
import { noSchemas } from './no-schemas.ts'

/** gzip'd bytes of JavaScript that a first load may need, from sign-in to the file list. */
const firstLoadBudget = 200_000
/** What the page begins with; what it imports lazily comes later. */
const pageEntry = 'web/main.tsx'
/** What no first load may hold: the PDF viewer is a chunk of its own. */
const pdfEntry = 'web/viewer/pdf/pdf-viewer.tsx'
const compressible = /\.(m?js|css|svg|json|wasm|ttf)$/

const browsers = ['chrome111', 'firefox115', 'safari16.4']

/** Leaves the texts of the API's document out of the page: esbuild drops calls of an empty function. */
const noTexts: esbuild.Plugin = {
  name: 'no-texts',
  setup: build => {
    build.onLoad({ filter: /src\/api\/about\.ts$/ }, () => ({ contents: 'export function about() {}' }))
  },
}

export const pageOptions = (root: string): esbuild.BuildOptions & { metafile: true } => ({
  absWorkingDir: root,
  entryPoints: { main: pageEntry, favicon: 'web/favicon.svg' },
  outdir: join(root, 'dist/web/assets'),
  bundle: true,
  splitting: true,
  format: 'esm',
  target: browsers,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.woff2': 'file', '.svg': 'copy', '.md': 'text' },
  jsx: 'automatic',
  alias: { 'pdfjs-dist': `${pdfBuild}/pdf.min.mjs` },
  minify: true,
  legalComments: 'inline',
  metafile: true,
  plugins: [directImports(root), noTexts, noSchemas],
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
})

type Outputs = esbuild.Metafile['outputs']

/**
 * The chunks that the browser needs for the first page: the entry's, with all that it imports. They are ordered by
 * their sources: gzip looks back 32 kB, so it finds more in common between neighbours that are alike.
 */
function firstLoadFiles(outputs: Outputs): Set<string> {
  const found = new Set<string>()
  const visit = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === 'import-statement') visit(path)
  }
  for (const [file, { entryPoint }] of Object.entries(outputs)) if (entryPoint === pageEntry) visit(file)
  const sourceOf = (file: string) => Object.keys(outputs[file]?.inputs ?? {}).at(-1) ?? ''
  return new Set([...found].sort((a, b) => sourceOf(a).localeCompare(sourceOf(b))))
}

/**
 * esbuild gives each lazy chunk a style sheet that nothing would load, so all of them become one. What two chunks
 * share is in both: no sheet may rely on coming after another, but for the entry's, which is first.
 */
async function mergeStyles(outputs: Outputs, assets: string): Promise<string> {
  const entry = Object.values(outputs).find(({ entryPoint }) => entryPoint === pageEntry)?.cssBundle
  const names = Object.keys(outputs).filter(name => name.endsWith('.css'))
  names.sort((a, b) => Number(b === entry) - Number(a === entry) || a.localeCompare(b))
  const files = names.map(name => join(assets, basename(name)))
  const all = (await Promise.all(files.map(file => readFile(file, 'utf8')))).join('')
  // Of rules that stand there several times the last one is kept, so that none changes its place among the others.
  const { code: css } = await esbuild.transform(all, { loader: 'css', minify: true, target: browsers })
  await Promise.all(files.map(file => rm(file)))
  const merged = `style-${createHash('sha256').update(css).digest('hex').slice(0, 8)}.css`
  await writeFile(join(assets, merged), css)
  return merged
}

/** Builds the preload script by itself: a chunk shared with other scripts would have to load before it. */
async function buildPreload(root: string): Promise<string> {
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['web/preload-data.ts'],
    outdir: join(root, 'dist/web/assets'),
    bundle: true,
    format: 'iife',
    target: browsers,
    entryNames: '[name]-[hash]',
    minify: true,
    metafile: true,
    logLevel: 'warning',
  })
  return outputOf(metafile.outputs, 'web/preload-data.ts')
}

/** `script`: the page's first script, from the folder of assets. */
async function writeIndex(root: string, outputs: Outputs, style: string, script: string): Promise<void> {
  const names = Object.keys(outputs).map(path => basename(path))
  const pick = (pattern: RegExp) => {
    const name = names.find(candidate => pattern.test(candidate))
    if (name === undefined) throw new Error(`The build has no file like ${pattern}`)
    return `assets/${name}`
  }
  const html = (await readFile(join(root, 'web/index.html'), 'utf8'))
    .replaceAll('%SCRIPT%', `assets/${script}`)
    .replaceAll('%PRELOAD%', `assets/${await buildPreload(root)}`)
    .replaceAll('%STYLE%', `assets/${style}`)
    .replaceAll('%FONT%', pick(/^inter-latin-wght-normal-\w+\.woff2$/))
    .replaceAll('%ICON%', pick(/^favicon-\w+\.svg$/))
  await writeFile(join(root, 'dist/web/index.html'), html)
}

/** Writes a .br and a .gz beside each file that gains by it; gives back the gzip'd size by file name. */
async function compress(folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  await Promise.all(
    (await readdir(folder, { recursive: true }))
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

/** The name of the output that an entry became. */
function outputOf(outputs: Outputs, entry: string): string {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)
  if (found === undefined) throw new Error(`The build has no output for ${entry}`)
  return basename(found[0])
}

/** Merges the style sheets and writes index.html with the names of this build. */
export async function linkPage(root: string, outputs: Outputs, script = outputOf(outputs, pageEntry)): Promise<void> {
  await writeIndex(root, outputs, await mergeStyles(outputs, join(root, 'dist/web/assets')), script)
}

/** Merges and compresses what was built, and fails when the first load has outgrown its budget. */
export async function finishPage(root: string, outputs: Outputs): Promise<void> {
  const assets = join(root, 'dist/web/assets')
  const early = new Set([...firstLoadFiles(outputs)].map(path => basename(path)).filter(name => name.endsWith('.js')))
  const pdfViewer = outputOf(outputs, pdfEntry)
  if (early.has(pdfViewer)) throw new Error('The first load holds the PDF viewer')
  const scripts = Object.keys(outputs).filter(name => name.endsWith('.js'))
  const lazy = scripts.map(path => basename(path)).filter(name => !early.has(name))
  const { main, folder } = await mergeFirstLoad(assets, outputOf(outputs, pageEntry), early, lazy, browsers)
  await linkPage(root, outputs, main)
  const sizes = await compress(assets)
  const kilobytes = (name: string) => ((sizes.get(name) ?? 0) / 1000).toFixed(1)
  console.log(`web: first load ${kilobytes(main)} kB of JavaScript (gzip), budget ${firstLoadBudget / 1000} kB`)
  console.log(`web: the PDF viewer is not in it: ${kilobytes(`${folder}/${pdfViewer}`)} kB of its own`)
  if ((sizes.get(main) ?? 0) > firstLoadBudget) throw new Error('The first load is over its budget')
}
