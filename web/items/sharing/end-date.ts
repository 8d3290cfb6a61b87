/** Access ends with a day: the day that a date field holds, and the time that the server keeps. */

/** `YYYY-MM-DD` of a time, in the browser's time zone. */
export function dayOf(time: Date): string {
  const [month, day] = [time.getMonth() + 1, time.getDate()].map(part => String(part).padStart(2, '0'))
  return `${time.getFullYear()}-${month}-${day}`
}

/** Why access cannot end with a day; null for a day to come, today and none. */
export const dayProblem = (day: string): string | null =>
  day !== '' && day < dayOf(new Date()) ? 'Choose today or a later day' : null

/** The last moment of a day as ISO 8601; null for none. */
export const endOfDay = (day: string): string | null =>
  day === '' ? null : new Date(`${day}T23:59:59.999`).toISOString()
