/** Metrics for objects that a test creates beside a running server, because metrics of the same names would collide. */
import { Metrics } from '../../src/base/metrics.ts'
import type { Deps } from '../../src/deps.ts'

export const withOwnFigures = (deps: Deps): Deps => ({ ...deps, metrics: new Metrics() })
