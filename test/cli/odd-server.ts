/** An HTTP server whose answers a test defines, for behaviour that a filestore server never shows. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Profile } from '../../src/api/auth.ts'
import type { ErrorCode } from '../../src/api/errors.ts'
import type { FileDetails, FileItem } from '../../src/api/items.ts'
import type { ApiKey } from '../../src/api/keys.ts'
import type { MetadataField } from '../../src/api/metadata.ts'
import { defaultPreferences } from '../../src/api/preferences.ts'
import { openTerminal, type Terminal } from './terminal.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Maps `GET /api/files/7/download` to its answer. Any other request gets a 418, which the client reports. */
export type Answers = Record<string, Answer>

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export function answerJson(response: ServerResponse, data: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ success: true, message: 'Done', data }))
}

/** Answers with an error in the format of the API. */
export function refuse(response: ServerResponse, status: number, error: ErrorCode, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ success: false, error, message }))
}

/** Answers as the server does for an unknown path. */
export const answerNothing: Answer = (_request, response) => refuse(response, 404, 'not_found', 'File not found')

/** Sends the content of a file with its hash, or with the given one. */
export function sendBytes(response: ServerResponse, bytes: Uint8Array, tag = sha256(bytes)): void {
  response.setHeader('etag', `"${tag}"`).end(bytes)
}

/** A file in the root, as the API describes it. */
export const describeFile = (name: string, bytes: Uint8Array): FileDetails => ({
  id: 7,
  name,
  path: `/${name}`,
  logical_path: `/${name}`,
  size: bytes.length,
  mime_type: 'application/octet-stream',
  parent_id: null,
  owner_id: 1,
  owner_name: 'somebody',
  place: null,
  is_shared: false,
  may: { see: true, add: true, change: true, organise: true, trash: true, share: true },
  is_directory: false,
  is_favorite: false,
  created_at: '2024-05-06T07:08:09.000Z',
  updated_at: '2024-05-06T07:08:09.000Z',
  modified_at: null,
  deleted_at: null,
  thumbnail_path: null,
  tags: [],
  validation_status: 'approved',
  validation_comment: null,
  sha256: sha256(bytes),
  metadata: [],
})

interface OddPage {
  files?: readonly FileItem[]
  folders?: readonly FileItem[]
  next_cursor?: string | null
}

/** A page of the root, or of any other list of items. */
export function describePage({ files = [], folders = [], next_cursor = null }: OddPage) {
  const total = files.length + folders.length + (next_cursor === null ? 0 : 1)
  const place = { path: '/', breadcrumbs: [], folder: null, total, total_folders: folders.length }
  const may = { see: true, add: true, change: true, organise: true, trash: true, share: true }
  return { files, folders, next_cursor, total_is_exact: true, may, held: 0, ...place }
}

export const answerPage = (response: ServerResponse, page: OddPage): void => answerJson(response, describePage(page))

/** The profile of a user who may do everything with files. */
export const answerProfile: Answer = (_request, response) =>
  answerJson(response, {
    id: 1,
    username: 'nora',
    email: 'nora@example.org',
    full_name: null,
    role: 'User',
    storage_used: 0,
    storage_quota: 1,
    is_active: true,
    created_at: '2024-05-06T07:08:09.000Z',
    permissions: ['files:read', 'files:search', 'files:upload', 'files:write', 'files:delete', 'tags:write'],
    storage_reserved: 0,
    must_change_password: false,
    preferences: defaultPreferences,
    sharing: {
      people: true,
      everyone: true,
      find_people: 'names',
      links: true,
      link_uploads: true,
      link_password_required: false,
      link_max_days: 0,
    },
  } satisfies Profile)

/** A number field that uploads ask for. */
export const describeField = (name: string): MetadataField => ({
  id: 3,
  name,
  label: 'Year',
  description: null,
  field_type: 'number',
  options: null,
  is_required: false,
  is_enabled: true,
  created_at: '2024-05-06T07:08:09.000Z',
})

/** A script key, as the API lists it. */
export const describeKey = (name: string): ApiKey => ({
  id: 7,
  key_id: 'gk_1',
  name,
  kind: 'script',
  permissions: [],
  is_active: true,
  created_at: '2024-05-06T07:08:09.000Z',
  last_used_at: null,
  expires_at: null,
  rate_limit_per_minute: null,
  rate_limit_per_hour: null,
  rate_limit_per_day: null,
  made_by: null,
  scope_id: null,
})

function listen(server: Server): Promise<string> {
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}

interface OddServer {
  url: string
  /** A terminal whose environment names this server and a key. */
  terminal: Terminal
  /** Method and path of every request, in order. */
  requests: string[]
}

/** Starts the server, and stops it when the test ends. */
export async function startOddServer(answers: Answers): Promise<OddServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const name = `${request.method} ${request.url?.split('?')[0]}`
    requests.push(name)
    const answer = answers[name]
    if (answer === undefined) response.writeHead(418).end()
    else answer(request, response)
  })
  const url = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const key = { FILESTORE_API_KEY_ID: 'gk_test', FILESTORE_API_SECRET: 'gs_test' }
  return { url, terminal: await openTerminal({ FILESTORE_URL: url, ...key }), requests }
}
