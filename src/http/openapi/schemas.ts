/** From the contract's schemas to JSON Schema: shared shapes as components, inputs as a caller writes them. */
import * as z from 'zod/mini'
import { profile, session } from '../../api/auth.ts'
import { errorStatus } from '../../api/errors.ts'
import { changeEvent } from '../../api/events.ts'
import { itemName, limit, newPassword, textId, textParentId, textWholeNumber } from '../../api/fields.ts'
import { breadcrumb, fileDetails, fileItem, folderListing, itemMetadata, itemTag } from '../../api/items.ts'
import { apiKey, createdApiKey } from '../../api/keys.ts'
import { maxNameBytes, maxPageSize } from '../../api/limits.ts'
import { metadataField } from '../../api/metadata.ts'
import { metadataValues, uploadedMetadata } from '../../api/metadata-values.ts'
import { permissionKey } from '../../api/permissions.ts'
import { permission, role } from '../../api/roles.ts'
import { setting } from '../../api/settings.ts'
import { tag } from '../../api/tags.ts'
import { user } from '../../api/users.ts'
import { pendingFile } from '../../api/validation.ts'

export type JsonSchema = Record<string, unknown>

/** What several answers share, under the name that generated clients give it. */
const shared: Record<string, z.ZodMiniType> = {
  ApiKey: apiKey,
  Breadcrumb: breadcrumb,
  ChangeEvent: changeEvent,
  CreatedApiKey: createdApiKey,
  FileDetails: fileDetails,
  FileItem: fileItem,
  FolderListing: folderListing,
  ItemMetadata: itemMetadata,
  ItemTag: itemTag,
  MetadataField: metadataField,
  PendingFile: pendingFile,
  Permission: permission,
  PermissionKey: permissionKey,
  Profile: profile,
  Role: role,
  Session: session,
  Setting: setting,
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

/** Inputs whose schema says more, or less, than a caller needs: digits in a query are numbers to a generated client. */
const asWritten = new Map<unknown, () => JsonSchema>([
  [textId, () => ({ type: 'integer', minimum: 1 })],
  [textParentId, () => ({ type: ['integer', 'null'], minimum: 1 })],
  [textWholeNumber, () => ({ type: 'integer', minimum: 0 })],
  [limit, () => ({ type: 'integer', minimum: 1, maximum: maxPageSize })],
  [itemName, () => ({ type: 'string', minLength: 1, maxLength: maxNameBytes })],
  [newPassword, () => ({ type: 'string', format: 'password' })],
  [uploadedMetadata, () => textOf(metadataValues)],
])

/** Leaves out bounds that every integer has and patterns that a format says already. */
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

/** An answer may get fields that a client of today does not know, so it is not closed as an input is. */
const overrideOutput: Override = context => {
  override(context)
  delete (context.jsonSchema as JsonSchema).additionalProperties
}

const defsBase = '#/$defs/'
const componentsBase = '#/components/schemas/'

/** References into the schema's own definitions, turned to the document's components. */
const moveRefs = (schema: JsonSchema): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema, (name, value: unknown) =>
      name === '$ref' && typeof value === 'string' ? value.replace(defsBase, componentsBase) : value,
    ),
  ) as JsonSchema

/** What a caller may send. */
export function toInputSchema(input: z.ZodMiniType): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(input, { io: 'input', override }) as JsonSchema
  return schema
}

/** What stands in `data`, with references to the components. */
export function toOutputSchema(output: z.ZodMiniType): JsonSchema {
  // Within an object of its own, so that a component is referred to and not written out.
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
