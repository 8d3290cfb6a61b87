/** The format of sizes and dates. */
import { describe, expect, test } from 'vitest'
import { daysLeft, formatDate, formatDay, formatMoment, formatPeriod } from '../../web/lib/words/format-date.ts'
import { formatLimit, formatShare, formatSize } from '../../web/lib/words/format-size.ts'

describe('sizes', () => {
  test.each([
    [0, '0 Bytes'],
    [1, '1 Bytes'],
    [1023, '1023 Bytes'],
    [1024, '1.00 KB'],
    [14_970, '14.62 KB'],
    [1024 ** 2, '1.00 MB'],
    [5_368_709_120, '5.00 GB'],
    [3 * 1024 ** 4, '3072.00 GB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text)
  })

  test('a used share has the unit of the whole', () => {
    expect(formatShare(19_063_111, 29_779_558)).toBe('18.18 of 28.40 MB')
    expect(formatShare(0, 12)).toBe('0 of 12 Bytes')
  })

  test('a limit has no trailing zeros', () => {
    expect(formatLimit(33_554_432)).toBe('32MB')
    expect(formatLimit(1_610_612_736)).toBe('1.5GB')
  })
})

describe('dates', () => {
  const at = (day: number, hour: number, minute = 0, second = 0) => new Date(2026, 10, day, hour, minute, second)
  const now = at(21, 10)

  test.each([
    [at(21, 9, 59, 30), 'Just now'],
    [at(21, 9, 59), '1 minute ago'],
    [at(21, 9, 1), '59 minutes ago'],
    [at(21, 9), 'Today, 09:00'],
    [at(20, 23, 10), 'Yesterday, 23:10'],
    [at(15, 12), '6 days ago'],
    [at(14, 12), '14 Nov 2026'],
  ])('the moment %s is shown as %s', (time, text) => {
    expect(formatMoment(time.toISOString(), now)).toBe(text)
  })

  test.each([
    [at(21, 9, 41), 'Today, 09:41'],
    [at(20, 23, 59), 'Yesterday'],
    [at(19, 0, 1), '2 days ago'],
    [at(15, 12), '6 days ago'],
    [at(14, 12), '14 Nov 2026'],
    [new Date(2026, 8, 5), '05 Sep 2026'],
    [at(22, 0, 1), '22 Nov 2026'],
  ])('the day and time %s are shown as %s', (time, text) => {
    expect(formatDate(time.toISOString(), now)).toBe(text)
  })

  test('a date can be shown without the time', () => {
    expect(formatDay(at(3, 12).toISOString())).toBe('03 Nov 2026')
  })

  test('the days left count down to none', () => {
    expect(daysLeft(at(21, 9).toISOString(), 30, now)).toBe(30)
    expect(daysLeft(at(18, 9).toISOString(), 30, now)).toBe(27)
    expect(daysLeft(new Date(2026, 0, 1).toISOString(), 30, now)).toBe(0)
  })
})

describe('the period of a time', () => {
  test.each([
    ['2026-11-26T00:00:00', 'Today'],
    ['2026-11-27T09:00:00', 'Today'],
    ['2026-11-25T23:59:59', 'Yesterday'],
    ['2026-11-24T12:00:00', 'This week'],
    ['2026-11-23T00:00:00', 'This week'],
    ['2026-11-22T23:59:59', 'Earlier'],
    ['2025-11-25T12:00:00', 'Earlier'],
  ])('%s is %s on Thursday, 26 November 2026', (time, period) => {
    expect(formatPeriod(time, new Date('2026-11-26T12:00:00'))).toBe(period)
  })

  test('is Yesterday, and not This week, for a Sunday seen on Monday', () => {
    const monday = new Date('2026-11-23T12:00:00')
    expect(formatPeriod('2026-11-22T12:00:00', monday)).toBe('Yesterday')
    expect(formatPeriod('2026-11-21T12:00:00', monday)).toBe('Earlier')
  })
})
