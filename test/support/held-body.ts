/** Sends requests without their last byte until the test releases it. */
import type { TestClient } from './client.ts'
import { sendWire, type WireAnswer, type WireRequest } from './wire.ts'

export interface HeldRequest extends WireRequest {
  body: string | Buffer
}

/** Sends requests without their last byte; the returned function sends the rest and returns the answers. */
export function holdLastBytes(url: string, client: TestClient, requests: readonly HeldRequest[]) {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const answers = requests.map(({ body, headers, ...request }) => {
    const bytes = Buffer.from(body)
    async function* pieces(): AsyncGenerator<Buffer> {
      yield bytes.subarray(0, -1)
      await released
      yield bytes.subarray(-1)
    }
    return sendWire(url, { ...request, headers: { ...client.headers, ...headers }, body: pieces() })
  })
  return async (): Promise<WireAnswer[]> => {
    release()
    return Promise.all(answers)
  }
}
