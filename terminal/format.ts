/** Sizes, times and counts as people read them. */
export { formatSize } from '../src/api/size.ts'

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Formats an ISO time in the machine's time zone, to the minute: `2024-05-31 17:04`. */
export function formatTime(iso: string): string {
  const time = new Date(iso)
  const date = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-')
  return `${date} ${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`
}

/** Formats the day of an ISO time in the machine's time zone: `2024-05-31`. */
export const formatDay = (iso: string): string => formatTime(iso).slice(0, 10)

/** Formats seconds as `0:07`, `12:30` or `3:05:00`. */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds)
  const minutes = Math.floor(whole / 60)
  const tail = twoDigits(whole % 60)
  return minutes < 60 ? `${minutes}:${tail}` : `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${tail}`
}

/** `1 file`, `2 files`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The message about files that did not need to be transferred again. */
export const thereAlready = (count: number): string =>
  `${countOf(count, 'file')} ${count === 1 ? 'was' : 'were'} there already`

/** Names for a question: `'a', 'b'`, or only their number if there are more than three. */
export const listNames = (names: readonly string[]): string =>
  names.length > 3 ? `these ${names.length}` : names.map(name => `'${name}'`).join(', ')
