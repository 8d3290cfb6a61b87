/** The choice of columns, a chunk of its own. It stays open, because people choose several. */
import { IconArrowBackUp } from '@tabler/icons-react'
import { defaultPreferences, type ListColumn, listColumns } from '../../../../src/api/preferences.ts'
import { prefer, usePreferences } from '../../../lib/local/preferences.ts'
import { ActionMenu } from '../../../ui/action-menu.tsx'
import type { MenuPlace } from '../../../ui/menu-props.ts'
import { usePhone } from '../../../ui/use-phone.ts'
import { belowNames, columnLabels, isOffered, type ListShape } from './columns.ts'
import styles from './columns-menu.module.css'

/** What a phone shows below a name. */
const onPhone: readonly ListColumn[] = ['tags', 'location', 'size', 'date']

const { columns, column_widths } = defaultPreferences
const beUsual = {
  label: 'Usual columns and widths',
  icon: IconArrowBackUp,
  run: () => prefer({ columns, column_widths }),
}

interface ColumnsMenuProps {
  /** Null while the menu is closed. */
  place: MenuPlace | null
  shape: ListShape
  onClose: () => void
}

export function ColumnsMenu({ place, shape, onClose }: ColumnsMenuProps) {
  const isPhone = usePhone()
  const chosen = usePreferences(state => state.columns)
  const offered = listColumns.filter(column => isOffered(column, shape) && (!isPhone || onPhone.includes(column)))
  const choose = (column: ListColumn) =>
    prefer({ columns: listColumns.filter(one => chosen.includes(one) !== (one === column)) })
  const choices = offered.map(column => ({
    label: columnLabels[column],
    isChecked: chosen.includes(column),
    run: () => choose(column),
  }))
  const label = isPhone ? belowNames : 'Columns'
  return (
    <ActionMenu
      place={place}
      label={label}
      head={<p className={styles.head}>{label}</p>}
      groups={isPhone ? [choices] : [choices, [beUsual]]}
      onClose={onClose}
    />
  )
}
