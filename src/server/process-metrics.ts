/** What the process itself takes: memory, processor, open files, and how long its loop lets others wait. */
import { readdir } from 'node:fs/promises'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metrics } from '../base/metrics.ts'
import { version } from '../version.ts'

/** ms between two samples of the loop's delay. */
const resolution = 100
const nanoseconds = 1e9

/** Measured from the first time that somebody asks, so that a server without Prometheus pays nothing for it. */
function addLoopDelay(metrics: Metrics): void {
  const lag = metrics.gauge(
    'nodejs_eventloop_lag_seconds',
    'How late the event loop was since this was asked for last, by quantile; 1 is the longest',
    ['quantile'],
    'max',
  )
  let delays: IntervalHistogram | undefined
  const inSeconds = (value: number) => Math.max(0, value / nanoseconds - resolution / 1000)
  metrics.beforeText(() => {
    if (delays === undefined) {
      delays = monitorEventLoopDelay({ resolution })
      delays.enable()
      return
    }
    // Nothing was sampled yet where there is no count; the histogram's own values mean nothing then.
    const told = (percent: number) => inSeconds(delays?.count === 0 ? 0 : (delays?.percentile(percent) ?? 0))
    lag.set(told(50), '0.5')
    lag.set(told(99), '0.99')
    lag.set(told(100), '1')
    delays.reset()
  })
}

/** Adds them under the names that Prometheus' own clients use. */
export function addProcessMetrics(metrics: Metrics): void {
  metrics.gauge('filestore_info', 'The version that runs', ['version'], 'max').set(1, version)
  const started = metrics.gauge(
    'process_start_time_seconds',
    'When the process started, in seconds since 1970',
    [],
    'min',
  )
  started.set(Math.round((Date.now() / 1000 - process.uptime()) * 1000) / 1000)
  const resident = metrics.gauge('process_resident_memory_bytes', 'Memory that the process takes')
  const heap = metrics.gauge('nodejs_heap_size_used_bytes', 'Memory of live objects')
  const cpu = metrics.counter('process_cpu_seconds_total', 'Processor time, of user and system')
  const files = metrics.gauge('process_open_fds', 'Open files and connections; 0 where the system does not tell')
  metrics.beforeText(async () => {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed } = process.memoryUsage()
    resident.set(rss)
    heap.set(heapUsed)
    cpu.set((user + system) / 1e6)
    files.set(
      await readdir('/proc/self/fd').then(
        names => names.length,
        () => 0,
      ),
    )
  })
  addLoopDelay(metrics)
}
