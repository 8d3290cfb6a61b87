/** The workers of a server: starts them, replaces those that die, stops them together. */
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
  /** The calls that a worker may make, except those that the crew itself answers. */
  answers(member: Member): Omit<PrimaryCalls, OwnCalls>
  onReady(): void
  /** ms for which workers serve on after they are told to stop. */
  drainTime: number
  /** Called when a worker that served requests has ended. */
  onGone(member: Member, ready: Ready): Promise<void>
}

export interface Crew {
  /** Starts `count` workers; resolves when all serve requests. Throws the reason if one of them does not start. */
  start(count: number): Promise<void>
  /** Returns the workers that serve requests; none after the stop. */
  ready(): Member[]
  /** Rejects when no worker is left and the next one cannot start. */
  failure: Promise<never>
  /** Lets running requests finish until `end` aborts; returns how many were cut off. */
  stop(end: AbortSignal): Promise<number>
}

/** ms of life after which a death is not taken for a crash loop, and the next worker starts without a pause. */
const calm = minute
/** ms of the first and of the longest pause; each pause is twice the last. */
const [shortestPause, longestPause] = [second, 30 * second]

/** ms after the drain in which all workers have stopped listening. */
const closingTime = second

/** Resolves when a process has ended, or could not be started. */
const ended = (worker: Worker): Promise<{ code?: number; signal?: string; error?: Error }> =>
  new Promise(resolve => {
    worker.once('exit', (code, signal) => resolve({ code, signal }))
    worker.on('error', error => {
      if (worker.process.pid === undefined) resolve({ error })
    })
  })

export function openCrew({ log, answers, onReady, drainTime, onGone }: CrewOptions): Crew {
  const members = new Map<Member, { gone: Promise<void>; kill(): void; closeUntaken(): void }>()
  let isStopping = false
  let cut = 0
  let pause = 0
  let fail: (error: unknown) => void = () => undefined
  const failure = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  // Whoever awaits `failure` still gets the error; this only avoids an unhandled rejection.
  failure.catch(() => undefined)

  const ready = (): Member[] => (isStopping ? [] : [...members.keys()].filter(member => member.ready !== null))

  /** Starts one worker; resolves when it serves requests, throws the reason if it does not. */
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

  /** Replaces a worker that lived `lived` ms; tries again until one starts, or fails if no worker is left. */
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
        // Start one first: it finds out whether the port is free, so an error is reported only once.
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
      void setTimeout(drainTime + closingTime, undefined, { ref: false }).then(() => {
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
