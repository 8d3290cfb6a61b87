/** The columns of a list on screen, as the user wants them and the list's width allows. */
import { type RefObject, useMemo } from 'react'
import { usePreferences } from '../../../lib/local/preferences.ts'
import { usePhone } from '../../../ui/use-phone.ts'
import { useWidth } from '../../../ui/use-width.ts'
import { type Columns, fitColumns, type ListShape } from './columns.ts'

/** Pixels: a phone shows below the name what others have in columns, so nothing gives way. */
const roomOnPhone = 10_000

export function useColumns(list: RefObject<HTMLElement | null>, shape: ListShape): Columns {
  const width = useWidth(list)
  const now = fitColumns(usePreferences(), shape, usePhone() ? roomOnPhone : width)
  // Equal columns are the same object, so that rows and head are not rendered again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: its text says all of it
  const wide = useMemo(() => now.wide, [now.wide.join()])
  // biome-ignore lint/correctness/useExhaustiveDependencies: its text says all of it
  const widths = useMemo(() => now.widths, [now.widths.join()])
  return useMemo(() => ({ hasTags: now.hasTags, wide, widths }), [now.hasTags, wide, widths])
}
