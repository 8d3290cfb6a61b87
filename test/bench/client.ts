/** The client of the measurements: signed-in calls, and transfers as fast as the machine allows. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { request } from 'undici'
import { createMultipart } from '../../cli/multipart.ts'
import { login } from '../../src/api/auth.ts'
import { type Call, createClient, readAnswer } from '../../src/api/client.ts'

export const megabyte = 1024 ** 2

/** The server's address and the caller's credentials. */
export interface Target {
  url: string
  headers: Record<string, string>
}

export interface Client extends Target {
  call: Call
}

const json = { 'content-type': 'application/json' }

/** Signs in; returns a client with the session's cookie. */
export async function signIn(url: string, username: string, password: string): Promise<Client> {
  const body = JSON.stringify({ username, password })
  const answer = await request(`${url}/api${login.path}`, { method: login.method, headers: json, body })
  readAnswer({ status: answer.statusCode, text: await answer.body.text() })
  const [cookie = ''] = [answer.headers['set-cookie'] ?? []].flat().map(line => line.split(';')[0])
  const headers = { cookie, origin: url }
  const call = createClient(async ({ method, url: path, body }) => {
    const sent = await request(`${url}/api${path}`, { method, headers: { ...headers, ...json }, body })
    return { status: sent.statusCode, text: await sent.body.text() }
  })
  return { url, headers, call }
}

/** Reads an answer to its end and discards it; returns its size in bytes. Throws when the answer is a refusal. */
export async function readBytes({ url, headers }: Target, path: string): Promise<number> {
  const { statusCode, body } = await request(url + path, { headers })
  let size = 0
  for await (const chunk of body) size += (chunk as Buffer).length
  if (statusCode !== 200) throw new Error(`${path} was answered with ${statusCode}`)
  return size
}

const block = randomBytes(megabyte)

/** Makes bytes whose beginning differs each time, so that no server has the content already. */
export async function* blocks(size: number): AsyncGenerator<Buffer> {
  const stamp = randomBytes(32)
  yield stamp
  for (let left = size - stamp.length; left > 0; left -= block.length)
    yield left < block.length ? block.subarray(0, left) : block
}

/** Sends a content as a file named `name`; returns the text of the answer. Throws when it is a refusal. */
export async function sendContent(
  { url, headers }: Target,
  path: string,
  name: string,
  content: { pieces: AsyncIterable<Uint8Array>; size: number },
): Promise<string> {
  const form = createMultipart({ name, parent_id: '' }, content.pieces, content.size)
  const answer = await request(url + path, {
    method: 'POST',
    headers: { ...headers, ...form.headers },
    body: form.body,
  })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${path} was answered with ${answer.statusCode}: ${text}`)
  return text
}

/** Sends `size` new bytes as the whole body of a PUT. Throws when the answer is a refusal. */
export async function putBytes({ url, headers }: Target, path: string, size: number): Promise<void> {
  const { statusCode, body } = await request(url + path, {
    method: 'PUT',
    headers: { ...headers, 'content-length': String(size) },
    body: Readable.from(blocks(size), { objectMode: false }),
  })
  const text = await body.text()
  if (statusCode >= 300) throw new Error(`${path} was answered with ${statusCode}: ${text}`)
}

/** Sends `size` new bytes as a file; like `sendContent`. */
export const sendBytes = (target: Target, path: string, name: string, size: number): Promise<string> =>
  sendContent(target, path, name, { pieces: blocks(size), size })
