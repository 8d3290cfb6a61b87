/** The parts of the process that a run of the program uses: streams, environment, platform, exit code. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { isAbsolute, resolve, sep } from 'node:path'

/** Node's `process` satisfies this type. */
export type ProcessContext = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env' | 'platform' | 'exitCode'> & {
  /** An absolute path: the base of relative paths, if it is not the process's working directory. */
  readonly workingFolder?: string
}

const contexts = new AsyncLocalStorage<ProcessContext>()

/** Returns the context of the calling run. Call it outside of event listeners, which may belong to another run. */
export const processContext = (): ProcessContext => contexts.getStore() ?? process

/** Runs something in a context of its own; several runs at once do not mix. */
export const runInContext = <Result>(context: ProcessContext, work: () => Result): Result =>
  // In Node 20 a store makes every promise of the process slower, so a process with only one command does without.
  context === process ? work() : contexts.run(context, work)

/** Returns the absolute path for a path that a person gave. */
export const resolvePath = (path: string): string => resolve(processContext().workingFolder ?? '', path)

/**
 * Like `resolvePath`, but keeps `..` and trailing slashes, so that the file system resolves them itself after it has
 * followed links.
 */
export function reachPath(path: string): string {
  const { workingFolder } = processContext()
  return workingFolder === undefined || isAbsolute(path) ? path : `${workingFolder}${sep}${path}`
}
