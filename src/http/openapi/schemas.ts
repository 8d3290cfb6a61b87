/** Converts Zod schemas to JSON Schema: shared shapes become components, inputs are shown as a caller writes them. */
import * as z from 'zod/mini'
import { profile, session } from '../../api/auth.ts'
import { followingAge } from '../../api/changes.ts'
import { errorStatus } from '../../api/errors.ts'
import { changeEvent } from '../../api/events.ts'
import { itemName, limit, newPassword, textId, textParentId, textWholeNumber } from '../../api/fields.ts'
import { group, groupDetails } from '../../api/groups.ts'
import {
  abilities,
  breadcrumb,
  fileDetails,
  fileItem,
  folderListing,
  itemMetadata,
  itemTag,
  place,
} from '../../api/items.ts'
import { apiKey, createdApiKey } from '../../api/keys.ts'
import { maxFollowingAge, maxNameBytes, maxPageSize } from '../../api/limits.ts'
import { link, linkEvent } from '../../api/links.ts'
import { metadataField } from '../../api/metadata.ts'
import { metadataValues, uploadedMetadata } from '../../api/metadata-values.ts'
import { permissionKey } from '../../api/permissions.ts'
import { person } from '../../api/person.ts'
import { preferences } from '../../api/preferences.ts'
import { permission, role } from '../../api/roles.ts'
import { setting } from '../../api/settings.ts'
import { accessEntry, grantee, receivedShare, share } from '../../api/shares.ts'
import { sharingSettings } from '../../api/sharing-settings.ts'
import { space } from '../../api/spaces.ts'
import { tag } from '../../api/tags.ts'
import { user } from '../../api/users.ts'
import { pendingFile } from '../../api/validation.ts'
import { linkInfo, lockedLink, visitorItem } from '../../api/visits.ts'

export type JsonSchema = Record<string, unknown>

/** Shapes shared by several responses, by the name that generated clients give them. */
const shared: Record<string, z.ZodMiniType> = {
  Abilities: abilities,
  AccessEntry: accessEntry,
  ApiKey: apiKey,
  Breadcrumb: breadcrumb,
  ChangeEvent: changeEvent,
  CreatedApiKey: createdApiKey,
  FileDetails: fileDetails,
  FileItem: fileItem,
  FolderListing: folderListing,
  Grantee: grantee,
  Group: group,
  GroupDetails: groupDetails,
  ItemMetadata: itemMetadata,
  ItemTag: itemTag,
  MetadataField: metadataField,
  PendingFile: pendingFile,
  Permission: permission,
  PermissionKey: permissionKey,
  Person: person,
  Place: place,
  Preferences: preferences,
  Profile: profile,
  ReceivedShare: receivedShare,
  Role: role,
  Session: session,
  Setting: setting,
  Share: share,
  Link: link,
  LinkEvent: linkEvent,
  LinkInfo: linkInfo,
  LockedLink: lockedLink,
  VisitorItem: visitorItem,
  SharingSettings: sharingSettings,
  Space: space,
  Tag: tag,
  User: user,
}

const components = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries(shared)) components.add(schema, { id })

const textOf = (content: z.ZodMiniType): JsonSchema => ({
  type: 'string',
  contentMediaType: 'application/json',
  contentSchema: toInputSchema(content),
})

/** Inputs whose schema is not what a caller needs: digits in a query are numbers to a generated client. */
const asWritten = new Map<unknown, () => JsonSchema>([
  [textId, () => ({ type: 'integer', minimum: 1 })],
  [textParentId, () => ({ type: ['integer', 'null'], minimum: 1 })],
  [textWholeNumber, () => ({ type: 'integer', minimum: 0 })],
  [followingAge, () => ({ type: 'integer', minimum: 0, maximum: maxFollowingAge })],
  [limit, () => ({ type: 'integer', minimum: 1, maximum: maxPageSize })],
  [itemName, () => ({ type: 'string', minLength: 1, maxLength: maxNameBytes })],
  [newPassword, () => ({ type: 'string', format: 'password' })],
  [uploadedMetadata, () => textOf(metadataValues)],
])

/** Removes bounds that every integer has, and patterns that a format already implies. */
function simplify(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.type === 'integer' && schema.exclusiveMinimum === 0) {
    delete schema.exclusiveMinimum
    schema.minimum = 1
  }
  if (schema.format === 'date-time' || schema.format === 'date') delete schema.pattern
}

type Override = NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']

const override: Override = ({ zodSchema, jsonSchema }) => {
  const schema = jsonSchema as JsonSchema
  const written = asWritten.get(zodSchema)?.()
  if (written !== undefined) {
    for (const name of Object.keys(schema)) delete schema[name]
    Object.assign(schema, written)
  }
  simplify(schema)
}

/** Allows additional properties in responses, because later versions may add fields; inputs allow none. */
const overrideOutput: Override = context => {
  override(context)
  delete (context.jsonSchema as JsonSchema).additionalProperties
}

const defsBase = '#/$defs/'
const componentsBase = '#/components/schemas/'

/** Changes references to the schema's own definitions into references to the document's components. */
const moveRefs = (schema: JsonSchema): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema, (name, value: unknown) =>
      name === '$ref' && typeof value === 'string' ? value.replace(defsBase, componentsBase) : value,
    ),
  ) as JsonSchema

/** Returns the schema of what a caller may send. */
export function toInputSchema(input: z.ZodMiniType): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(input, { io: 'input', override }) as JsonSchema
  return schema
}

/** Returns the schema of `data`, with references to the components. */
export function toOutputSchema(output: z.ZodMiniType): JsonSchema {
  // Wrap it in an object, so that a component becomes a reference instead of being inlined.
  const whole = z.toJSONSchema(z.object({ data: output }), { metadata: components, override: overrideOutput })
  return moveRefs((whole.properties?.data ?? {}) as JsonSchema)
}

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['success', 'message', 'error', 'request_id'],
  properties: {
    success: { const: false },
    message: { type: 'string', description: 'A sentence for people.' },
    error: { type: 'string', enum: Object.keys(errorStatus) },
    fields: {
      type: 'object',
      description: 'Name of a field of the input → what is wrong with it.',
      additionalProperties: { type: 'string' },
    },
    request_id: { type: 'string', format: 'uuid' },
  },
}

/** The document's `components.schemas`. */
export function componentSchemas(): Record<string, JsonSchema> {
  const all = z.toJSONSchema(z.object(shared), { metadata: components, override: overrideOutput })
  return { Error: errorSchema, ...(moveRefs((all.$defs ?? {}) as JsonSchema) as Record<string, JsonSchema>) }
}
