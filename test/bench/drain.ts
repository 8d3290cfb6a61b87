/** Reads a download as fast as the machine allows. */
import { connect } from 'node:net'
import { megabyte, type Target } from './client.ts'

const headEnd = Buffer.from('\r\n\r\n')

/** The length of an answer's head, from its first bytes. Throws unless the status is 200. */
function headLength(start: Buffer): number {
  const end = start.indexOf(headEnd)
  const status = start.toString('latin1', 0, start.indexOf('\r\n'))
  if (end < 0 || !status.startsWith('HTTP/1.1 200')) throw new Error(`the download was answered with '${status}'`)
  return end + headEnd.length
}

/**
 * Downloads a path and discards the content; resolves to its size in bytes. All reads share one buffer, because HTTP
 * clients make a new one for each read, which can cost them three times the servers' time.
 */
export function drain({ url, headers }: Target, path: string): Promise<number> {
  const { hostname, port, host } = new URL(url)
  const lines = Object.entries({ ...headers, host, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return new Promise((resolve, reject) => {
    let size: number | undefined
    const callback = (count: number, buffer: Uint8Array): boolean => {
      try {
        size = size === undefined ? count - headLength(Buffer.from(buffer.buffer, 0, count)) : size + count
      } catch (error) {
        reject(error)
        socket.destroy()
      }
      return true
    }
    const onread = { buffer: Buffer.allocUnsafeSlow(megabyte), callback }
    const socket = connect({ host: hostname, port: Number(port), onread })
    socket.on('error', reject).on('close', () => resolve(size ?? 0))
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  })
}
