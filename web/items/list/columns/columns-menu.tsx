/** The choice of columns, a chunk of its own. It stays open, because people choose several. */
import { defaultPreferences, type ListColumn, listColumns } from '../../../../src/api/preferences.ts'
import { prefer, usePreferences } from '../../../lib/local/preferences.ts'
import { ActionMenu } from '../../../ui/action-menu.tsx'
import type { MenuPlace } from '../../../ui/menu-props.ts'
import { usePhone } from '../../../ui/use-phone.ts'
import { columnLabels, type MiddleColumn } from './columns.ts'

/** What a phone shows below a name. */
const onPhone: readonly ListColumn[] = ['tags', 'location', 'size', 'date']

interface ColumnsMenuProps {
  /** Null while the menu is closed. */
  place: MenuPlace | null
  middle: MiddleColumn
  onClose: () => void
}

export function ColumnsMenu({ place, middle, onClose }: ColumnsMenuProps) {
  const isPhone = usePhone()
  const { columns } = usePreferences()
  const other = middle === 'type' ? 'location' : 'type'
  const offered = listColumns.filter(column => column !== other && (!isPhone || onPhone.includes(column)))
  const choose = (column: ListColumn) =>
    prefer({ columns: listColumns.filter(one => columns.includes(one) !== (one === column)) })
  const usual = {
    columns: defaultPreferences.columns,
    column_widths: defaultPreferences.column_widths,
  }
  return (
    <ActionMenu
      place={place}
      label={isPhone ? 'Show below the name' : 'Columns'}
      groups={[
        offered.map(column => ({
          label: columnLabels[column],
          isChecked: columns.includes(column),
          run: () => choose(column),
        })),
        isPhone ? [] : [{ label: 'Usual columns and widths', run: () => prefer(usual) }],
      ]}
      onClose={onClose}
    />
  )
}
