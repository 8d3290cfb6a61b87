/**
 * A connection that is handed to a worker which dies, or no longer listens, before it has taken it: node:cluster leaves it
 * open, and its client would wait for ever.
 */
import type { Worker } from 'node:cluster'

interface Handle {
  close(): void
}

/** Watches what a worker is handed; gives back a function that closes what it did not take. */
export function watchHandOver(child: Worker['process']): () => void {
  // The next one comes when this one is taken, and then it is closed here already: to close it again does nothing.
  let last: Handle | undefined
  const send = child.send.bind(child) as (...args: unknown[]) => boolean
  child.send = (message: object, ...rest: unknown[]): boolean => {
    if ('act' in message && message.act === 'newconn') last = rest[0] as Handle
    return send(message, ...rest)
  }
  return () => last?.close()
}
