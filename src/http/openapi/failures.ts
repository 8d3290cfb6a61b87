/** Determines the error codes that a call can return, from its properties and a table of the remaining ones. */
import type { Access } from '../../access/policy.ts'
import { type ErrorCode, errorStatus } from '../../api/errors.ts'
import { beforePasswordChange } from '../caller.ts'
import { mayGrow } from '../growth.ts'
import type { Operation, OperationName } from './operations.ts'
import { toInputSchema } from './schemas.ts'

/** The codes of single calls that do not follow from their properties. */
const ownCodes: Partial<Record<OperationName, readonly ErrorCode[]>> = {
  login: ['forbidden', 'bad_origin'],
  createApiKey: ['forbidden'],
  getFileByPath: ['not_found'],
  findFileByPath: ['not_found'],
  createFolder: ['name_taken', 'quota_exceeded'],
  renameFile: ['name_taken'],
  moveFile: ['name_taken', 'would_cycle'],
  copyFile: ['quota_exceeded', 'would_cycle'],
  uploadFile: ['file_too_large', 'quota_exceeded', 'unsupported_media', 'name_taken'],
  getThumbnail: ['storage_full'],
  downloadFile: ['range_not_satisfiable'],
  previewFile: ['range_not_satisfiable', 'unsupported_media'],
  restoreFile: ['not_trashed'],
  deleteFile: ['not_trashed'],
  createTag: ['name_taken'],
  updateTag: ['name_taken'],
  updateProfile: ['name_taken'],
  createUser: ['name_taken'],
  updateUser: ['name_taken', 'protected'],
  deleteUser: ['in_use', 'protected', 'quota_exceeded'],
  createRole: ['name_taken'],
  updateRole: ['name_taken', 'protected'],
  deleteRole: ['in_use', 'protected'],
  createField: ['name_taken'],
  updateSetting: ['not_found'],
  decideFile: ['already_decided'],
}

/** Whether the input refers to an item, tag or row by its id, which may not exist. */
const namesRow = (operation: Operation): boolean =>
  /"(parent_|file_|tag_)?ids?":/.test(JSON.stringify(toInputSchema(operation.endpoint.input)))

/** Returns the codes that depend on the caller's credentials; `access` is undefined for a public call. */
function callerCodes({ endpoint }: Operation, access: Access | undefined): ErrorCode[] {
  // A key is checked and charged on every call, even a public one.
  const codes: ErrorCode[] = ['unauthenticated', 'rate_limited']
  if (access === undefined) return codes
  if (access !== 'signed-in') codes.push('forbidden')
  if (endpoint.method !== 'GET') codes.push('bad_origin')
  if (!beforePasswordChange.includes(endpoint)) codes.push('password_change_required')
  return codes
}

/** Returns the codes that a call can return, in the order of the table of codes. */
export function possibleCodes(operation: Operation, access: Access | undefined): ErrorCode[] {
  const codes = new Set<ErrorCode>(['invalid_input', 'internal', 'unavailable'])
  for (const code of callerCodes(operation, access)) codes.add(code)
  for (const code of ownCodes[operation.name] ?? []) codes.add(code)
  if (operation.endpoint.carrier.startsWith('json')) {
    codes.add('unsupported_media')
    codes.add('body_too_large')
  }
  if (namesRow(operation)) codes.add('not_found')
  if (mayGrow(operation.endpoint)) codes.add('storage_full')
  return (Object.keys(errorStatus) as ErrorCode[]).filter(code => codes.has(code))
}
