/** Skips a test with its reason in the report; `.ci/count.mjs` prints it beside the test. */
import type { TestContext } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    skipReason?: string
  }
}

export function skipBecause(reason: string, { task, skip }: TestContext): never {
  task.meta.skipReason = reason
  return skip(reason)
}
