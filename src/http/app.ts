/** The whole middleware stack in one place. */
import Koa, { type Middleware } from 'koa'
import type { DemoAccount } from '../api/page.ts'
import { AppError, isRefusal, systemCode } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Deps } from '../deps.ts'
import { openFiles } from '../files/files.ts'
import { noteArrival } from './arrival.ts'
import { resolveClient, stripBasePath } from './client-address.ts'
import { answerErrors } from './errors.ts'
import { securityHeaders } from './headers.ts'
import { answerHealth } from './health.ts'
import { cutSlowBodies } from './limits/slow-body.ts'
import { answerMetrics } from './metrics.ts'
import { refuseImproper } from './proper-requests.ts'
import { readTarget } from './request-target.ts'
import { followRequests } from './requests.ts'
import { apiBase, router } from './router.ts'
import { createRoutes } from './routes.ts'
import { sessions } from './session.ts'
import { servePage } from './static.ts'
import { writeStream } from './write-stream.ts'

/** Applies a middleware only to paths under /api. */
const underApi =
  (middleware: Middleware): Middleware =>
  (ctx, next) =>
    ctx.path === apiBase || ctx.path.startsWith(`${apiBase}/`) ? middleware(ctx, next) : next()

/** Applies a middleware only to users' calls: visitors of links have no session. */
const forUsers =
  (middleware: Middleware): Middleware =>
  (ctx, next) =>
    ctx.path.startsWith(`${apiBase}/s/`) ? next() : middleware(ctx, next)

/** Error codes that a disconnecting client causes. */
const goneCodes = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE', 'ECANCELED'])

/** Whether a client caused the error: it disconnected, or sent what is not HTTP behind a request. */
const isOfClient = (error: unknown): boolean => {
  const code = systemCode(error) ?? ''
  return goneCodes.has(code) || code.startsWith('HPE_')
}

/** Logs errors after a response has begun: of a connection, of a disk in mid-download, or of the client's rights. */
const logBroken =
  (log: Log) =>
  (error: unknown): void => {
    if (isOfClient(error)) log.debug({ err: error }, 'a client went away')
    // The user has lost access to an archive while it was being sent, or the server ends an answer.
    else if (error instanceof AppError && (error.status < 500 || isRefusal(error)))
      log.info({ error: error.code }, 'an answer broke off')
    else log.error({ err: error }, 'an answer broke off')
  }

interface AppOptions {
  /** The folder of the built page, which offers the demo's accounts to everybody. */
  webFolder: string
  demoAccounts: readonly DemoAccount[]
  /** Whether the server is about to stop. */
  isStopping(): boolean
}

/** Creates the app of a server. */
export function createApp(deps: Deps, { webFolder, demoAccounts, isStopping }: AppOptions): Koa {
  const app = new Koa()
  app.on('error', logBroken(deps.log))
  app.use(readTarget)
  app.use(followRequests(deps))
  app.use(writeStream)
  app.use(resolveClient(deps))
  app.use(stripBasePath(deps.config))
  app.use(securityHeaders(deps.config))
  app.use(refuseImproper)
  app.use(answerHealth(deps, isStopping))
  app.use(answerMetrics(deps))
  app.use(underApi(answerErrors(deps)))
  app.use(underApi(cutSlowBodies))
  app.use(underApi(noteArrival))
  app.use(underApi(forUsers(sessions(app, deps))))
  app.use(underApi(router(deps, createRoutes(deps, openFiles(deps)))))
  app.use(servePage(deps, webFolder, demoAccounts))
  return app
}
