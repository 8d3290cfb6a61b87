/** What a run of the program has of the process around it: streams, environment, platform, exit code. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { isAbsolute, resolve, sep } from 'node:path'

/** Node's `process` is one. */
export type ProcessContext = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env' | 'platform' | 'exitCode'> & {
  /** Absolute; where relative paths begin, if not in the working folder of the process. */
  readonly workingFolder?: string
}

const contexts = new AsyncLocalStorage<ProcessContext>()

/** That of the run which asks; in an event's listener it may be another's, so take it before. */
export const processContext = (): ProcessContext => contexts.getStore() ?? process

/** Runs something in a context of its own; several at once do not mix. */
export const runInContext = <Result>(context: ProcessContext, work: () => Result): Result =>
  // In Node 20 a store makes every promise of the process slower, so a process that runs but one command goes without.
  context === process ? work() : contexts.run(context, work)

/** The absolute path that a person's path means. */
export const resolvePath = (path: string): string => resolve(processContext().workingFolder ?? '', path)

/** The same for the file system, which looks itself at what `..` and a slash at the end mean behind a link. */
export function reachPath(path: string): string {
  const { workingFolder } = processContext()
  return workingFolder === undefined || isAbsolute(path) ? path : `${workingFolder}${sep}${path}`
}
