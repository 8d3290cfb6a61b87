/** The most memory that a Node process of a test's own has held, told by itself as it ends. */

/**
 * Of its own memory since it was started, as Linux counts it (proc(5), VmHWM); what getrusage(2) tells may be that of
 * the process that started it, which is carried over.
 */
const report = `import { readFileSync } from 'node:fs'
process.on('exit', () => {
  const [, kilobytes] = /VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  process.stderr.write('peak=' + kilobytes)
})`

/** For NODE_OPTIONS of the process. */
export const peakOption = `--import=data:text/javascript,${encodeURIComponent(report)}`

/** Bytes, from what such a process has written to its standard error. */
export function readPeak(stderr: string): number {
  const [, kilobytes] = /peak=(\d+)$/.exec(stderr) ?? []
  return Number(kilobytes) * 1024
}
