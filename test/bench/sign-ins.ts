/**
 * The delay of other requests during many sign-ins: calls of another session, one after the other, until all sign-ins
 * have ended.
 */
import { getProfile } from '../../src/api/auth.ts'
import { requestOf } from '../../src/api/client.ts'
import { createUser } from '../../src/api/users.ts'
import { type Client, readBytes, signIn } from './client.ts'
import { type Figures, summarize, timed } from './measure.ts'
import type { Measuring } from './options.ts'
import { password, withPlace, withProduct } from './product.ts'
import type { Row } from './table.ts'

const atOnce = 32
/** The users who sign in. A user's sign-ins and sessions are limited, and the client's own session has to last. */
const others = Array.from({ length: atOnce }, (_, index) => `user-${index}`)

/** The time of each call in ms. */
async function sampleBeside(client: Client): Promise<number[]> {
  let isOver = false
  const signIns = Promise.all(others.map(username => signIn(client.url, username, password)))
  const over = signIns.finally(() => {
    isOver = true
  })
  const path = `/api${requestOf(getProfile, {}).url}`
  const samples: number[] = []
  while (!isOver) samples.push(await timed(() => readBytes(client, path)))
  await over
  return samples
}

async function measureRounds(client: Client, rounds: number): Promise<Figures> {
  for (const username of others) {
    await client.call(createUser, { username, email: `${username}@example.org`, password })
  }
  // Warm-up: the first sign-ins load the hashing code.
  await sampleBeside(client)
  const samples: number[] = []
  for (let round = 0; round < rounds; round++) samples.push(...(await sampleBeside(client)))
  return summarize(samples)
}

export async function measureSignIns(measuring: Measuring): Promise<Row[]> {
  const value = await withPlace(measuring, place =>
    withProduct(place, client => measureRounds(client, measuring.isQuick ? 1 : 10)),
  )
  return [
    {
      name: `call beside ${atOnce} sign-ins`,
      unit: 'ms',
      value,
      bound: { of: 'p95', side: 'at most', limit: 50 },
    },
  ]
}
