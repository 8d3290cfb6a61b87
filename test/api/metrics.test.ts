/** /metrics: figures for Prometheus, without names or paths, and only for listed addresses. */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { downloadFile } from '../../src/api/content.ts'
import { createFolder, getFile, uploadFile } from '../../src/api/files.ts'
import { createTag } from '../../src/api/tags.ts'
import type { Flags } from '../../src/config-options.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { fileStart, multipartType } from '../support/multipart.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, requestHead, sendWire } from '../support/wire.ts'

beforeEach(context => onlyOneServer('counts', context))

let server: TestServer
afterEach(() => server.close())

interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

const labelForm = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"/g
const sampleForm =
  /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)+)\})? (-?[\d.]+(?:e[+-]?\d+)?|\+Inf|NaN)$/

/** The samples of a text in the exposition format of Prometheus; fails for any other line. */
function readSamples(text: string): Sample[] {
  expect(text.endsWith('\n')).toBe(true)
  const types = new Map<string, string>()
  const samples: Sample[] = []
  // The format allows empty lines.
  for (const line of text.split('\n').filter(Boolean)) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (kind === 'TYPE') {
      expect(types.has(name)).toBe(false)
      types.set(name, rest)
    } else if (kind === undefined) {
      const [, sample = '', labels = '', value] = sampleForm.exec(line) ?? expect.fail(`no sample: ${line}`)
      expect(types.has(sample) || types.get(sample.replace(/_(bucket|sum|count)$/, '')) === 'histogram').toBe(true)
      const pairs = [...labels.matchAll(labelForm)].map(([, label, text]) => [label, text])
      samples.push({ name: sample, labels: Object.fromEntries(pairs), value: Number(value) })
    }
  }
  return samples
}

