/** Notes what passed at its second try, which the gate allows a busy machine: `.ci/count.mjs` names it with its reason. */
import { afterEach } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** What the first try failed with. */
    firstFailure?: string
  }
}

afterEach(({ task }) => {
  const [error] = task.result?.errors ?? []
  if (task.result?.retryCount && error) task.meta.firstFailure = error.message
})
