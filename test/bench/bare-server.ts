/**
 * What the product's transfers are compared with: the least that a Node server can do. POST streams a multipart body
 * through SHA-256 into a synced file, GET streams the file of the query. Run as a process of its own, with the folder
 * for its files as the only argument.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

type CreateParser = (options: { headers: IncomingHttpHeaders }) => Writable

// The very parser that the product's multer brings along, so that both sides read the body alike.
const requireFromMulter = createRequire(createRequire(import.meta.url).resolve('multer'))
const createParser = requireFromMulter('busboy') as CreateParser

const [folder = '.'] = process.argv.slice(2)

/** Bytes of one read or write, as large as the product's: with Node's 64 KiB the reference would be easy to beat. */
const pieceSize = 1024 ** 2

async function store(file: Readable): Promise<string> {
  const hash = createHash('sha256')
  file.on('data', chunk => hash.update(chunk as Buffer))
  await pipeline(file, createWriteStream(join(folder, randomUUID()), { flush: true, highWaterMark: pieceSize }))
  return hash.digest('hex')
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parser = createParser({ headers: request.headers })
  const stored = new Promise<string>((resolve, reject) => {
    parser.on('file', (_name: string, file: Readable) => store(file).then(resolve, reject))
  })
  const [sha256] = await Promise.all([stored, pipeline(request, parser)])
  response.end(sha256)
}

const fileOf = ({ url }: IncomingMessage): string =>
  new URL(url ?? '', 'http://localhost').searchParams.get('file') ?? ''

async function send(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = fileOf(request)
  response.setHeader('Content-Length', (await stat(file)).size)
  await pipeline(createReadStream(file, { highWaterMark: pieceSize }), response)
}

const server = createServer((request, response) => {
  const answer = request.method === 'POST' ? receive(request, response) : send(request, response)
  answer.catch(error => {
    console.error(error)
    response.destroy()
  })
})
server.requestTimeout = 0
server.listen(0, '127.0.0.1', () => console.log(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`))
