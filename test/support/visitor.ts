/** A link's visitor: a browser without an account, with the cookies of that link alone. */

import type { InputOf } from '../../src/api/endpoint.ts'
import { createLink, type Link } from '../../src/api/links.ts'
import type { RawRequest, TestClient } from './client.ts'

/** The rules of a new installation for links. */
export const newLinkRules = { links: true, link_uploads: true, link_password_required: false, link_max_days: 0 }

/** Makes a link; views a whole folder or file unless told otherwise. */
export const buildLink = async (
  maker: TestClient,
  { id }: { id: number },
  options: Partial<Omit<InputOf<typeof createLink>, 'item_id'>> = {},
): Promise<Link & { token: string }> => {
  const { link } = await maker.call(createLink, { item_id: id, level: 'view', ...options })
  if (link.token === null) throw new Error('the new link has no token')
  return { ...link, token: link.token }
}

export interface VisitorForm {
  name?: string
  sender?: string
  metadata?: readonly { field_id: number; value: string }[]
}

export interface Visitor {
  /** Sends a request; `path` is what follows the link's address, such as `/files`. */
  raw(path: string, request?: RawRequest): Promise<Response>
  /** The data of an answer that must be a success. */
  get(path: string): Promise<unknown>
  post(path: string, body: object, headers?: Record<string, string>): Promise<Response>
  upload(bytes: string | Buffer, form?: VisitorForm, headers?: Record<string, string>): Promise<Response>
  /** That of the visit. */
  cookie(): string | undefined
}

/** Opens a visitor's browser; `cookie` is one that it has already. */
export function openVisitor(url: string, token: string, cookie?: string): Visitor {
  const kept = new Map<string, string>()
  const keep = (pair: string): unknown => kept.set(pair.slice(0, pair.indexOf('=')), pair)
  for (const pair of cookie?.split('; ') ?? []) keep(pair)
  const raw = async (path: string, request: RawRequest = {}): Promise<Response> => {
    const headers = {
      origin: url,
      ...(kept.size === 0 ? {} : { cookie: [...kept.values()].join('; ') }),
      ...request.headers,
    }
    const response = await fetch(`${url}/api/s/${token}${path}`, {
      method: request.method ?? 'GET',
      headers,
      body: request.body as BodyInit | undefined,
      redirect: 'manual',
      signal: request.signal,
    })
    for (const line of response.headers.getSetCookie()) keep(line.split(';')[0] ?? '')
    return response
  }
  return {
    raw,
    get: async path => {
      const response = await raw(path)
      const { success, data, message } = await response.json()
      if (success !== true) throw new Error(`${response.status} ${message}`)
      return data
    },
    post: (path, body, headers = {}) =>
      raw(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    upload: (bytes, form = {}, headers = {}) => {
      const data = new FormData()
      for (const field of ['name', 'sender'] as const) {
        const value = form[field]
        if (value !== undefined) data.set(field, value)
      }
      if (form.metadata !== undefined) data.set('metadata', JSON.stringify(form.metadata))
      data.set('file', new Blob([bytes as BlobPart]), 'file.bin')
      return raw('/upload', { method: 'POST', body: data, headers })
    },
    cookie: () => kept.get('filestore_link'),
  }
}
