/** Measures the client's memory during the upload and the download of a large file. */
import { open } from 'node:fs/promises'
import { peakOption, readPeak } from '../support/peak-memory.ts'
import { startServer } from '../support/server.ts'
import { openUserTerminal } from './signed-in.ts'
import { spawnCli } from './terminal.ts'

/** Bytes that a transfer of any size may use. */
export const maxClientMemory = 150 * 1024 ** 2

interface MemoryPeaks {
  /** Peak memory in bytes. */
  upload: number
  download: number
  /** Exit codes of the upload and the download. */
  codes: (number | undefined)[]
}

/** Uploads a sparse file of this many bytes to a new server, and downloads it again. */
export async function measureTransfers(size: number): Promise<MemoryPeaks> {
  const server = await startServer({ maxFileSize: '5GB' })
  try {
    const { terminal } = await openUserTerminal(server)
    const file = await open(terminal.path('large.bin'), 'w')
    await file.truncate(size)
    await file.close()
    terminal.env.NODE_OPTIONS = peakOption
    const upload = await spawnCli(terminal, ['upload', 'large.bin'])
    const download = await spawnCli(terminal, ['download', '/large.bin', 'back.bin'])
    return {
      upload: readPeak(upload.stderr),
      download: readPeak(download.stderr),
      codes: [upload.code, download.code],
    }
  } finally {
    await server.close()
  }
}
