/** What stands for a number that is no time, as only a damaged database has it: one such row breaks no list. */
const noTime = new Date(0).toISOString()

/** A time of the database (ms, UTC) as the wire has it. */
export function isoTime(time: number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? noTime : date.toISOString()
}

/** The same where there may be none. */
export const maybeIsoTime = (time: number | null): string | null => (time === null ? null : isoTime(time))
