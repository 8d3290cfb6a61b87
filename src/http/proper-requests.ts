/** Refuses requests that HTTP/1.1 forbids or leaves to the server, with an error body that Node would leave empty. */
import type { Context, Next } from 'koa'
import { AppError } from '../base/errors.ts'
import { closeAfterAnswer } from './close-after-answer.ts'
import { errorBody } from './error-body.ts'
import { hasBody } from './limits/slow-body.ts'

/** Counts the Host headers of a request; `headers` shows only the first. */
function countHosts({ rawHeaders }: Context['req']): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** Characters of a Host header: a name of 255 octets (RFC 1035 section 2.3.4) and a port. */
const maxHost = 261
/** Characters of a header that is a list. Browsers send at most a few hundred. */
const maxList = 1024
/** Headers that are lists, and are taken apart for a response. */
const lists = [
  'accept',
  'accept-encoding',
  'accept-language',
  'if-match',
  'if-none-match',
  'if-range',
  'range',
] as const

/** Whether a header would take long to parse: a name is converted, and a list compared entry by entry. */
const isLong = ({ headers }: Context['req']): boolean =>
  (headers.host ?? '').length > maxHost || lists.some(name => String(headers[name] ?? '').length > maxList)

/** Returns what is wrong with a request, and the status of the response. */
function findFault(ctx: Context): [status: number, message: string] | null {
  const hosts = countHosts(ctx.req)
  // RFC 9112 section 3.2: with several, this server and a proxy could each choose a different one.
  if (hosts > 1) return [400, 'The request has more than one Host header']
  if (hosts === 0 && ctx.req.httpVersion === '1.1') return [400, 'The request has no Host header']
  // RFC 9112 section 3.2.
  if (ctx.state.hasBadTarget === true) return [400, 'The request has no path of this server']
  // RFC 6585 section 5.
  if (isLong(ctx.req)) return [431, 'A header of the request is too long']
  // RFC 9110 section 10.1.1.
  const { expect } = ctx.req.headers
  if (expect !== undefined && !/^100-continue$/i.test(expect)) return [417, 'The server meets no such expectation']
  return null
}

/** Responds to invalid requests, and closes their connections. */
export async function refuseImproper(ctx: Context, next: Next): Promise<void> {
  const fault = findFault(ctx)
  if (fault === null) return next()
  const [status, message] = fault
  if (hasBody(ctx.req)) closeAfterAnswer(ctx)
  else ctx.set('Connection', 'close')
  ctx.set('Cache-Control', 'no-store')
  ctx.status = status
  ctx.body = errorBody(new AppError('invalid_input', message), String(ctx.state.requestId))
}
