/** A time of the database (ms, UTC) as the wire has it. */
export const isoTime = (time: number): string => new Date(time).toISOString()

/** The same where there may be none. */
export const maybeIsoTime = (time: number | null): string | null => (time === null ? null : isoTime(time))
