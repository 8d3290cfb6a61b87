/** What a card of the grid shows of a file, and a bar of a folder. */
import { memo } from 'react'
import { ItemIcon } from '../../items/item-icon.tsx'
import { ItemName } from '../../items/item-name.tsx'
import { ItemPicture } from '../../items/item-picture.tsx'
import card from '../../items/list/grid/file-card.module.css'
import bar from '../../items/list/grid/folder-bar.module.css'
import { formatFullDate } from '../../lib/words/format-date.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { Check } from '../../ui/check.tsx'
import { ItemLink } from './item-link.tsx'
import type { ItemProps } from './view.ts'

const ItemCheck = ({ item, index, isSelected, isActive, on }: ItemProps) => (
  <Check
    label={`Select ${item.name}`}
    checked={isSelected}
    tabIndex={isActive ? 0 : -1}
    onChange={({ shiftKey }) => on.toggle(index, shiftKey)}
  />
)

export const FileCard = memo(function FileCard(props: ItemProps) {
  const { item, isSelecting } = props
  return (
    <>
      <div className={card.picture}>
        <ItemPicture item={item} />
        <span className={card.check} data-shown={isSelecting || undefined}>
          <ItemCheck {...props} />
        </span>
      </div>
      <ItemLink {...props} className={card.name}>
        <ItemName item={item} />
      </ItemLink>
      <span className={card.meta} title={formatFullDate(item.modified_at ?? item.updated_at)}>
        <span>{formatSize(item.size)}</span>
      </span>
    </>
  )
})

export const FolderBar = memo(function FolderBar(props: ItemProps) {
  const { item, isSelecting } = props
  return (
    <>
      <span className={bar.icon} data-selecting={isSelecting || undefined}>
        <ItemIcon item={item} size={20} />
        <span className={bar.check}>
          <ItemCheck {...props} />
        </span>
      </span>
      <ItemLink {...props} className={bar.name}>
        {item.name}
      </ItemLink>
    </>
  )
})
