/** Builds the OpenAPI 3.1 document of the table of routes. */
import type { Route } from '../../route.ts'
import { version } from '../../version.ts'
import { sessionCookie } from '../session.ts'
import { describeAnswers } from './answers.ts'
import type { DescribedAccess } from './failures.ts'
import { componentHeaders } from './headers.ts'
import { describeInputs } from './inputs.ts'
import { type Operation, operations } from './operations.ts'
import { componentSchemas, type JsonSchema } from './schemas.ts'
import { subjectTitles } from './texts.ts'

const about = `Every answer but bytes and this document is \`{ success, message, data }\`, or for a failure
\`{ success, message, error, fields?, request_id }\`. Times are ISO 8601 in UTC, sizes are bytes, ids are positive
integers. Unknown fields are refused. What can be got can also be asked for with HEAD. Every answer to a key that has
limits, failures included, has the RateLimit headers.`

const keySchemes = {
  keyId: { type: 'apiKey', in: 'header', name: 'X-API-Key-ID', description: 'The public half of an API key.' },
  keySecret: { type: 'apiKey', in: 'header', name: 'X-API-Secret', description: 'The secret half of an API key.' },
  basic: { type: 'http', scheme: 'basic', description: 'Key id and secret in place of name and password.' },
  bearer: { type: 'http', scheme: 'bearer', description: '`<key id>:<secret>`' },
}

/** Returns the authentication methods that a call accepts. */
function securityOf(access: DescribedAccess | undefined): JsonSchema[] {
  if (access === undefined || access === 'visitor') return []
  if (access === 'session') return [{ session: [] }]
  return [{ session: [] }, { keyId: [], keySecret: [] }, { basic: [] }, { bearer: [] }]
}

const list = (permissions: readonly string[], word: string): string =>
  permissions.map(permission => `\`${permission}\``).join(` ${word} `)

/** Describes the permissions that a call needs, in a sentence. */
function needOf(access: DescribedAccess | undefined): string {
  if (access === undefined) return 'Open to all.'
  if (access === 'visitor') return 'For the visitors of a link, without an account.'
  if (access === 'session') return 'For signed-in users; API keys cannot call it.'
  if (access === 'signed-in') return 'For every session and API key.'
  if (typeof access === 'string') return `Needs ${list([access], 'and')}.`
  return 'all' in access ? `Needs ${list(access.all, 'and')}.` : `Needs ${list(access.any, 'or')}.`
}

function permissionOf(access: DescribedAccess | undefined): unknown {
  const isNone = access === undefined || access === 'session' || access === 'signed-in' || access === 'visitor'
  return isNone ? null : access
}

function describeOperation(operation: Operation, access: DescribedAccess | undefined): JsonSchema {
  const { summary, remark } = operation.endpoint.about
  return {
    operationId: operation.name,
    summary,
    description: remark === undefined ? needOf(access) : `${needOf(access)} ${remark}`,
    tags: [subjectTitles[operation.subject]],
    'x-permission': permissionOf(access),
    security: securityOf(access),
    ...describeInputs(operation),
    responses: describeAnswers(operation, access),
  }
}

/** What a route asks of its caller; undefined for a public one. */
function accessOf(route: Route): DescribedAccess | undefined {
  if (route.kind === 'public') return undefined
  return 'need' in route ? 'visitor' : route.access
}

/** Returns the document. Throws if a route's call is missing in `operations`. */
export function describeApi(routes: readonly Route[], publicUrl: string | null): JsonSchema {
  const paths: Record<string, JsonSchema> = {}
  for (const route of routes) {
    const operation = operations.find(({ endpoint }) => endpoint === route.endpoint)
    if (operation === undefined) throw new Error(`${route.endpoint.path} has no name`)
    const path = route.endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      [route.endpoint.method.toLowerCase()]: describeOperation(operation, accessOf(route)),
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'filestore', version, description: about },
    servers: [{ url: `${publicUrl?.replace(/\/$/, '') ?? ''}/api` }],
    tags: [...new Set(Object.values(subjectTitles))].map(name => ({ name })),
    paths,
    components: {
      schemas: componentSchemas(),
      headers: componentHeaders,
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie({ publicUrl }),
          description: 'What signing in sets.',
        },
        ...keySchemes,
      },
    },
  }
}
