/** Every call of the API by name and subject; the API's document is built from this list. */
import * as auth from '../../api/auth.ts'
import * as changes from '../../api/changes.ts'
import * as content from '../../api/content.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import * as events from '../../api/events.ts'
import * as files from '../../api/files.ts'
import * as groups from '../../api/groups.ts'
import * as keys from '../../api/keys.ts'
import * as linkUploads from '../../api/link-uploads.ts'
import * as links from '../../api/links.ts'
import * as metadata from '../../api/metadata.ts'
import * as openapi from '../../api/openapi.ts'
import * as roles from '../../api/roles.ts'
import * as search from '../../api/search.ts'
import * as settings from '../../api/settings.ts'
import * as shares from '../../api/shares.ts'
import * as spaces from '../../api/spaces.ts'
import * as system from '../../api/system.ts'
import * as tags from '../../api/tags.ts'
import * as trash from '../../api/trash.ts'
import * as resumable from '../../api/tus.ts'
import * as uploads from '../../api/upload-many.ts'
import * as users from '../../api/users.ts'
import * as validation from '../../api/validation.ts'
import * as visits from '../../api/visits.ts'
import type { AnyEndpoint } from '../../route.ts'

const modules = {
  auth,
  keys,
  files,
  content,
  uploads,
  resumable,
  trash,
  search,
  changes,
  shares,
  links,
  visits,
  linkUploads,
  spaces,
  groups,
  tags,
  users,
  roles,
  metadata,
  settings,
  validation,
  events,
  system,
  openapi,
}

type Modules = typeof modules
export type SubjectName = keyof Modules
type EndpointName<Module> = { [Name in keyof Module]: Module[Name] extends AnyEndpoint ? Name : never }[keyof Module]
/** The names under which `src/api` exports its calls: `renameFile`. */
export type OperationName = { [Subject in SubjectName]: EndpointName<Modules[Subject]> }[SubjectName]

export interface Operation {
  name: OperationName
  subject: SubjectName
  endpoint: Endpoint
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'carrier' in value && 'path' in value

export const operations: readonly Operation[] = Object.entries(modules).flatMap(([subject, module]) =>
  Object.entries(module).flatMap(([name, value]: [string, unknown]) =>
    isEndpoint(value) ? [{ name: name as OperationName, subject: subject as SubjectName, endpoint: value }] : [],
  ),
)
