/** The columns of a list on screen, as the user wants them and the list's width allows. */
import { type RefObject, useMemo } from 'react'
import { usePreferences } from '../../../lib/local/preferences.ts'
import { useWidth } from '../../../ui/use-width.ts'
import { type Columns, fitColumns, type ListShape } from './columns.ts'

export function useColumns(list: RefObject<HTMLElement | null>, shape: ListShape): Columns {
  const now = fitColumns(usePreferences(), shape, useWidth(list))
  // Equal columns are the same object, so that rows and head are not rendered again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: its text says all of it
  const wide = useMemo(() => now.wide, [now.wide.join()])
  // biome-ignore lint/correctness/useExhaustiveDependencies: its text says all of it
  const widths = useMemo(() => now.widths, [now.widths.join()])
  return useMemo(() => ({ hasTags: now.hasTags, wide, widths }), [now.hasTags, wide, widths])
}
