/** Problems of a backup or its source: one sentence each; only the first thousand are kept. */
export interface Problems {
  problems: string[]
  problem_count: number
}

export const toldProblems = 1000

export const noProblems = (): Problems => ({ problems: [], problem_count: 0 })

/** `count` is the total when `found` holds only the first ones. */
export function addProblems(to: Problems, found: readonly string[], count = found.length): void {
  to.problem_count += count
  to.problems.push(...found.slice(0, toldProblems - to.problems.length))
}

/** Adds problems of whole tables, of which there are few, without those that are listed already. */
export const addNewProblems = (to: Problems, found: readonly string[]): void =>
  addProblems(
    to,
    found.filter(problem => !to.problems.includes(problem)),
  )
