/** How much memory the client takes for a large file, both ways. */
import { open } from 'node:fs/promises'
import { startServer } from '../support/server.ts'
import { openUserTerminal } from './signed-in.ts'
import { runCli } from './terminal.ts'

/** Bytes; what a transfer of any size may take. */
export const maxClientMemory = 150 * 1024 ** 2

/** Reports the peak of its own resident memory, in kilobytes, as the process ends. */
const reportPeak = 'process.on("exit",()=>process.stderr.write("peak="+process.resourceUsage().maxRSS))'

interface MemoryPeaks {
  /** Bytes. */
  upload: number
  download: number
  /** Exit codes, of the upload and the download. */
  codes: (number | undefined)[]
}

function readPeak(stderr: string): number {
  const [, kilobytes] = /peak=(\d+)$/.exec(stderr) ?? []
  return Number(kilobytes) * 1024
}

/** Sends a sparse file of that many bytes to a server of its own and fetches it again. */
export async function measureTransfers(size: number): Promise<MemoryPeaks> {
  const server = await startServer({ maxFileSize: '5GB' })
  try {
    const { terminal } = await openUserTerminal(server)
    const file = await open(terminal.path('large.bin'), 'w')
    await file.truncate(size)
    await file.close()
    terminal.env.NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(reportPeak)}`
    const upload = await runCli(terminal, ['upload', 'large.bin'])
    const download = await runCli(terminal, ['download', '/large.bin', 'back.bin'])
    return {
      upload: readPeak(upload.stderr),
      download: readPeak(download.stderr),
      codes: [upload.code, download.code],
    }
  } finally {
    await server.close()
  }
}
