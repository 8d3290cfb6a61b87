/** The server's metrics for Prometheus. */
import { type Metric, Registry } from 'prom-client'

/** The registry. When a metric's `collect` throws, it keeps its last value, and the others are still served. */
export class Metrics extends Registry {
  override registerMetric<Label extends string>(metric: Metric<Label> & { collect?: () => unknown }): void {
    const { collect } = metric
    const look = async () => collect?.call(metric)
    if (collect !== undefined) metric.collect = () => look().catch(() => undefined)
    super.registerMetric(metric)
  }
}
