/** Runs the bare server as a process of its own; see bare-server.ts. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const bareScript = join(import.meta.dirname, 'bare-server.ts')

export interface BareServer extends ServerProcess {
  /** The folder of its files. */
  folder: string
}

/**
 * Lends a function that starts bare servers with one folder for files. Their script is compiled to JavaScript there,
 * because a TypeScript loader would add to their time and memory.
 */
export async function withBareStarts<T>(
  use: (start: () => Promise<BareServer>, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'filestore-bare-'))
  const script = join(folder, 'bare-server.mjs')
  // The compiled script resolves its packages from the path of its source.
  const define = { 'import.meta.url': JSON.stringify(pathToFileURL(bareScript).href) }
  try {
    await esbuild.build({ entryPoints: [bareScript], outfile: script, format: 'esm', define })
    return await use(async () => ({ ...(await startServerProcess([script, folder])), folder }), folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Lends one running bare server. */
export const withBareServer = <T>(use: (bare: BareServer) => Promise<T>): Promise<T> =>
  withBareStarts(async start => {
    const bare = await start()
    return use(bare).finally(bare.stop)
  })
