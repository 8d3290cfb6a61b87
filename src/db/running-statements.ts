/** The statements that run in one transaction: reads may run beside each other, a change runs alone. */

export interface RunningStatements {
  /** False once the transaction has ended: a query that comes later has outlived it. */
  open: boolean
  /** The number of running statements, whether one of them is a change, and a callback for the end of the last. */
  running: number
  changing: boolean
  onIdle: () => void
}

/** The state of a transaction that has just begun. */
export const noStatements = (): RunningStatements => ({
  open: true,
  running: 0,
  changing: false,
  onIdle: () => undefined,
})

/**
 * Begins a statement. Reads may run at the same time. A change must run alone: if it fails, it may have ended the whole
 * transaction (SQLite's does on a full disk), and a change beside it would then commit by itself. Throws if an `await`
 * is missing.
 */
export function beginStatement(statements: RunningStatements, isChange: boolean): void {
  if (!statements.open) throw new Error('a query outlived its write(): an await is missing')
  if (statements.changing || (isChange && statements.running > 0)) {
    throw new Error('a write() makes its changes one after the other: an await is missing')
  }
  statements.running += 1
  statements.changing = isChange
}

/** Ends what beginStatement began, whether or not it failed. */
export function endStatement(statements: RunningStatements): void {
  statements.running -= 1
  statements.changing = false
  if (statements.running === 0) statements.onIdle()
}

/** Refuses new statements, and waits for the running ones. */
export function endStatements(statements: RunningStatements): Promise<void> {
  statements.open = false
  return new Promise(resolve => {
    statements.onIdle = resolve
    if (statements.running === 0) resolve()
  })
}
