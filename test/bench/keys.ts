/**
 * The cost of authentication with an API key: a call that does nothing else, compared with the same call without a key.
 */

import { request } from 'undici'
import { readAnswer, requestOf } from '../../src/api/client.ts'
import { createApiKey, listKeyPermissions } from '../../src/api/keys.ts'
import { maxRateLimits } from '../../src/api/limits.ts'
import type { Client } from './client.ts'
import { interleave, summarize, timed } from './measure.ts'
import type { Measuring } from './options.ts'
import { withPlace, withProduct } from './product.ts'
import type { Row } from './table.ts'

/** Requests the permission options, which are constant; returns the time of the answer in ms. */
function asker(url: string, headers: Record<string, string>, expected: number): () => Promise<number> {
  const target = `${url}/api${requestOf(listKeyPermissions, {}).url}`
  return () =>
    timed(async () => {
      const { statusCode, body } = await request(target, { headers })
      const text = await body.text()
      if (statusCode !== expected) readAnswer({ status: statusCode, text })
    })
}

async function sampleRequests(client: Client, isQuick: boolean) {
  const key = await client.call(createApiKey, {
    name: 'benchmark',
    permissions: ['api-keys:manage'],
    rate_limit_per_minute: maxRateLimits.minute,
    rate_limit_per_hour: maxRateLimits.hour,
  })
  const signed = { 'x-api-key-id': key.key_id, 'x-api-secret': key.secret }
  const subjects = [asker(client.url, signed, 200), asker(client.url, {}, 401)] as const
  // Warm-up: the first requests compile code.
  await interleave(100, subjects)
  return interleave(isQuick ? 50 : 800, subjects)
}

export async function measureKeys(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const [byKey, without] = await withPlace(measuring, place =>
    withProduct(place, client => sampleRequests(client, isQuick)),
  )
  const costs = byKey.map((time, round) => time - (without[round] ?? Number.NaN))
  return [
    {
      name: 'request by key',
      unit: 'ms',
      value: summarize(byKey),
      reference: { name: 'without a key, 401', figures: summarize(without) },
    },
    {
      name: 'request by key: what the key costs',
      unit: 'ms',
      value: summarize(costs),
      bound: { of: 'median', side: 'at most', limit: 2 },
    },
  ]
}
