/** The pattern of a request's path, for the log and the figures: a path itself may hold the token of a link. */
import type { Context } from 'koa'
import type { AnyEndpoint } from '../route.ts'

const ownPaths = ['/healthz', '/readyz', '/metrics', '/robots.txt']

/** `/api/files/:id` for a call; all other paths in the few groups that are useful to operators. */
export function patternOf({ path, state }: Context): string {
  const endpoint = state.endpoint as AnyEndpoint | undefined
  if (endpoint !== undefined) return `/api${endpoint.path}`
  if (path === '/api' || path.startsWith('/api/')) return '/api/*'
  if (path.startsWith('/assets/')) return '/assets/*'
  if (path.startsWith('/s/')) return '/s/*'
  return ownPaths.includes(path) ? path : '/*'
}
