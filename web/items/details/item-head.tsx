/** The head of an item's details: picture, name, type, size and actions. */

import { Button } from '@mantine/core'
import { IconDots, IconDownload, IconEye, IconStar, IconStarFilled } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { kindLabel } from '../../../src/api/kinds.ts'
import { previewKind } from '../../../src/api/preview-kinds.ts'
import { isReviewed } from '../../../src/api/rights.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { ItemMenu, type OpenMenu } from '../actions/item-menu.tsx'
import type { ItemActions } from '../actions/use-item-actions.tsx'
import { ItemPicture } from '../item-picture.tsx'
import { RenameField } from '../list/rows/rename-field.tsx'
import type { Renaming } from '../list/rows/row.ts'
import styles from './item-head.module.css'

interface ItemHeadProps {
  item: FileItem
  /** Whether it is the folder on screen, which cannot be moved or deleted from here. */
  isPlace: boolean
  actions: ItemActions
}

export function ItemHead({ item, isPlace, actions }: ItemHeadProps) {
  const [renaming, setRenaming] = useState<Renaming | null>(null)
  const endRename = async (name: string | null) => {
    setRenaming(null)
    if (name !== null && (await actions.rename(item, name))) setRenaming({ id: item.id, draft: name, refused: name })
  }
  const events = {
    typeName: (_: FileItem, draft: string) => setRenaming(now => now && { ...now, draft }),
    endRename: (_: FileItem, name: string | null) => void endRename(name),
  }
  return (
    <>
      <div className={styles.picture}>
        <ItemPicture item={item} />
      </div>
      {renaming === null ? (
        <p className={styles.name} dir="auto">
          {item.name}
        </p>
      ) : (
        <RenameField item={item} renaming={renaming} events={events} />
      )}
      <p className={styles.kind}>
        {kindLabel(item)}
        {!item.is_directory && ` · ${formatSize(item.size)}`}
      </p>
      <HeadActions
        item={item}
        isPlace={isPlace}
        actions={actions}
        onRename={() => setRenaming({ id: item.id, draft: null, refused: null })}
      />
    </>
  )
}

function HeadActions({ item, isPlace, actions, onRename }: ItemHeadProps & { onRename: () => void }) {
  const isPhone = usePhone()
  const look = isPhone ? ({ size: 'lg', iconSize: 20 } as const) : {}
  const size = isPhone ? 'lg' : 'xs'
  const more = useRef<HTMLButtonElement>(null)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const download = () => (item.is_directory ? actions.archive([item]) : actions.download([item]))
  return (
    <div className={styles.actions}>
      {previewKind(item.mime_type) !== null && (
        <Button
          variant="default"
          size={size}
          leftSection={<IconEye size={16} stroke={1.75} aria-hidden />}
          onClick={() => actions.preview(item)}
        >
          Preview
        </Button>
      )}
      <Button
        variant="default"
        size={size}
        leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
        onClick={download}
      >
        {item.is_directory ? 'Download as ZIP' : 'Download'}
      </Button>
      <span className={styles.room} />
      {actions.mayOn([item]).mark && (
        <IconButton
          label={item.is_favorite ? 'Remove from favorites' : 'Add to favorites'}
          icon={item.is_favorite ? IconStarFilled : IconStar}
          data-on={item.is_favorite || undefined}
          className={styles.star}
          {...look}
          onClick={() => actions.favorite([item])}
        />
      )}
      {!isPlace && !isReviewed(item) && (
        <IconButton
          ref={more}
          label="More actions"
          icon={IconDots}
          aria-haspopup="menu"
          {...look}
          onClick={({ currentTarget }) => setMenu({ place: currentTarget.getBoundingClientRect(), items: [item] })}
        />
      )}
      <ItemMenu
        menu={menu}
        actions={actions}
        onRename={onRename}
        onClose={() => {
          setMenu(null)
          more.current?.focus()
        }}
      />
    </div>
  )
}
