/** Dates for people, in the browser's time zone. */

// Written by hand: `Intl` takes several times as long, and scrolling a list formats hundreds of dates a second.
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const twoDigits = (number: number): string => String(number).padStart(2, '0')
const clock = (time: Date): string => `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`

const midnight = (time: Date): number => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime()
/** Rounded, because a day on which clocks change has 23 or 25 hours. */
const daysBetween = (earlier: Date, later: Date): number =>
  Math.round((midnight(later) - midnight(earlier)) / 86_400_000)

/** `14 Nov 2026`. */
export function formatDay(iso: string): string {
  const time = new Date(iso)
  return `${twoDigits(time.getDate())} ${months[time.getMonth()]} ${time.getFullYear()}`
}

/** `Today`, `Yesterday`, `3 days ago` within a week, else the date. `now` is the time of reading. */
export function formatRelativeDay(iso: string, now = new Date()): string {
  const days = daysBetween(new Date(iso), now)
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return days > 1 && days < 7 ? `${days} days ago` : formatDay(iso)
}

/** The same, with the time when it is today: `Today, 09:41`. */
export function formatDate(iso: string, now = new Date()): string {
  const day = formatRelativeDay(iso, now)
  return day === 'Today' ? `Today, ${clock(new Date(iso))}` : day
}

/** `Today`, `Yesterday`, `This week` since Monday, else `Earlier`. */
export function formatPeriod(iso: string, now = new Date()): string {
  const days = daysBetween(new Date(iso), now)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  const sinceMonday = (now.getDay() + 6) % 7
  return days <= sinceMonday ? 'This week' : 'Earlier'
}

/** Recent times to the minute: `Just now`, `4 minutes ago`, `Today, 09:41`, `Yesterday, 23:10`. */
export function formatMoment(iso: string, now = new Date()): string {
  const minutes = Math.floor((now.getTime() - Date.parse(iso)) / 60_000)
  if (minutes < 1) return 'Just now'
  if (minutes < 60) return minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`
  const day = formatDate(iso, now)
  return day === 'Yesterday' ? `Yesterday, ${clock(new Date(iso))}` : day
}

/** Date and time, for the tooltip of a short date: `14 Nov 2026, 09:41`. */
export const formatFullDate = (iso: string): string => `${formatDay(iso)}, ${clock(new Date(iso))}`

/** The calendar days left of `days` after the given time; at least 0. */
export function daysLeft(iso: string, days: number, now = new Date()): number {
  return Math.max(0, days - daysBetween(new Date(iso), now))
}
