/**
 * The server that the product's transfers are compared with: the least that a Node server can do. POST streams a
 * multipart body through SHA-256 into a synced file, and GET streams the file named in the query, or one range of it.
 * `piece` in the query sets the bytes of one read or write; the default is Node's own. It runs as a process of its own, with the folder for
 * its files as the only argument.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

type CreateParser = (options: { headers: IncomingHttpHeaders }) => Writable

// Use the parser of the product's multer, so that both servers read the body in the same way.
const requireFromMulter = createRequire(createRequire(import.meta.url).resolve('multer'))
const createParser = requireFromMulter('busboy') as CreateParser

const [folder = '.'] = process.argv.slice(2)

const queryOf = ({ url }: IncomingMessage): URLSearchParams => new URL(url ?? '', 'http://localhost').searchParams

/** The option of a stream for the size of a piece, if the query sets one. */
function pieceOption(request: IncomingMessage): { highWaterMark?: number } {
  const piece = queryOf(request).get('piece')
  return piece === null ? {} : { highWaterMark: Number(piece) }
}

/** Write small files at once, as a server does that knows their size. */
const isSmall = (size: number): boolean => size < 64 * 1024

async function storeSmall(file: Readable): Promise<string> {
  const hash = createHash('sha256')
  const chunks: Buffer[] = []
  for await (const chunk of file as AsyncIterable<Buffer>) {
    hash.update(chunk)
    chunks.push(chunk)
  }
  const written = await open(join(folder, randomUUID()), 'wx')
  await written.writev(chunks)
  await written.datasync()
  await written.close()
  return hash.digest('hex')
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
    parser.on('file', (_name: string, file: Readable) => {
      const size = Number(request.headers['content-length'] ?? Number.NaN)
      const storing = isSmall(size) ? storeSmall(file) : store(file, pieceOption(request))
      storing.then(resolve, reject)
    })
  })
  const [sha256] = await Promise.all([stored, pipeline(request, parser)])
  response.setHeader('Content-Length', Buffer.byteLength(sha256)).end(sha256)
}

/** The first and the last byte that a request asks for. Only ranges that name both are understood. */
function rangeOf(request: IncomingMessage): { start: number; end: number } | undefined {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  return start === undefined || end === undefined ? undefined : { start: Number(start), end: Number(end) }
}

async function send(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = queryOf(request).get('file') ?? ''
  const { size } = await stat(file)
  const range = rangeOf(request)
  response.statusCode = range === undefined ? 200 : 206
  response.setHeader('Content-Length', range === undefined ? size : range.end - range.start + 1)
  if (isSmall(size)) {
    response.end(await readFile(file))
    return
  }
  await pipeline(createReadStream(file, { ...range, ...pieceOption(request) }), response)
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
