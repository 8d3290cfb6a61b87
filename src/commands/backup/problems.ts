/** What is wrong with a backup, or with what it was made of: a sentence each, of which the first thousand are kept. */
export interface Problems {
  problems: string[]
  problem_count: number
}

export const toldProblems = 1000

export const noProblems = (): Problems => ({ problems: [], problem_count: 0 })

/** `count`: how many there are where these are only the first of them. */
export function addProblems(to: Problems, found: readonly string[], count = found.length): void {
  to.problem_count += count
  to.problems.push(...found.slice(0, toldProblems - to.problems.length))
}
