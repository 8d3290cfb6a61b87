/** Headers of two answers that should say the same. */

/** What each answer has of its own, and the server its program. */
const own = ['date', 'connection', 'keep-alive', 'x-request-id', 'server']

/** The headers of an answer but for its own and `others`; a session's cookie without the second at which it ends. */
export const headersBut = ({ headers }: Response, ...others: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    [...headers]
      .filter(([name]) => ![...own, ...others].includes(name))
      .map(([name, value]) => [name, name === 'set-cookie' ? value.replace(/expires=[^;]*/, '') : value]),
  )
