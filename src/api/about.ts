/** The texts and codes of a call in the API's document that do not follow from its path, input, output and access. */
import type { ErrorCode } from './errors.ts'

export interface About {
  /** One line. */
  readonly summary: string
  /** Sentences that follow the permissions that the call needs. */
  readonly remark?: string
  /** The error codes that do not follow from the input and the access (http/openapi/failures.ts derives those). */
  readonly errors?: readonly ErrorCode[]
  /** The statuses of success; 200 if absent. A call that creates something returns 201. */
  readonly statuses?: readonly (200 | 201 | 204)[]
  /** The content type of a call that sends bytes; the file's own if absent. */
  readonly contentType?: string
}

/** The page's bundle replaces this function by an empty one (build/build-page.ts): no page shows these texts. */
export const about = (summary: string, more: Omit<About, 'summary'> = {}): About => ({ summary, ...more })