async function scrape(): Promise<Sample[]> {
  const response = await fetch(`${server.url}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(response.headers.getSetCookie()).toEqual([])
  return readSamples(await response.text())
}

/** The sum of the samples with these labels. */
const sumOf = (samples: Sample[], name: string, labels: Record<string, string> = {}): number | undefined => {
  const found = samples.filter(
    sample => sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
}

describe('the metrics', () => {
  let user: BuiltUser
  beforeEach(async () => {
    server = await startServer()
    user = await buildUser(server)
  })

  test('count requests by route and status, and uploads and downloads with their bytes', async () => {
    const file = await buildFile(user, {}, 'x'.repeat(100_000))
    for (const range of ['bytes=0-9', 'bytes=10-']) {
      await (await user.raw(`/api/files/${file.id}/download`, { headers: { range } })).text()
    }
    for (const id of [file.id, 998, 999]) await (await user.raw(`/api/files/${id}`)).text()
    await expect.poll(async () => sumOf(await scrape(), 'filestore_downloads_total')).toBe(2)
    const samples = await scrape()
    const requests = (method: string, route: string, status: string) =>
      sumOf(samples, 'filestore_http_requests_total', { method, route, status })
    expect(requests('POST', `/api${uploadFile.path}`, '2xx')).toBe(1)
    expect(requests('GET', `/api${downloadFile.path}`, '2xx')).toBe(2)
    expect(requests('GET', `/api${getFile.path}`, '2xx')).toBe(1)
    expect(requests('GET', `/api${getFile.path}`, '4xx')).toBe(2)
    const call = { method: 'GET', route: `/api${getFile.path}` }
    expect(sumOf(samples, 'filestore_http_request_duration_seconds_count', call)).toBe(3)
    expect(sumOf(samples, 'filestore_http_request_duration_seconds_bucket', { ...call, le: '+Inf' })).toBe(3)
    expect(sumOf(samples, 'filestore_uploads_total')).toBe(1)
    for (const name of ['filestore_upload_bytes_total', 'filestore_download_bytes_total']) {
      expect(sumOf(samples, name)).toBeGreaterThanOrEqual(100_000)
      expect(sumOf(samples, name)).toBeLessThan(103_000)
    }
    expect(sumOf(samples, 'filestore_http_requests_under_way')).toBe(1)
  })

  test('show what the server stores, its queues, its jobs and the use of memory and CPU', async () => {
    await buildFile(user, {}, 'x'.repeat(1000))
    await expect
      .poll(async () => sumOf(await scrape(), 'filestore_job_last_run_timestamp_seconds', { job: 'purge' }))
      .toBeGreaterThan(Date.now() / 1000 - 60)
    const samples = await scrape()
    const values = (...names: string[]) => names.map(name => sumOf(samples, name))
    expect(values('filestore_users', 'filestore_items', 'filestore_stored_bytes')).toEqual([2, 1, 1000])
    const idle = ['filestore_password_hashes_waiting', 'filestore_thumbnails_under_way', 'filestore_job_failures_total']
    expect(values(...idle)).toEqual([0, 0, 0])
    // Other jobs of the start may still be writing.
    await expect.poll(async () => sumOf(await scrape(), 'filestore_database_writes_waiting')).toBe(0)
    expect(sumOf(samples, 'filestore_database_up')).toBe(1)
    expect(sumOf(samples, 'filestore_disk_free_bytes', { disk: 'storage' })).toBeGreaterThan(0)
    expect(sumOf(samples, 'process_resident_memory_bytes')).toBeGreaterThan(1e7)
    expect(sumOf(samples, 'process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(sumOf(samples, 'process_open_fds')).toBeGreaterThan(3)
    expect(sumOf(samples, 'nodejs_eventloop_lag_seconds', { quantile: '0.99' })).toBeGreaterThanOrEqual(0)
  })

  test('get no new labels from unknown paths and methods, and contain no names or paths', async () => {
    const { file } = await user.call(createFolder, { name: 'secret plans' })
    const send = async (round: string) => {
      for (const path of [`/nowhere-${round}`, `/api/nowhere-${round}`, `/api/files/${file.id}${round.length}`]) {
        for (const method of ['GET', 'PROPFIND', 'PATCH'])
          await sendWire(server.url, { method, path: `${path}?q=${round}` })
      }
      await user.raw(`/api/files/search?q=secret-${round}`)
    }
    // The jobs add labels of their own once they have run, so leave them out.
    const namesOf = async () =>
      (await scrape())
        .map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`)
        .filter(name => !name.startsWith('filestore_job'))
    await send('first')
    await namesOf()
    const before = await namesOf()
    for (let n = 0; n < 20; n++) await send(`round-${n}`)
    const after = await namesOf()
    expect(after).toEqual(before)
    const text = after.join('\n')
    for (const word of ['nowhere', 'secret', 'PROPFIND', user.username, server.adminName])
      expect(text).not.toContain(word)
  })

  test('have every failure counter at 0 from the start', async () => {
    const samples = await scrape()
    for (const source of ['database', 'store', 'other']) {
      for (const error of ['internal', 'unavailable', 'storage_full']) {
        expect(sumOf(samples, 'filestore_failures_total', { source, error })).toBe(0)
      }
    }
    for (const name of [
      'database_failures_total',
      'store_failures_total',
      'audit_events_waiting',
      'audit_events_lost_total',
    ])
      expect(sumOf(samples, `filestore_${name}`), name).toBe(0)
  })

  test('keep the last figures while the database fails, and still show the others', async () => {
    await buildFile(user, {}, 'x'.repeat(1000))
    const held = ['filestore_users', 'filestore_items', 'filestore_stored_bytes']
    const read = async (names: string[]) => {
      const samples = await scrape()
      return names.map(name => sumOf(samples, name))
    }
    expect(await read(['filestore_database_up', ...held])).toEqual([1, 2, 1, 1000])
    await spoilRows(server, 'ALTER TABLE spaces RENAME TO spaces_away')
    expect(await read(['filestore_database_up', ...held])).toEqual([0, 2, 1, 1000])
    expect(await read(['filestore_uploads_total', 'filestore_thumbnails_under_way'])).toEqual([1, 0])
    await spoilRows(server, 'ALTER TABLE spaces_away RENAME TO spaces')
    expect(await read(['filestore_database_up', ...held])).toEqual([1, 2, 1, 1000])
  })

  test('count failures outside requests: of the store in health checks, of the database in the audit log', async () => {
    const blobs = join(server.dataDir, 'storage', 'blobs')
    await rename(blobs, `${blobs}-away`)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
    await rename(`${blobs}-away`, blobs)
    expect(sumOf(await scrape(), 'filestore_store_failures_total')).toBeGreaterThan(0)
    await spoilRows(server, 'ALTER TABLE events RENAME TO events_away')
    await expect(buildFile(user)).rejects.toMatchObject({ status: 500 })
    const failed = sumOf(await scrape(), 'filestore_database_failures_total') ?? 0
    expect(failed).toBeGreaterThan(0)
    // The server writes the event of a refusal later, outside the request.
    await expect(signIn(server.url, user.username, 'wrong')).rejects.toMatchObject({ status: 401 })
    await expect.poll(async () => sumOf(await scrape(), 'filestore_database_failures_total')).toBeGreaterThan(failed)
    expect(sumOf(await scrape(), 'filestore_audit_events_waiting')).toBeGreaterThan(0)
    await spoilRows(server, 'ALTER TABLE events_away RENAME TO events')
    await expect.poll(async () => sumOf(await scrape(), 'filestore_audit_events_waiting')).toBe(0)
  })

  test('count no failure when a client aborts its upload or uses a taken name', async () => {
    const { keys } = await readHoldings(server)
    const headers = { ...user.headers, 'content-type': multipartType, 'content-length': '5000000' }
    const socket = await openSocket(server.url)
    socket.write(requestHead(server.url, 'POST', `/api${uploadFile.path}`, headers))
    socket.write(Buffer.concat([fileStart('cut.bin'), Buffer.alloc(400_000)]))
    await expect.poll(async () => (await readHoldings(server)).keys.length).toBe(keys.length + 1)
    socket.destroy()
    await expect.poll(async () => (await readHoldings(server)).keys).toEqual(keys)
    await user.call(createTag, { name: 'taken', color: '#336699' })
    await expect(user.call(createTag, { name: 'taken', color: '#336699' })).rejects.toMatchObject({ status: 409 })
    const samples = await scrape()
    expect(sumOf(samples, 'filestore_database_failures_total')).toBe(0)
    expect(sumOf(samples, 'filestore_store_failures_total')).toBe(0)
  })

  test('attribute a failure to the store or the database', async () => {
    const file = await buildFile(user, {}, 'x'.repeat(100_000))
    const blobs = join(server.dataDir, 'storage', 'blobs')
    await rename(blobs, `${blobs}-away`)
    expect((await user.raw(`/api/files/${file.id}/download`)).status).toBe(500)
    await rename(`${blobs}-away`, blobs)
    const samples = await scrape()
    expect(sumOf(samples, 'filestore_failures_total', { source: 'store' })).toBe(1)
    expect(sumOf(samples, 'filestore_failures_total', { source: 'database' })).toBe(0)
    // The sweep after the start may have failed on the missing folder, too.
    expect(sumOf(samples, 'filestore_store_failures_total')).toBeGreaterThan(0)
  })
})

