/** An item's name in a row or on a card. A folder's name is a real link, so that it can be opened in a new tab. */
import type { FileItem } from '../../../../src/api/items.ts'
import { ItemName } from '../../item-name.tsx'
import { FolderLink } from './folder-link.tsx'

interface LinkedNameProps {
  item: FileItem
  className: string | undefined
  /** Undefined while a click on the name selects the item. */
  onOpen: (() => void) | undefined
}

export function LinkedName({ item, className, onOpen }: LinkedNameProps) {
  const name = <ItemName item={item} />
  return item.is_directory ? (
    <FolderLink folderId={item.id} className={className} title={item.name} onOpen={onOpen}>
      {name}
    </FolderLink>
  ) : (
    <span className={className} title={item.name}>
      {name}
    </span>
  )
}
