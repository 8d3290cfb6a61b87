/** The full table of routes. */
import type { Deps } from '../deps.ts'
import { eventRoutes } from '../events/routes.ts'
import type { Files } from '../files/files.ts'
import { fileRoutes } from '../files/routes.ts'
import { groupRoutes } from '../groups/routes.ts'
import { keyRoutes } from '../keys/routes.ts'
import { guestRoutes } from '../links/guest-routes.ts'
import { linkRoutes } from '../links/routes.ts'
import { liveRoutes } from '../live/routes.ts'
import { metadataRoutes } from '../metadata/routes.ts'
import { roleRoutes } from '../roles/routes.ts'
import type { Route } from '../route.ts'
import { settingRoutes } from '../settings/routes.ts'
import { shareRoutes } from '../shares/routes.ts'
import { spaceRoutes } from '../spaces/routes.ts'
import { systemRoutes } from '../system/routes.ts'
import { tagRoutes } from '../tags/routes.ts'
import { uploadRoutes } from '../uploads/routes.ts'
import { userRoutes } from '../users/routes.ts'
import { validationRoutes } from '../validation/routes.ts'
import { withDocument } from './openapi/routes.ts'
import { tusRoutes } from './tus.ts'

export const createRoutes = (deps: Deps, files: Files): Route[] =>
  withDocument(
    [
      ...userRoutes(deps),
      ...roleRoutes(deps),
      ...keyRoutes(deps),
      ...fileRoutes(deps, files),
      ...uploadRoutes(deps),
      ...tusRoutes(deps),
      ...tagRoutes(deps),
      ...groupRoutes(deps),
      ...spaceRoutes(deps),
      ...shareRoutes(deps),
      ...linkRoutes(deps),
      ...guestRoutes(deps, files),
      ...eventRoutes(deps),
      ...liveRoutes(deps),
      ...metadataRoutes(deps),
      ...settingRoutes(deps),
      ...systemRoutes(deps),
      ...validationRoutes(deps),
    ],
    deps,
  )
