/** The cells of a row of the list. */
import { IconCheck } from '@tabler/icons-react'
import { memo } from 'react'
import { kindLabel } from '../../../src/api/kinds.ts'
import { ItemIcon } from '../../items/item-icon.tsx'
import { ItemName } from '../../items/item-name.tsx'
import desktop from '../../items/list/rows/desktop-row.module.css'
import phone from '../../items/list/rows/phone-row.module.css'
import { formatDate, formatFullDate } from '../../lib/words/format-date.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { Check } from '../../ui/check.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import { ItemLink } from './item-link.tsx'
import styles from './row.module.css'
import { SaveButton } from './save-button.tsx'
import type { ItemProps } from './view.ts'

const dateOf = ({ modified_at, updated_at }: ItemProps['item']): string => modified_at ?? updated_at

export const DesktopRow = memo(function DesktopRow(props: ItemProps) {
  const { item, index, isSelected, isActive, on } = props
  const isNarrow = useNarrow()
  return (
    <>
      <div role="gridcell" className={desktop.check}>
        <Check
          label={`Select ${item.name}`}
          checked={isSelected}
          tabIndex={isActive ? 0 : -1}
          onChange={({ shiftKey }) => on.toggle(index, shiftKey)}
        />
      </div>
      <div role="gridcell" className={desktop.name}>
        <ItemIcon item={item} size={24} />
        <ItemLink {...props} className={desktop.text}>
          <ItemName item={item} />
        </ItemLink>
      </div>
      {!isNarrow && (
        <div role="gridcell" className={desktop.cell}>
          {kindLabel(item)}
        </div>
      )}
      <div role="gridcell" className={desktop.cell} data-column="size">
        {item.is_directory ? '—' : formatSize(item.size)}
      </div>
      <div role="gridcell" className={desktop.cell} title={formatFullDate(dateOf(item))}>
        {formatDate(dateOf(item))}
      </div>
      <div role="gridcell" className={desktop.actions}>
        <SaveButton item={item} isActive={isActive} />
      </div>
    </>
  )
})

export const PhoneRow = memo(function PhoneRow(props: ItemProps) {
  const { item, index, isSelected, isSelecting, isActive, on } = props
  return (
    <>
      <div role="gridcell" className={phone.tile}>
        <button
          type="button"
          className={phone.select}
          role="checkbox"
          aria-checked={isSelected}
          aria-label={`Select ${item.name}`}
          tabIndex={isActive ? 0 : -1}
          onClick={event => {
            event.stopPropagation()
            on.toggle(index, event.shiftKey)
          }}
        >
          {isSelected ? (
            <span className={phone.checked}>
              <IconCheck size={20} stroke={1.75} aria-hidden />
            </span>
          ) : (
            <ItemIcon item={item} size={36} />
          )}
        </button>
      </div>
      <div role="gridcell" className={phone.text}>
        <ItemLink {...props} className={`${phone.name} ${styles.name}`}>
          <ItemName item={item} />
        </ItemLink>
        <div className={phone.meta}>
          {!item.is_directory && <span>{formatSize(item.size)}</span>}
          <span>{formatDate(dateOf(item))}</span>
        </div>
      </div>
      <div role="gridcell" className={phone.more}>
        {!isSelecting && <SaveButton item={item} isActive={isActive} />}
      </div>
    </>
  )
})
