/** The workers of a server: started, replaced where one dies, stopped together. */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout } from 'node:timers/promises'
import { minute, second } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { PrimaryCalls, Ready, WorkerCalls } from './calls.ts'
import { openChannel, type Remote } from './channel.ts'
import { watchHandOver } from './hand-over.ts'

export interface Member {
  readonly remote: Remote<WorkerCalls>
  /** Null until it answers requests. */
  readonly ready: Ready | null
}

type OwnCalls = 'ready' | 'fail' | 'stopped'

interface CrewOptions {
  log: Log
  /** What one of them may ask for, but for what the crew itself is told. */
  answers(member: Member): Omit<PrimaryCalls, OwnCalls>
  onReady(): void
  /** Called when one that answered requests has ended. */
  onGone(member: Member, ready: Ready): Promise<void>
}

export interface Crew {
  /** Starts some; resolves when all of them answer. Throws why one of them does not. */
  start(count: number): Promise<void>
  /** Those that answer requests; none once they are told to stop. */
  ready(): Member[]
  /** Fails when none is left and the next one cannot start. */
  failure: Promise<never>
  /** Lets running requests finish, until `end` says otherwise; gives back how many were cut. */
  stop(end: AbortSignal): Promise<number>
}

/** ms of life after which a death is no sign of a loop, and the next worker starts without a pause. */
const calm = minute
/** ms of the first pause, and of the longest; each is twice the last. */
const [shortestPause, longestPause] = [second, 30 * second]

/** ms in which all have stopped to listen once they are told to stop. */
const closingTime = second

/** Resolves when a process has ended, or could not be made. */
const ended = (worker: Worker): Promise<{ code?: number; signal?: string; error?: Error }> =>
  new Promise(resolve => {
    worker.once('exit', (code, signal) => resolve({ code, signal }))
    worker.on('error', error => {
      if (worker.process.pid === undefined) resolve({ error })
    })
  })

export function openCrew({ log, answers, onReady, onGone }: CrewOptions): Crew {
  const members = new Map<Member, { gone: Promise<void>; kill(): void; closeUntaken(): void }>()
  let isStopping = false
  let cut = 0
  let pause = 0
  let fail: (error: unknown) => void = () => undefined
  const failure = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  // It is told where somebody waits for it.
  failure.catch(() => undefined)

  const ready = (): Member[] => (isStopping ? [] : [...members.keys()].filter(member => member.ready !== null))

  /** Starts one; resolves when it answers requests, throws why it does not. */
  function hire(): Promise<void> {
    const worker = cluster.fork()
    const bornAt = performance.now()
    const closeUntaken = watchHandOver(worker.process)
    return new Promise((resolve, reject) => {
      let isReady: Ready | null = null
      let reason = new Error('A worker ended before it was ready')
      const own: Pick<PrimaryCalls, OwnCalls> = {
        ready: told => {
          isReady = told
          resolve()
          onReady()
        },
        fail: (code, message) => {
          if (isReady !== null) log.error({ code }, message)
          reason = code === null ? new Error(message) : new AppError(code, message)
        },
        stopped: count => {
          cut += count
        },
      }
      const member: Member = {
        get remote() {
          return remote
        },
        get ready() {
          return isReady
        },
      }
      const remote = openChannel<WorkerCalls>(worker, { ...answers(member), ...own })
      const leave = async ({ code, signal, error }: Awaited<ReturnType<typeof ended>>) => {
        members.delete(member)
        closeUntaken()
        remote.close()
        if (isReady === null) return reject(error ?? reason)
        if (!isStopping) {
          log.error(
            { worker: worker.process.pid, code, signal },
            'a worker ended unexpectedly, another takes its place',
          )
          void replace(performance.now() - bornAt)
        }
        await onGone(member, isReady)
      }
      const kill = () => worker.process.kill('SIGKILL')
      members.set(member, { gone: ended(worker).then(leave), kill, closeUntaken })
    })
  }

  async function giveUp(): Promise<void> {
    isStopping = true
    for (const { kill } of members.values()) kill()
    await Promise.all([...members.values()].map(({ gone }) => gone))
  }

  /** Starts another in the place of one that lived so long; tries again until one answers, or nobody does. */
  async function replace(lived: number): Promise<void> {
    if (lived > calm) pause = 0
    const now = pause
    pause = Math.min(longestPause, Math.max(shortestPause, pause * 2))
    await setTimeout(now, undefined, { ref: false })
    if (isStopping) return
    try {
      await hire()
    } catch (error) {
      if (isStopping) return
      if (ready().length === 0) {
        await giveUp()
        return fail(error)
      }
      log.error({ err: error }, 'a worker could not start')
      return replace(0)
    }
  }

  return {
    start: async count => {
      try {
        // The first one finds out whether the port is free, and tells it alone where it is not.
        await hire()
        await Promise.all(Array.from({ length: count - 1 }, hire))
      } catch (error) {
        await giveUp()
        throw error
      }
    },
    ready,
    failure,
    stop: async end => {
      isStopping = true
      const all = [...members]
      for (const [{ remote, ready }, { kill }] of all) {
        if (ready === null) kill()
        else remote.tell('stop')
      }
      void setTimeout(closingTime, undefined, { ref: false }).then(() => {
        for (const [, { closeUntaken }] of all) closeUntaken()
      })
      const endAll = () => {
        for (const [{ remote }] of all) remote.tell('end')
      }
      if (end.aborted) endAll()
      else end.addEventListener('abort', endAll, { once: true })
      await Promise.all(all.map(([, { gone }]) => gone))
      return cut
    },
  }
}
