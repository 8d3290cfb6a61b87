/** Counts requests by call, and uploads and downloads with their bytes. */
import { Counter, Gauge, Histogram } from 'prom-client'
import { archiveFolder, archiveItems, downloadFile, previewFile } from '../api/content.ts'
import type { Metrics } from '../base/metrics.ts'
import type { AnyEndpoint } from '../route.ts'

/** Seconds: reading a row by id takes the first, a large upload the last. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600]
/** All other methods count as one. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']
const downloads: readonly AnyEndpoint[] = [downloadFile, previewFile, archiveFolder, archiveItems]

interface CountedRequest {
  method: string
  /** A path pattern, of which there are few. */
  route: string
  /** Undefined when the request is not an API call. */
  endpoint: AnyEndpoint | undefined
  status: number
  ms: number
  /** Files that the request has stored. */
  uploaded: number
  bytesIn: number
  bytesOut: number
}

interface RequestMetrics {
  begin(): void
  end(request: CountedRequest): void
}

/** Adds the metrics of requests. */
export function addRequestMetrics(metrics: Metrics): RequestMetrics {
  const registers = [metrics]
  const count = (name: string, help: string) => new Counter({ name, help, registers })
  const underWay = new Gauge({
    name: 'filestore_http_requests_under_way',
    help: 'Requests whose answer has not ended',
    registers,
  })
  const requests = new Counter({
    name: 'filestore_http_requests_total',
    help: 'Requests',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'filestore_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['method', 'route'],
    buckets,
    registers,
  })
  const uploads = count('filestore_uploads_total', 'Files that came in')
  const uploadedBytes = count('filestore_upload_bytes_total', 'Bytes of the requests that brought them')
  const sent = count('filestore_downloads_total', 'Answers with content: downloads, ranges, previews, ZIP files')
  const sentBytes = count('filestore_download_bytes_total', 'Bytes of these answers')
  return {
    begin: () => underWay.inc(),
    end: ({ method: given, route, endpoint, status, ms, uploaded, bytesIn, bytesOut }) => {
      const method = methods.includes(given) ? given : 'other'
      underWay.dec()
      requests.inc({ method, route, status: `${Math.floor(status / 100)}xx` })
      seconds.observe({ method, route }, ms / 1000)
      if (uploaded > 0) {
        uploads.inc(uploaded)
        uploadedBytes.inc(bytesIn)
      }
      const isContent = (status === 200 || status === 206) && method !== 'HEAD'
      if (isContent && endpoint !== undefined && downloads.includes(endpoint)) {
        sent.inc()
        sentBytes.inc(bytesOut)
      }
    },
  }
}
