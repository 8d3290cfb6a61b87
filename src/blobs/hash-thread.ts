/** A worker thread that computes the SHA-256 of what another thread puts into their shared memory; see hash.ts. */
import { createHash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'

const slots = (workerData as SharedArrayBuffer[]).map(memory => new Uint8Array(memory))
const hash = createHash('sha256')

parentPort?.on('message', (filled: { slot: number; size: number } | null) => {
  if (filled === null) {
    parentPort?.postMessage(hash.digest('hex'))
    return
  }
  hash.update(slots[filled.slot]?.subarray(0, filled.size) ?? new Uint8Array())
  parentPort?.postMessage(filled.slot)
})
