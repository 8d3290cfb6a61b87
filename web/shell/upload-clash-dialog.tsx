/** Asks what to do with a file whose name is taken: shows both files and three choices. */
import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../src/api/client.ts'
import { answerClash, type ClashAnswer, isFolderInTheWay, putQuestionsAway } from '../lib/uploads/clashes.ts'
import { findNamesake, isAlike } from '../lib/uploads/namesake.ts'
import { pageUploads, useUpload, useUploadList } from '../lib/uploads/page-uploads.ts'
import { openOf, type Upload } from '../lib/uploads/upload.ts'
import { Dialog } from '../ui/dialog.tsx'
import { DialogActions } from '../ui/dialog-actions.tsx'
import { useLast } from '../ui/use-last.ts'
import { usePhone } from '../ui/use-phone.ts'
import styles from './upload-clash-dialog.module.css'
import { GivenFile, NewFile } from './upload-clash-files.tsx'

/** `id` is the upload in question; undefined when there is none. */
export function UploadClashDialog({ id }: { id: number | undefined }) {
  const upload = useLast(useUpload(id) ?? null)
  return (
    <Dialog
      opened={id !== undefined}
      onClose={() => putQuestionsAway(pageUploads)}
      title="Name already taken"
      size={480}
    >
      {upload !== null && <Question key={upload.id} upload={upload} />}
    </Dialog>
  )
}

/** Whether the name is that of a file that only others see, so that nothing can be put in its place. */
const isHidden = (error: Error | null): boolean => error instanceof ApiError && error.status === 404

function Question({ upload }: { upload: Upload }) {
  const [isForAll, setForAll] = useState(false)
  const others = useUploadList(list => list.clashing.length) - 1
  const size = usePhone() ? 'lg' : 'sm'
  const namesake = useQuery({
    queryKey: ['namesake', upload.id],
    queryFn: () => findNamesake(pageUploads.deps.call, upload),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const isFolder = isFolderInTheWay(upload) || namesake.data?.is_directory === true
  const mayReplace = !isFolder && !isHidden(namesake.error) && namesake.data?.may?.change !== false
  const isSame = namesake.data !== undefined && isAlike(upload, namesake.data)
  const [skip, keepBoth] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)]
  useEffect(() => {
    // Most likely it is the same file, so a second copy must be chosen.
    if (isSame && document.activeElement === keepBoth.current) skip.current?.focus()
  }, [isSame, skip, keepBoth])
  const answer = (what: ClashAnswer) => answerClash(pageUploads, upload, what, isForAll)
  return (
    <>
      <p className={styles.words}>
        {isFolder ? 'A folder' : 'A file'} named <b className={styles.name}>{upload.name}</b> is already there
        {isSame && ', with the same size and date'}.
      </p>
      <GivenFile item={namesake.data} isMissing={namesake.isError} />
      <NewFile upload={upload} />
      <ForAll others={others} checked={isForAll} onChange={setForAll} />
      <DialogActions>
        <Button ref={skip} variant={isSame ? 'filled' : 'default'} size={size} onClick={() => answer('skip')}>
          Skip
        </Button>
        {mayReplace && (
          <Button
            variant="default"
            size={size}
            data-tone="danger"
            disabled={namesake.isPending}
            onClick={() => answer('replace')}
          >
            Replace
          </Button>
        )}
        <Button
          ref={keepBoth}
          variant={isSame ? 'default' : 'filled'}
          size={size}
          data-autofocus
          onClick={() => answer('rename')}
        >
          Keep both
        </Button>
      </DialogActions>
    </>
  )
}

interface ForAllProps {
  /** The number of other uploads whose names are known to be taken. */
  others: number
  checked: boolean
  onChange: (checked: boolean) => void
}

function ForAll({ others, checked, onChange }: ForAllProps) {
  const open = useUploadList(list => openOf(list.totals))
  // While others are still uploading, more names may turn out to be taken.
  if (open < 2) return null
  return (
    <Checkbox
      className={styles.all}
      label={
        others === 0
          ? 'Do this for all further conflicts'
          : `Do this for the remaining ${others.toLocaleString('en-US')} ${others === 1 ? 'conflict' : 'conflicts'}`
      }
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}
