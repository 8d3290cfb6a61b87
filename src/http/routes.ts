/** The full table of routes. */
import type { Deps } from '../deps.ts'
import { fileRoutes } from '../files/routes.ts'
import { keyRoutes } from '../keys/routes.ts'
import { userRoutes } from '../users/routes.ts'
import type { Route } from './route.ts'

export const createRoutes = (deps: Deps): Route[] => [...userRoutes(deps), ...keyRoutes(deps), ...fileRoutes(deps)]
