/** The stream of one follower: server-sent events (https://html.spec.whatwg.org/#server-sent-events). */
import { Readable } from 'node:stream'
import type { Actor } from '../access/actor.ts'
import type { Deps } from '../deps.ts'
import type { Sink } from './live.ts'

/** Bytes that may wait for a slow client; beyond them its stream ends, and it asks for everything anew. */
const mostWaiting = 64 * 1024

/** Opens the stream; with `age` it begins with the changes of the last ms. Throws as `Live.follow`. */
export async function openStream(
  { live, clock }: Pick<Deps, 'live' | 'clock'>,
  actor: Actor,
  age: number | undefined,
): Promise<Readable> {
  let leave: (() => void) | undefined
  const stream = new Readable({
    read: () => undefined,
    destroy: (error, done) => {
      leave?.()
      done(error)
    },
  })
  const write = (text: string): void => {
    if (stream.destroyed || stream.readableEnded) return
    if (stream.readableLength > mostWaiting) stream.destroy()
    else stream.push(text)
  }
  // The head is sent with the first bytes, so that the client knows that it is connected.
  write(': following\n\n')
  const sink: Sink = {
    send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    ping: () => write(': ping\n\n'),
    end: () => {
      if (!stream.destroyed) stream.push(null)
    },
  }
  leave = await live.follow(actor, sink, age === undefined ? null : clock.now() - age)
  return stream
}
