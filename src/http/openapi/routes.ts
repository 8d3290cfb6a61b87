/** The route that returns the API's own document. */
import { createHash } from 'node:crypto'
import { getOpenApi } from '../../api/openapi.ts'
import type { Deps } from '../../deps.ts'
import { sendDocument } from '../../reply.ts'
import { publicRoute, type Route } from '../../route.ts'

interface BuiltDocument {
  bytes: Buffer
  etag: string
}

/** Loads the builder and builds the document; both are too slow for the start. */
async function buildDocument(routes: readonly Route[], publicUrl: string | null): Promise<BuiltDocument> {
  const { describeApi } = await import('./document.ts')
  const bytes = Buffer.from(JSON.stringify(describeApi(routes, publicUrl)))
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex')}"` }
}

/** Adds the document's own route to a table; the document is built at the first request. */
export function withDocument(routes: readonly Route[], { config }: Deps): Route[] {
  let built: Promise<BuiltDocument> | undefined
  const documentRoute = publicRoute(getOpenApi, async ({ request }) => {
    built ??= buildDocument(all, config.publicUrl)
    const { bytes, etag } = await built
    return request.hasCopy(etag) ? { kind: 'not-modified', etag } : sendDocument(bytes, etag)
  })
  const all = [...routes, documentRoute]
  return all
}
