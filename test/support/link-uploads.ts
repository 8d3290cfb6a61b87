/** Resumable uploads of a link's visitors. The server of the test has to trust the proxy of 127.0.0.1. */
import { hashToken, newLinkToken } from '../../src/access/link-account.ts'
import { finishLinkUpload } from '../../src/api/link-uploads.ts'
import type { Link } from '../../src/api/links.ts'
import { openClient, type TestClient } from './client.ts'
import type { BuiltUser } from './factories.ts'
import { ownerOf } from './planting.ts'
import type { TestServer } from './test-server.ts'
import { askUpload, beginUpload, idOf } from './tus.ts'
import { buildLink } from './visitor.ts'

type Begin = Omit<Parameters<typeof askUpload>[1], 'to'>

/** A visitor without cookies. */
export interface Sender {
  link: Link & { token: string }
  /** Where uploads begin. */
  to: string
  client: TestClient
  ask(begin: Begin): Promise<Response>
  begin(begin: Begin): Promise<string>
  /** Tells an upload to become a file, whatever the answer. */
  finish(address: string, input?: object): Promise<Response>
}

let addresses = 0

/** A browser at an address of its own, unless one is given; `cookie` is that of a visit. */
export function openBrowser(
  { url }: TestServer,
  link: Link & { token: string },
  { address, cookie }: { address?: string; cookie?: string } = {},
): Sender {
  addresses += 1
  const own = `198.51.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`
  const headers: Record<string, string> = { origin: url, 'x-forwarded-for': address ?? own }
  if (cookie !== undefined) headers.cookie = cookie
  const client = openClient(url, headers)
  const to = `/api/s/${link.token}/uploads`
  return {
    link,
    to,
    client,
    ask: begin => askUpload(client, { ...begin, to }),
    begin: begin => beginUpload(client, { ...begin, to }),
    finish: (address, input = {}) =>
      client.raw(`/api${finishLinkUpload.path.replace(':token', link.token).replace(':id', idOf(address))}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(input),
      }),
  }
}

/** Makes a link that takes files, and opens a visitor of it. */
export const openSender = async (
  server: TestServer,
  maker: TestClient,
  folder: { id: number },
  options: Parameters<typeof buildLink>[2] = {},
): Promise<Sender> => openBrowser(server, await buildLink(maker, folder, { level: 'upload', ...options }))

/** Makes a link that takes files, where the server makes none any more. Returns its token. */
export async function plantLink(server: TestServer, maker: BuiltUser, folderId: number): Promise<string> {
  const { db } = server.deps
  const token = newLinkToken()
  const { spaceId } = await ownerOf(server, maker)
  const row = {
    ...{
      space_id: spaceId,
      item_id: folderId,
      token_hash: hashToken(token),
      token_sealed: '',
      level: 'upload' as const,
    },
    ...{ label: null, password_hash: null, created_by: maker.id, created_at: Date.now(), expires_at: null },
    ...{ max_downloads: null, max_bytes: null, ask_name: 0 as const, is_active: 1 as const, opened: 0, downloads: 0 },
    ...{ uploads: 0, bytes_in: 0, last_used_at: null },
  }
  await db.touch(() => db.insert(db.links, row))
  return token
}
