/**
 * Builds the pages: the product's (web/main.tsx) and that of a link's visitors (web/visit/main.tsx). Each gets hashed
 * names, one script for its first load, and one style sheet; all files get compressed twins.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import * as esbuild from 'esbuild'
import { pdfBuild } from './copy-pdf-assets.ts'
import { directImports } from './direct-imports.ts'
import { mergeChunks, type Scripts } from './merge-chunks.ts'
import { noSchemas } from './no-schemas.ts'

export interface Page {
  /** What the page begins with; what it imports lazily comes later. */
  entry: string
  /** The name of its script. */
  script: string
  /** The names of its chunks, which must not be those of the other page. */
  chunks: string
  /** The HTML in `web/`, and its name in `dist/web/`. */
  template: string
  html: string
  /** What the build prints of its size. */
  label: string
  /** gzip'd bytes of JavaScript that its first load may need. */
  budget: number
}

export const pages: readonly Page[] = [
  {
    entry: 'web/main.tsx',
    script: 'main',
    chunks: '[name]-[hash]',
    template: 'index.html',
    html: 'index.html',
    // From sign-in to the file list.
    label: 'first load',
    budget: 200_000,
  },
  {
    entry: 'web/visit/main.tsx',
    script: 'visit',
    chunks: 'visit-[name]-[hash]',
    template: 'visit/index.html',
    html: 'visit.html',
    label: "the visitor's page",
    budget: 130_000,
  },
]

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

export const pageOptions = (root: string, page: Page): esbuild.BuildOptions & { metafile: true } => ({
  absWorkingDir: root,
  entryPoints: { [page.script]: page.entry, favicon: 'web/favicon.svg' },
  outdir: join(root, 'dist/web/assets'),
  bundle: true,
  splitting: true,
  format: 'esm',
  target: browsers,
  entryNames: '[name]-[hash]',
  chunkNames: page.chunks,
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
function firstLoadFiles(outputs: Outputs, entry: string): Set<string> {
  const found = new Set<string>()
  const visit = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === 'import-statement') visit(path)
  }
  for (const [file, { entryPoint }] of Object.entries(outputs)) if (entryPoint === entry) visit(file)
  const sourceOf = (file: string) => Object.keys(outputs[file]?.inputs ?? {}).at(-1) ?? ''
  return new Set([...found].sort((a, b) => sourceOf(a).localeCompare(sourceOf(b))))
}

/**
 * esbuild gives each lazy chunk a style sheet that nothing would load, so all of them become one. What two chunks
 * share is in both: no sheet may rely on coming after another, but for the entry's, which is first.
 */
async function mergeStyles(outputs: Outputs, assets: string, page: Page): Promise<string> {
  const entry = Object.values(outputs).find(({ entryPoint }) => entryPoint === page.entry)?.cssBundle
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
async function writeHtml(root: string, page: Page, outputs: Outputs, style: string, script: string): Promise<void> {
  const names = Object.keys(outputs).map(path => basename(path))
  const pick = (pattern: RegExp) => {
    const name = names.find(candidate => pattern.test(candidate))
    if (name === undefined) throw new Error(`The build has no file like ${pattern}`)
    return `assets/${name}`
  }
  const template = await readFile(join(root, 'web', page.template), 'utf8')
  const preload = template.includes('%PRELOAD%') ? await buildPreload(root) : ''
  const html = template
    .replaceAll('%SCRIPT%', `assets/${script}`)
    .replaceAll('%PRELOAD%', `assets/${preload}`)
    .replaceAll('%STYLE%', `assets/${style}`)
    .replaceAll('%FONT%', pick(/^inter-latin-wght-normal-\w+\.woff2$/))
    .replaceAll('%ICON%', pick(/^favicon-\w+\.svg$/))
  await writeFile(join(root, 'dist/web', page.html), html)
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

/** Merges the style sheets and writes the HTML with the names of this build. */
export async function linkPage(
  root: string,
  page: Page,
  outputs: Outputs,
  script = outputOf(outputs, page.entry),
): Promise<void> {
  await writeHtml(root, page, outputs, await mergeStyles(outputs, join(root, 'dist/web/assets'), page), script)
}

/** A page that is built: its outputs, and where its scripts are now, from the folder of assets. */
interface Merged {
  page: Page
  outputs: Outputs
  main: string
  folder: string
}

/** Writes scripts to a folder of their own, whose name is another whenever any of them changes. */
async function writeScripts(assets: string, scripts: Scripts): Promise<string> {
  const hash = createHash('sha256')
  for (const [name, text] of [...scripts].sort(([a], [b]) => a.localeCompare(b))) hash.update(name).update(text)
  const folder = `js-${hash.digest('hex').slice(0, 8)}`
  await mkdir(join(assets, folder))
  await Promise.all([...scripts].map(([name, text]) => writeFile(join(assets, folder, name), text)))
  return folder
}

/** Makes one script of all that the first load needs, and one of what the lazy parts share besides it. */
async function mergePage(root: string, page: Page, outputs: Outputs): Promise<Merged> {
  const assets = join(root, 'dist/web/assets')
  const isScript = (path: string) => path.endsWith('.js')
  const early = [...firstLoadFiles(outputs, page.entry)].filter(isScript)
  if (early.some(path => outputs[path]?.entryPoint === pdfEntry)) throw new Error(`The PDF viewer is in ${page.label}`)
  const paths = Object.keys(outputs).filter(isScript)
  const common = paths.filter(path => outputs[path]?.entryPoint === undefined && !early.includes(path))
  const namesOf = (list: readonly string[]) => list.map(path => basename(path))
  const read = async (name: string) => [name, await readFile(join(assets, name), 'utf8')] as const
  const scripts = new Map(await Promise.all(namesOf(paths).map(read)))
  await Promise.all(namesOf(paths).map(name => rm(join(assets, name))))
  const main = outputOf(outputs, page.entry)
  const parts = await mergeChunks(scripts, namesOf(common), `${page.script}-parts.js`, browsers)
  const folder = await writeScripts(assets, await mergeChunks(parts, namesOf(early), main, browsers))
  await linkPage(root, page, outputs, `${folder}/${main}`)
  return { page, outputs, main: `${folder}/${main}`, folder }
}

/** Merges and compresses what was built, and fails when a first load has outgrown its budget. */
export async function finishPages(root: string, built: readonly Outputs[]): Promise<void> {
  const merged: Merged[] = []
  for (const [index, page] of pages.entries()) merged.push(await mergePage(root, page, built[index] ?? {}))
  const sizes = await compress(join(root, 'dist/web/assets'))
  const kilobytes = (name: string) => ((sizes.get(name) ?? 0) / 1000).toFixed(1)
  for (const { page, outputs, main, folder } of merged) {
    const pdfViewer = kilobytes(`${folder}/${outputOf(outputs, pdfEntry)}`)
    console.log(`web: ${page.label} ${kilobytes(main)} kB of JavaScript (gzip), budget ${page.budget / 1000} kB`)
    console.log(`web: what its lazy parts share ${kilobytes(`${folder}/${page.script}-parts.js`)} kB`)
    console.log(`web: the PDF viewer is not in it: ${pdfViewer} kB of its own`)
  }
  const over = merged.filter(({ page, main }) => (sizes.get(main) ?? 0) > page.budget)
  if (over.length > 0) throw new Error(`Over its budget: ${over.map(({ page }) => page.label).join(', ')}`)
}
