/** The progress of the tray in numbers and words. */
import { openOf, type Totals } from '../lib/uploads/upload.ts'

const digits = (amount: number): string => amount.toLocaleString('en-US')

/** `2,000 files`. */
export const count = (amount: number, noun: string): string => `${digits(amount)} ${noun}${amount === 1 ? '' : 's'}`

/** How many rows are waiting or uploading, without those that wait for an answer. */
export const sendingOf = (totals: Totals): number => openOf(totals) - totals.describing - totals.clashing

/** `reading` counts the files found so far in dropped folders; null while none are read. */
export function titleOf(totals: Totals, reading: number | null): string {
  const asking = totals.describing + totals.clashing
  if (sendingOf(totals) > 0) return `Uploading ${digits(totals.completed + 1)} of ${digits(totals.all)}`
  if (reading !== null) return 'Reading folders…'
  if (asking > 0) return asking === 1 ? '1 file waits for you' : `${digits(asking)} files wait for you`
  if (totals.failed > 0) return `${count(totals.failed, 'upload')} failed`
  if (totals.unfinished > 0) return `${count(totals.unfinished, 'upload')} unfinished`
  return totals.all > 0 ? 'Upload complete' : 'Upload'
}

/** The percentage sent, rounded down, of all bytes that have not failed. */
export const percentOf = ({ bytes, sent }: Totals): number => (bytes === 0 ? 0 : Math.floor((sent / bytes) * 100))
