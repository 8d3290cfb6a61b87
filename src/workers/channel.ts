/** Calls between the processes of a server, as JSON over node:cluster's channel; they arrive in order. */
import type { Worker } from 'node:cluster'

export type Calls = Record<string, (...args: never[]) => unknown>

type Message =
  | { call: string; args: unknown[]; id: number | null }
  | { answer: number; value?: unknown; failure?: string }

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** The other process. */
export interface Remote<Theirs extends Calls> {
  /** Calls it and returns its answer; rejects if the call fails or the process has ended. */
  ask<Name extends keyof Theirs & string>(
    name: Name,
    ...args: Parameters<Theirs[Name]>
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>
  /** Calls it without an answer; does nothing if the process has ended. */
  tell<Name extends keyof Theirs & string>(name: Name, ...args: Parameters<Theirs[Name]>): void
  /** Rejects open calls and ignores later messages: the last ones may arrive after the process has ended. */
  close(): void
}

/** Opens the channel to the other process of `worker`, which may call `ours`. */
export function openChannel<Theirs extends Calls>(worker: Worker, ours: Calls): Remote<Theirs> {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  const send = (message: Message, done: (error: Error | null) => void = () => undefined) =>
    worker.send(message, undefined, undefined, done)

  async function answer(id: number | null, name: string, args: unknown[]): Promise<void> {
    try {
      const value = await ours[name]?.(...(args as never[]))
      if (id !== null) send({ answer: id, value })
    } catch (error) {
      if (id === null) throw error
      send({ answer: id, failure: error instanceof Error ? error.message : String(error) })
    }
  }

  let isOpen = true
  worker.on('message', (message: Message) => {
    if (!isOpen) return
    if ('call' in message) return answer(message.id, message.call, message.args)
    const asker = waiting.get(message.answer)
    waiting.delete(message.answer)
    if (message.failure === undefined) asker?.resolve(message.value)
    else asker?.reject(new Error(message.failure))
  })

  return {
    ask: (name, ...args) =>
      new Promise((resolve, reject) => {
        lastId += 1
        const id = lastId
        waiting.set(id, { resolve: resolve as Waiting['resolve'], reject })
        send({ call: name, args, id }, error => {
          if (error === null || error === undefined) return
          waiting.delete(id)
          reject(error)
        })
      }),
    tell: (call, ...args) => {
      send({ call, args, id: null })
    },
    close: () => {
      isOpen = false
      for (const { reject } of waiting.values()) reject(new Error('the other process has gone'))
      waiting.clear()
    },
  }
}