describe('the metrics are shown', () => {
  const statusAt = async (flags: Flags, headers: Record<string, string>, method = 'GET') => {
    server = await startServer(flags)
    const { status, text } = await sendWire(server.url, { path: '/metrics', method, headers })
    if (status !== 200) expect(text).not.toContain('filestore_')
    return status
  }

  test.each(['GET', 'HEAD'])('to clients on this machine: %s', async method => {
    expect(await statusAt({}, {}, method)).toBe(200)
  })

  test.each([
    ['X-Forwarded-For', '203.0.113.9'],
    ['X-Forwarded-For', '127.0.0.1'],
    ['Forwarded', 'for=203.0.113.9'],
    ['X-Real-IP', '203.0.113.9'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Host', 'localhost'],
    ['Via', '1.1 nginx'],
    ['Host', 'files.example.org'],
    ['Host', 'localhost.example.org'],
  ])('to nobody behind an unlisted proxy on this machine, nor under another host name: %s: %s', async (name, value) => {
    expect(await statusAt({}, { [name]: value })).toBe(404)
  })

  test.each([
    ['203.0.113.9', 200],
    ['203.0.113.77', 200],
    ['198.51.100.1', 404],
    ['127.0.0.1', 404],
    ['127.0.0.1, 198.51.100.1', 404],
    ['203.0.113.9, 198.51.100.1', 404],
    ['198.51.100.1, 203.0.113.9', 200],
    ['unknown', 404],
  ])('through a listed proxy only to clients that --metrics-from lists: %s', async (client, status) => {
    const flags = { trustProxy: '127.0.0.1', metricsFrom: '203.0.113.0/24, 2001:db8::/32' }
    expect(await statusAt(flags, { 'X-Forwarded-For': client })).toBe(status)
  })

  test('to nobody by the header of an unlisted proxy, even if --metrics-from lists its address', async () => {
    const flags = { metricsFrom: '127.0.0.0/8, 203.0.113.9' }
    expect(await statusAt(flags, { 'X-Forwarded-For': '203.0.113.9' })).toBe(404)
  })

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('to no request with method %s', async method => {
    expect(await statusAt({}, {}, method)).toBe(404)
  })

  test('to nobody after an invalid --metrics-from, because the server does not start', async () => {
    await expect(startServer({ metricsFrom: 'prometheus.local' })).rejects.toThrow(/--metrics-from: 'prometheus.local'/)
    server = await startServer()
  })
})
