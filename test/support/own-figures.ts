/** What is made once more beside a server that runs: its figures must not meet those of the server, which bear their names. */
import { Metrics } from '../../src/base/metrics.ts'
import type { Deps } from '../../src/deps.ts'

export const withOwnFigures = (deps: Deps): Deps => ({ ...deps, metrics: new Metrics() })
