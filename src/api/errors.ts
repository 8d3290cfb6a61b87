/** All error codes with their HTTP statuses, and the shape of a failed answer. */
export const errorStatus = {
  invalid_input: 400,
  unauthenticated: 401,
  password_required: 401,
  forbidden: 403,
  password_change_required: 403,
  bad_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  name_taken: 409,
  would_cycle: 409,
  in_use: 409,
  not_trashed: 409,
  already_decided: 409,
  protected: 409,
  offset_mismatch: 409,
  precondition_failed: 412,
  file_too_large: 413,
  quota_exceeded: 413,
  body_too_large: 413,
  unsupported_media: 415,
  range_not_satisfiable: 416,
  locked: 423,
  rate_limited: 429,
  checksum_mismatch: 460,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
} as const

export type ErrorCode = keyof typeof errorStatus

/** Field name → a sentence about what is wrong with it. */
export type FieldErrors = Record<string, string>

export interface ErrorBody {
  success: false
  message: string
  error: ErrorCode
  fields?: FieldErrors
  request_id: string
}

export interface SuccessBody<Data> {
  success: true
  message: string
  data: Data
}
