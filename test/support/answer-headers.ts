/** Compares the headers of two answers. */

/** Headers that differ in every answer, and the header that names the server program. */
const own = ['date', 'connection', 'keep-alive', 'x-request-id', 'server']

/** The headers of an answer without `own` and `others`; the expiry is removed from a session's cookie. */
export const headersBut = ({ headers }: Response, ...others: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    [...headers]
      .filter(([name]) => ![...own, ...others].includes(name))
      .map(([name, value]) => [name, name === 'set-cookie' ? value.replace(/expires=[^;]*/, '') : value]),
  )
