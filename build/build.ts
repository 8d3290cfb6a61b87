/** Builds dist/: the binary from bin/main.ts and, under dist/web, the pages; with `--watch` again at each change. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { finishPages, linkPage, pageOptions, pages } from './build-page.ts'
import { noteBuilt } from './built-from.ts'
import { copyPdfAssets } from './copy-pdf-assets.ts'
import { writeNotices } from './write-notices.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')

const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { dependencies: object }

/** What Ink asks for only when it is itself debugged, and Sequelize only for PostgreSQL. */
const neverLoaded = ['react-devtools-core', 'ws', 'pg-hstore']

const server: esbuild.BuildOptions & { metafile: true } = {
  absWorkingDir: root,
  entryPoints: {
    main: 'bin/main.ts',
    'draw-thumbnail': 'src/files/thumbnail/draw.ts',
    'hash-thread': 'src/blobs/hash-thread.ts',
  },
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // What is no dependency is bundled: the server starts in two thirds of the time, the terminal browser in a third.
  external: [...Object.keys(dependencies), ...neverLoaded],
  alias: {
    'iconv-lite': './build/no-iconv.ts',
    '@opentelemetry/api': './build/no-tracing.ts',
    '@rushstack/ts-command-line': './build/no-command-line.ts',
    undici: './build/undici-requests.mjs',
    // Of a table of types as large as a third of the server one copy is enough; some ask for an older one.
    'mime-db': './node_modules/mime-db/index.js',
  },
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  // Bundled CommonJS asks for Node's own modules by `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  chunkNames: 'chunks/[name]-[hash]',
  sourcemap: true,
  metafile: true,
  logLevel: 'warning',
}

async function prepareFolders(): Promise<void> {
  await rm(dist, { recursive: true, force: true })
  await mkdir(join(dist, 'web/assets'), { recursive: true })
  await copyPdfAssets(root)
}

async function build(): Promise<void> {
  await prepareFolders()
  const [{ metafile }, ...built] = await Promise.all([
    esbuild.build(server),
    ...pages.map(page => esbuild.build(pageOptions(root, page))),
  ])
  await finishPages(
    root,
    built.map(page => page.metafile.outputs),
  )
  await writeNotices(root, [metafile, ...built.map(page => page.metafile)])
  await noteBuilt(root)
}

/** Rebuilds and restarts `filestore serve` whenever a source changes; arguments behind `--watch` go to serve. */
async function watch(serveArguments: string[]): Promise<void> {
  const command = [join(root, 'bin/filestore.cjs'), 'serve', ...serveArguments]
  let running: ReturnType<typeof spawn> | undefined
  let restarted: Promise<void> = Promise.resolve()
  async function restart(): Promise<void> {
    if (running !== undefined && running.exitCode === null) {
      running.kill('SIGTERM')
      // Its port is free when it has gone.
      await once(running, 'exit')
    }
    running = spawn(process.execPath, command, { stdio: 'inherit' })
  }
  const built = new Set<string>()
  const afterBuild = (part: string, finish: (result: esbuild.BuildResult) => Promise<void>): esbuild.Plugin => ({
    name: part,
    setup: hook =>
      hook.onEnd(async result => {
        if (result.errors.length > 0) return
        await finish(result)
        built.add(part)
        // The server reads the pages when it starts, so it needs all parts first.
        if (built.size === 1 + pages.length) restarted = restarted.then(restart)
      }),
  })
  await prepareFolders()
  const contexts = await Promise.all([
    esbuild.context({ ...server, plugins: [afterBuild('server', async () => undefined)] }),
    ...pages.map(page =>
      esbuild.context({
        ...pageOptions(root, page),
        plugins: [afterBuild(page.script, ({ metafile }) => linkPage(root, page, metafile?.outputs ?? {}))],
      }),
    ),
  ])
  await Promise.all(contexts.map(context => context.watch()))
}

const [mode, ...rest] = process.argv.slice(2)
await (mode === '--watch' ? watch(rest) : build())
