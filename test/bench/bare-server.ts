/**
 * What the product's transfers are compared with: the least that a Node server can do. POST streams a multipart body
 * through SHA-256 into a synced file, GET streams the file of the query. `piece` in the query sets the bytes of one
 * read or write; without it they are Node's own. Run as a process of its own, with the folder for its files as the
 * only argument.
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

const queryOf = ({ url }: IncomingMessage): URLSearchParams => new URL(url ?? '', 'http://localhost').searchParams

/** An option for a stream: the size of a piece that the query asks for. */
function pieceOption(request: IncomingMessage): { highWaterMark?: number } {
  const piece = queryOf(request).get('piece')
  return piece === null ? {} : { highWaterMark: Number(piece) }
}

async function store(file: Readable, piece: { highWaterMark?: number }): Promise<string> {
  const hash = createHash('sha256')
  file.on('data', chunk => hash.update(chunk as Buffer))
  await pipeline(file, createWriteStream(join(folder, randomUUID()), { flush: true, ...piece }))
  return hash.digest('hex')
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parser = createParser({ headers: request.headers })
  const stored = new Promise<string>((resolve, reject) => {
    parser.on('file', (_name: string, file: Readable) => store(file, pieceOption(request)).then(resolve, reject))
  })
  const [sha256] = await Promise.all([stored, pipeline(request, parser)])
  response.end(sha256)
}

async function send(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = queryOf(request).get('file') ?? ''
  response.setHeader('Content-Length', (await stat(file)).size)
  await pipeline(createReadStream(file, pieceOption(request)), response)
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
