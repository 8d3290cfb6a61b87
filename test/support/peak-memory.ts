/** The peak memory of a Node process that a test started; the process reports it when it ends. */

/**
 * The peak of the process itself, as Linux counts it (proc(5), VmHWM). The value of getrusage(2) would not do, because
 * it may include the peak of the parent process.
 */
const report = `import { readFileSync } from 'node:fs'
process.on('exit', () => {
  const [, kilobytes] = /VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  process.stderr.write('peak=' + kilobytes)
})`

/** The value of NODE_OPTIONS for the process. */
export const peakOption = `--import=data:text/javascript,${encodeURIComponent(report)}`

/** The peak in bytes, from the standard error of such a process. */
export function readPeak(stderr: string): number {
  const [, kilobytes] = /peak=(\d+)$/.exec(stderr) ?? []
  return Number(kilobytes) * 1024
}
