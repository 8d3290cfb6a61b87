/** Sends the parts of objects, several at the same time. Each is kept until it has arrived, so they have a most. */
import { openSemaphore } from '../../base/semaphore.ts'
import type { Multipart } from './multipart.ts'
import type { Part } from './parts.ts'

/** Parts under way at the same time: of one object, and of all objects of a store. */
const ofObject = 3
const ofStore = 8

/** The sending of one object. */
interface Sending {
  /**
   * Resolves when the part is under way, so that the next one may be made. The part is dropped when it has arrived.
   * Throws if an earlier one has failed.
   */
  put(part: Part): Promise<void>
  /** Resolves when all parts have arrived, or throws when none is under way any more and one has failed. */
  settle(): Promise<void>
}

export type OpenSending = (upload: Multipart) => Sending

/** Opens the sending of all objects of one store. */
export function openSendings(): OpenSending {
  const withPermit = openSemaphore({ atOnce: ofStore })
  return upload => {
    const underWay = new Set<Promise<void>>()
    const failed = new AbortController()
    return {
      put: async part => {
        while (underWay.size >= ofObject) await Promise.race(underWay)
        failed.signal.throwIfAborted()
        await new Promise<void>(resolve => {
          const send = () => {
            resolve()
            return upload.put(part)
          }
          const sent = withPermit(send)
            .then(part.drop)
            .catch(error => failed.abort(error))
            .finally(() => underWay.delete(sent))
          underWay.add(sent)
        })
      },
      settle: async () => {
        await Promise.all(underWay)
        failed.signal.throwIfAborted()
      },
    }
  }
}
