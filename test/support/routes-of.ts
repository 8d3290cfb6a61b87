/** Builds the route table of the test's server again, for inspection. */
import { openFiles } from '../../src/files/files.ts'
import { createRoutes } from '../../src/http/routes.ts'
import type { Route } from '../../src/route.ts'
import { withOwnFigures } from './own-figures.ts'
import type { TestServer } from './test-server.ts'

export const routesOf = ({ deps }: TestServer): Route[] => createRoutes(deps, openFiles(withOwnFigures(deps)))
