/** Counts requests by call, and uploads and downloads with their bytes. */
import { archiveFolder, archiveItems, downloadFile, previewFile, uploadFile } from '../api/files.ts'
import type { Metrics } from '../base/metrics.ts'
import type { AnyEndpoint } from '../route.ts'

/** Seconds: a row by id takes the first of them, a large upload the last. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600]
/** Whatever else somebody sends counts as one. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']
const downloads: readonly AnyEndpoint[] = [downloadFile, previewFile, archiveFolder, archiveItems]

interface CountedRequest {
  method: string
  /** A pattern, of which there are few. */
  route: string
  /** Undefined for what is no call. */
  endpoint: AnyEndpoint | undefined
  status: number
  ms: number
  bytesIn: number
  bytesOut: number
}

interface RequestMetrics {
  begin(): void
  end(request: CountedRequest): void
}

/** Adds the figures of requests. */
export function addRequestMetrics(metrics: Metrics): RequestMetrics {
  const underWay = metrics.gauge('filestore_http_requests_under_way', 'Requests whose answer has not ended')
  const requests = metrics.counter('filestore_http_requests_total', 'Requests', ['method', 'route', 'status'])
  const seconds = metrics.histogram(
    'filestore_http_request_duration_seconds',
    'Time from the head of a request to the end of its answer',
    buckets,
    ['method', 'route'],
  )
  const uploads = metrics.counter('filestore_uploads_total', 'Files that came in')
  const uploaded = metrics.counter('filestore_upload_bytes_total', 'Bytes of the requests that brought them')
  const sent = metrics.counter(
    'filestore_downloads_total',
    'Answers with content: downloads, ranges, previews, ZIP files',
  )
  const sentBytes = metrics.counter('filestore_download_bytes_total', 'Bytes of these answers')
  return {
    begin: () => underWay.add(1),
    end: ({ method: given, route, endpoint, status, ms, bytesIn, bytesOut }) => {
      const method = methods.includes(given) ? given : 'other'
      underWay.add(-1)
      requests.add(1, method, route, `${Math.floor(status / 100)}xx`)
      seconds.observe(ms / 1000, method, route)
      if (endpoint === uploadFile && status === 201) {
        uploads.add(1)
        uploaded.add(bytesIn)
      }
      const isContent = (status === 200 || status === 206) && method !== 'HEAD'
      if (isContent && endpoint !== undefined && downloads.includes(endpoint)) {
        sent.add(1)
        sentBytes.add(bytesOut)
      }
    },
  }
}
