/** Counts the bytes of each request on a connection that serves several. */
import type { Socket } from 'node:net'

interface Bytes {
  bytesIn: number
  bytesOut: number
}

/** Returns a function that gives the bytes a connection received and sent since its last call, headers included. */
export function openByteCounts(): (socket: Socket) => Bytes {
  const counted = new WeakMap<Socket, Bytes>()
  return socket => {
    const before = counted.get(socket) ?? { bytesIn: 0, bytesOut: 0 }
    const now = { bytesIn: socket.bytesRead, bytesOut: socket.bytesWritten }
    counted.set(socket, now)
    // At least 0, even when a connection breaks with bytes already counted as sent: a counter must not decrease.
    return { bytesIn: now.bytesIn - before.bytesIn, bytesOut: Math.max(0, now.bytesOut - before.bytesOut) }
  }
}
