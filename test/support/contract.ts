/** Every call of the contract, with the name of its export in `src/api`. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '../../src/api/endpoint.ts'

const folder = join(import.meta.dirname, '../../src/api')

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'carrier' in value && 'path' in value

export interface NamedEndpoint {
  /** `renameFile` */
  name: string
  endpoint: Endpoint
}

const modules = await Promise.all(
  readdirSync(folder).map(file => import(join(folder, file)) as Promise<Record<string, unknown>>),
)

export const contract: readonly NamedEndpoint[] = modules
  .flatMap(module => Object.entries(module))
  .flatMap(([name, value]) => (isEndpoint(value) ? [{ name, endpoint: value }] : []))

/** `PUT /files/:id/rename` */
export const callOf = ({ method, path }: Endpoint): string => `${method} ${path}`
