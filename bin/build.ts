/** Builds dist/: the binary from bin/main.ts and, under dist/web, the page; with `--watch` again at each change. */
import { spawn } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { finishPage, linkPage, pageOptions } from './build-page.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')

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

async function build(): Promise<void> {
  await rm(dist, { recursive: true, force: true })
  await mkdir(join(dist, 'web/assets'), { recursive: true })
  const [, page] = await Promise.all([esbuild.build(server), esbuild.build(pageOptions(root))])
  await finishPage(root, page.metafile.outputs)
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
    esbuild.context({
      ...pageOptions(root),
      // The server reads the page once, when it starts.
      plugins: [onEnd('page', result => linkPage(root, result.metafile?.outputs ?? {}).then(restart))],
    }),
  ])
  await Promise.all(contexts.map(context => context.watch()))
  console.log(`watching ${relative(process.cwd(), root) || '.'}`)
}

const [mode, ...rest] = process.argv.slice(2)
await (mode === '--watch' ? watch(rest) : build())
