/**
 * Closes connections that a worker was handed but did not take, because it died or no longer listens. node:cluster
 * leaves them open, and their clients would wait for ever.
 */
import type { Worker } from 'node:cluster'

interface Handle {
  close(): void
}

/** Watches the connections handed to a worker; returns a function that closes the one it did not take. */
export function watchHandOver(child: Worker['process']): () => void {
  // The next one comes after this one is taken and closed here; closing it again does nothing.
  let last: Handle | undefined
  const send = child.send.bind(child) as (...args: unknown[]) => boolean
  child.send = (message: object, ...rest: unknown[]): boolean => {
    if ('act' in message && message.act === 'newconn') last = rest[0] as Handle
    return send(message, ...rest)
  }
  return () => last?.close()
}
