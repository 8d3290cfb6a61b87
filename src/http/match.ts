/** Finds the route of a method and a path; fixed segments win over parameters. */
import type { Method } from '../api/endpoint.ts'
import type { Route } from '../route.ts'

export type PathParams = Record<string, string>

export interface Match {
  route: Route
  params: PathParams
}

interface Pattern {
  route: Route
  segments: string[]
}

const isParam = (segment: string): boolean => segment.startsWith(':')
const paramCount = ({ segments }: Pattern): number => segments.filter(isParam).length

function matchSegments(pattern: string[], segments: string[]): PathParams | null {
  if (pattern.length !== segments.length) return null
  const params: PathParams = {}
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? ''
    if (!isParam(expected)) {
      if (segment !== expected) return null
    } else if (segment === '') return null
    else params[expected.slice(1)] = segment
  }
  return params
}

interface Matcher {
  /** Returns the route, or the methods that the path allows (none for an unknown path). A HEAD matches a GET, unless it has a route of its own. */
  find(method: string, path: string): Match | { allow: Method[] }
}

/** Prepares a table of routes for look-ups. Paths are relative to the API base and are compared without decoding. */
export function createMatcher(routes: readonly Route[]): Matcher {
  const patterns = routes
    .map(route => ({ route, segments: route.endpoint.path.split('/') }))
    .sort((a, b) => paramCount(a) - paramCount(b))
  return {
    find: (method, path) => {
      const segments = path.split('/')
      const allow: Method[] = []
      let forGet: Match | undefined
      let fewest = Number.POSITIVE_INFINITY
      for (const pattern of patterns) {
        // `/files/upload` is never the file called `upload`: the fixed path wins for every method.
        if (paramCount(pattern) > fewest) break
        const params = matchSegments(pattern.segments, segments)
        if (params === null) continue
        const { route } = pattern
        if (route.endpoint.method === method) return { route, params }
        if (method === 'HEAD' && route.endpoint.method === 'GET') forGet = { route, params }
        fewest = paramCount(pattern)
        allow.push(route.endpoint.method)
      }
      return forGet ?? { allow }
    },
  }
}
