/** Builds dist/: the binary from bin/main.ts and, under dist/web, the page with hashed names and compressed twins. */
import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import * as esbuild from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const webDist = join(dist, 'web')
/** gzip'd bytes of JavaScript that a first load may need, from sign-in to the file list. */
const firstLoadBudget = 250_000
const compressible = /\.(js|css|svg|json)$/

const server: esbuild.BuildOptions = {
  absWorkingDir: root,
  entryPoints: { main: 'bin/main.ts' },
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  chunkNames: 'chunks/[name]-[hash]',
  sourcemap: true,
  logLevel: 'warning',
}

const web: esbuild.BuildOptions = {
  absWorkingDir: root,
  entryPoints: { main: 'web/main.tsx' },
  outdir: join(webDist, 'assets'),
  bundle: true,
  splitting: true,
  format: 'esm',
  target: ['chrome111', 'firefox115', 'safari16.4'],
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.woff2': 'file', '.svg': 'file', '.png': 'file' },
  jsx: 'automatic',
  minify: true,
  metafile: true,
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
}

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

async function writeIndex(outputs: Outputs): Promise<void> {
  const names = Object.keys(outputs).map(path => basename(path))
  const pick = (pattern: RegExp) => {
    const name = names.find(candidate => pattern.test(candidate))
    if (name === undefined) throw new Error(`The build has no file like ${pattern}`)
    return `assets/${name}`
  }
  const html = (await readFile(join(root, 'web/index.html'), 'utf8'))
    .replaceAll('%SCRIPT%', pick(/^main-\w+\.js$/))
    .replaceAll('%STYLE%', pick(/^main-\w+\.css$/))
    .replaceAll('%FONT%', pick(/^inter-latin-wght-normal-\w+\.woff2$/))
  await writeFile(join(webDist, 'index.html'), html)
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

async function finishWeb(outputs: Outputs): Promise<void> {
  await writeIndex(outputs)
  const sizes = await compress(join(webDist, 'assets'))
  const scripts = [...firstLoadFiles(outputs)].map(path => basename(path)).filter(name => name.endsWith('.js'))
  const total = scripts.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
  console.log(
    `web: first load ${(total / 1000).toFixed(1)} kB of JavaScript (gzip), budget ${firstLoadBudget / 1000} kB`,
  )
  if (total > firstLoadBudget) throw new Error('The first load is over its budget')
}

async function build(): Promise<void> {
  await rm(dist, { recursive: true, force: true })
  await mkdir(join(webDist, 'assets'), { recursive: true })
  const [, page] = await Promise.all([esbuild.build(server), esbuild.build({ ...web, metafile: true })])
  await finishWeb(page.metafile.outputs)
}

/** Rebuilds and restarts `filestore serve` whenever a source changes; arguments behind `--watch` go to serve. */
async function watch(serveArguments: string[]): Promise<void> {
  let running: ReturnType<typeof spawn> | undefined
  const restart = () => {
    running?.kill('SIGTERM')
    running = spawn(process.execPath, [join(root, 'bin/filestore.cjs'), 'serve', ...serveArguments], {
      stdio: 'inherit',
    })
  }
  const onEnd = (name: string, finish: (result: esbuild.BuildResult) => Promise<void> | void): esbuild.Plugin => ({
    name,
    setup: hook => hook.onEnd(result => (result.errors.length === 0 ? finish(result) : undefined)),
  })
  await build()
  restart()
  const contexts = await Promise.all([
    esbuild.context({ ...server, plugins: [onEnd('restart', restart)] }),
    esbuild.context({ ...web, plugins: [onEnd('page', result => writeIndex(result.metafile?.outputs ?? {}))] }),
  ])
  await Promise.all(contexts.map(context => context.watch()))
  console.log(`watching ${relative(process.cwd(), root) || '.'}`)
}

const [mode, ...rest] = process.argv.slice(2)
await (mode === '--watch' ? watch(rest) : build())
