/** Problems of a backup or its source: one sentence each; only the first thousand are kept. */
export interface Problems {
  problems: string[]
  problem_count: number
}

export const toldProblems = 1000
/** Characters that are kept of a problem: names and keys in a damaged row may be of any length. */
const mostCharacters = 1000

const shorten = (problem: string): string =>
  problem.length > mostCharacters ? `${problem.slice(0, mostCharacters)}…` : problem

export const noProblems = (): Problems => ({ problems: [], problem_count: 0 })

/** `count` is the total when `found` holds only the first ones. */
export function addProblems(to: Problems, found: readonly string[], count = found.length): void {
  to.problem_count += count
  to.problems.push(...found.slice(0, toldProblems - to.problems.length).map(shorten))
}

/** Adds problems of whole tables, of which there are few, without those that are listed already. */
export const addNewProblems = (to: Problems, found: readonly string[]): void =>
  addProblems(
    to,
    found.filter(problem => !to.problems.includes(shorten(problem))),
  )
