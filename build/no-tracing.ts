/**
 * Stands in the bundle for @opentelemetry/api, which is two thirds as large as prom-client: the default metrics of that
 * ask it for traces, and filestore takes neither.
 */
export {}
