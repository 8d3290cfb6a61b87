/** The dialog that tags files. */
import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { FileItem } from '../../src/api/items.ts'
import { changeOne } from '../lib/data/change.ts'
import { type TagStep, tagging } from '../lib/data/tagging.ts'
import { fileTagsQuery, tagsQuery } from '../lib/data/tags.ts'
import { reasonOf } from '../lib/server/call.ts'
import { Dialog } from '../ui/dialog.tsx'
import { DialogActions } from '../ui/dialog-actions.tsx'
import { ErrorBox } from '../ui/error-box.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { usePhone } from '../ui/use-phone.ts'
import { fileCount } from './counts.ts'
import { ItemName } from './item-name.tsx'
import { NewTagForm } from './new-tag-form.tsx'
import styles from './tag-manager.module.css'
import { TagRows } from './tag-rows.tsx'
import { useTagChoice } from './use-tag-choice.ts'

interface TagManagerProps {
  /** At least one; no folders. */
  files: readonly FileItem[]
  onClose: () => void
  /** Tags several files. A single one is tagged while the dialog waits, which then shows a failure. */
  onTag: (steps: readonly TagStep[]) => void
}

/** From more tags than this on, the list has a filter. */
const manyTags = 8

export function TagManager(props: TagManagerProps) {
  return (
    <Dialog opened onClose={props.onClose} title="Manage Tags">
      <TagForm {...props} />
    </Dialog>
  )
}

/** The files with their tags; for a single file, the server's current ones. */
function useTaggedFiles(files: readonly FileItem[]) {
  const [only] = files
  const isSingle = only !== undefined && files.length === 1
  const fresh = useQuery({ ...fileTagsQuery(only?.id ?? 0), enabled: isSingle })
  const tagged = useMemo(
    () => (isSingle && fresh.data ? [{ ...only, tags: fresh.data }] : files),
    [isSingle, fresh.data, only, files],
  )
  return { tagged, fresh }
}

function TagForm({ files, onClose, onTag }: TagManagerProps) {
  const { tagged, fresh } = useTaggedFiles(files)
  const tags = useQuery(tagsQuery)
  const choice = useTagChoice(tagged)
  const [filter, setFilter] = useState('')
  const [created, setCreated] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useBusy()
  const size = usePhone() ? 'lg' : 'sm'
  const hasFilter = (tags.data?.length ?? 0) > manyTags

  const applyToOne = async (file: FileItem, steps: readonly TagStep[]) => {
    setBusy(true)
    setProblem(null)
    try {
      await changeOne(tagging(steps), file)
      onClose()
    } catch (error) {
      setProblem(reasonOf(error))
      setBusy(false)
    }
  }
  const apply = () => {
    const steps = choice.stepsFor(tags.data ?? [])
    const [first, ...others] = tagged
    if (steps.length > 0 && first && others.length === 0) return void applyToOne(first, steps)
    if (steps.length > 0) onTag(steps)
    onClose()
  }
  return (
    <>
      <Subject files={files} />
      {fresh.error && (
        <ErrorBox
          title="Failed to load file tags"
          reason={reasonOf(fresh.error)}
          onRetry={() => void fresh.refetch()}
        />
      )}
      {tags.error && (
        <ErrorBox title="Failed to load tags" reason={reasonOf(tags.error)} onRetry={() => void tags.refetch()} />
      )}
      <div className={styles.tags}>
        {hasFilter && <TagFilter value={filter} onChange={setFilter} />}
        <TagRows tags={tags.data} filter={filter} shownId={created} choice={choice} />
      </div>
      <NewTagForm
        takesFocus={!hasFilter}
        onCreated={tag => {
          setFilter('')
          setCreated(tag.id)
          if (choice.shareOf(tag.id) !== 'all') choice.toggle(tag.id)
        }}
      />
      {problem !== null && (
        <div className={styles.problem}>
          <ErrorBox title="Failed to update tags" reason={problem} />
        </div>
      )}
      <DialogActions>
        <Button variant="default" size={size} disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button size={size} disabled={isBusy} onClick={apply}>
          {isBusy ? 'Applying...' : 'Apply Tags'}
        </Button>
      </DialogActions>
    </>
  )
}

function TagFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const field = useRef<HTMLInputElement>(null)
  // The tags may load after the dialog has chosen its focus: then it moves here, unless a new name has been begun.
  useEffect(() => {
    const { activeElement } = document
    if (activeElement instanceof HTMLInputElement && activeElement.value === '') field.current?.focus()
  }, [])
  return (
    <TextInput
      ref={field}
      className={styles.filter}
      aria-label="Filter tags"
      placeholder="Filter tags"
      leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
      size={usePhone() ? 'lg' : 'sm'}
      value={value}
      data-autofocus
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

function Subject({ files }: { files: readonly FileItem[] }) {
  const [only] = files
  return (
    <div className={styles.subject} title={files.length === 1 ? only?.name : undefined}>
      {only && files.length === 1 ? <ItemName item={only} /> : fileCount(files.length)}
    </div>
  )
}
