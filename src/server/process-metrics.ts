/** Metrics of the process itself: memory, CPU time, open files, and event loop delay. */
import { readdir } from 'node:fs/promises'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge } from 'prom-client'
import type { Metrics } from '../base/metrics.ts'
import { version } from '../version.ts'

/** ms between two samples of the event loop delay. */
const resolution = 100
const nanoseconds = 1e9

/** Measured from the first collection on, so that a server without Prometheus has no overhead. */
function addLoopDelay(metrics: Metrics): void {
  let delays: IntervalHistogram | undefined
  const inSeconds = (value: number) => Math.max(0, value / nanoseconds - resolution / 1000)
  new Gauge({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'How late the event loop was since this was asked for last, by quantile; 1 is the longest',
    labelNames: ['quantile'],
    aggregator: 'max',
    registers: [metrics],
    collect() {
      if (delays === undefined) {
        delays = monitorEventLoopDelay({ resolution })
        delays.enable()
        return
      }
      for (const quantile of [0.5, 0.99, 1]) {
        // Without a sample the histogram's values mean nothing.
        this.set({ quantile }, inSeconds(delays.count === 0 ? 0 : delays.percentile(quantile * 100)))
      }
      delays.reset()
    },
  })
}

/** Adds them under the names of Prometheus' own client libraries. */
export function addProcessMetrics(metrics: Metrics): void {
  const registers = [metrics]
  new Gauge({
    name: 'filestore_info',
    help: 'The version that runs',
    labelNames: ['version'],
    aggregator: 'max',
    registers,
  }).set({ version }, 1)
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds since 1970',
    aggregator: 'min',
    registers,
  }).set(Math.round((Date.now() / 1000 - process.uptime()) * 1000) / 1000)
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory that the process takes',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  new Gauge({
    name: 'nodejs_heap_size_used_bytes',
    help: 'Memory of live objects',
    registers,
    collect() {
      this.set(process.memoryUsage().heapUsed)
    },
  })
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time, of user and system',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
  new Gauge({
    name: 'process_open_fds',
    help: 'Open files and connections; 0 where the system does not tell',
    registers,
    async collect() {
      const names = await readdir('/proc/self/fd').catch(() => [])
      this.set(names.length)
    },
  })
  addLoopDelay(metrics)
}
