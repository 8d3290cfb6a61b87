/** The user's tags with their numbers of files; creating, changing and deleting them. */
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { deleteTag, type Tag } from '../../../src/api/tags.ts'
import { fileCount } from '../../items/counts.ts'
import { refreshTags, tagsQuery } from '../../lib/data/tags.ts'
import { call, reasonOf } from '../../lib/server/call.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { useMay } from '../../lib/server/permissions.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TagDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { PrintedTags } from './printed-tags.tsx'
import { TagDialog } from './tag-dialog.tsx'
import { TagTable, TagTableSkeleton } from './tag-table.tsx'
import styles from './tags-screen.module.css'

/** What is open over the list. `tag` stays while a dialog closes, so that its text does not change. */
interface Open {
  dialog: 'new' | 'edit' | 'delete' | null
  tag: Tag | null
}

export function TagsScreen() {
  const { data: tags, error, errorUpdateCount, isPending, refetch } = useQuery(tagsQuery)
  const [dismissed, setDismissed] = useState(0)
  const [open, setOpen] = useState<Open>({ dialog: null, tag: null })
  const isWaiting = useDelayed(isPending, 150)
  const mayWrite = useMay('tags:write')
  const close = () => setOpen(({ tag }) => ({ dialog: null, tag }))
  const newTag = () => setOpen({ dialog: 'new', tag: null })
  const newButton = useRef<HTMLButtonElement>(null)
  const size = usePhone() ? 'lg' : 'sm'

  return (
    <Sheet title="Tags">
      <div className={styles.head}>
        <ScreenTitle
          count={tags?.length}
          action={
            mayWrite && (
              <Button
                ref={newButton}
                size={size}
                leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
                onClick={newTag}
              >
                New Tag
              </Button>
            )
          }
        >
          Tags
        </ScreenTitle>
      </div>
      {error && errorUpdateCount > dismissed && (
        <ErrorStrip
          title="Failed to fetch tags"
          reason={reasonOf(error)}
          onRetry={() => void refetch()}
          onDismiss={() => setDismissed(errorUpdateCount)}
        />
      )}
      {isWaiting && <TagTableSkeleton />}
      {tags?.length === 0 && (
        <EmptyState
          drawing={<TagDrawing />}
          title="No tags yet"
          sentence="Create a tag here, then choose Manage Tags in a file's menu to put it on files."
        />
      )}
      {tags !== undefined && tags.length > 0 && (
        <TagTable
          tags={tags}
          mayWrite={mayWrite}
          onEdit={tag => setOpen({ dialog: 'edit', tag })}
          onDelete={tag => setOpen({ dialog: 'delete', tag })}
        />
      )}
      {tags && <PrintedTags tags={tags} />}
      <TagDialog opened={open.dialog === 'new' || open.dialog === 'edit'} tag={open.tag} onClose={close} />
      <ConfirmDialog
        opened={open.dialog === 'delete'}
        onClose={close}
        title="Delete tag?"
        confirm="Delete"
        onConfirm={async () => {
          await remove(open.tag)
          // The focused button is removed with its row, so move the focus.
          newButton.current?.focus()
        }}
        failed={failure => messageOf(failure, 'Failed to delete tag')}
      >
        {open.tag && <Loss tag={open.tag} />}
      </ConfirmDialog>
    </Sheet>
  )
}

async function remove(tag: Tag | null): Promise<void> {
  if (tag === null) return
  await call(deleteTag, { id: tag.id })
  await refreshTags()
}

function Loss({ tag: { name, file_count } }: { tag: Tag }) {
  return (
    <>
      <strong className={styles.name}>{name}</strong>{' '}
      {file_count === 0
        ? 'is on no file.'
        : `will be taken off ${fileCount(file_count)}; the ${file_count === 1 ? 'file itself stays' : 'files themselves stay'}.`}{' '}
      This action cannot be undone.
    </>
  )
}
