/** The bare server as a process of its own; see bare-server.ts. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const bareScript = join(import.meta.dirname, 'bare-server.ts')

export interface BareServer extends ServerProcess {
  /** Where it keeps its files. */
  folder: string
}

/** Lends the bare server, which keeps its files in a folder of its own. */
export async function withBareServer<T>(use: (bare: BareServer) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'filestore-bare-'))
  try {
    const bare = await startServerProcess(['--import', 'tsx', bareScript, folder])
    return await use({ ...bare, folder }).finally(bare.stop)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
