/** Replaces a number that is not a valid time. Only a damaged database has one, and it must not fail a whole list. */
const noTime = new Date(0).toISOString()

/** Formats a time of the database (ms, UTC) for the API. */
export function isoTime(time: number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? noTime : date.toISOString()
}

/** Like `isoTime`, but null stays null. */
export const maybeIsoTime = (time: number | null): string | null => (time === null ? null : isoTime(time))
