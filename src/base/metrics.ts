/** The figures of one server for Prometheus. */
import { type Metric, Registry } from 'prom-client'

/** Holds them. What a figure's `collect` throws leaves it as it stands, and the others are answered. */
export class Metrics extends Registry {
  override registerMetric<Label extends string>(metric: Metric<Label> & { collect?: () => unknown }): void {
    const { collect } = metric
    const look = async () => collect?.call(metric)
    if (collect !== undefined) metric.collect = () => look().catch(() => undefined)
    super.registerMetric(metric)
  }
}
