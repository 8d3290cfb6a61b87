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
  // What others have handed in cannot be replaced, so this one is the user's own.
  const isRejected = mayReplace && namesake.data?.validation_status === 'rejected'
  // What is right for this one may put the others in place of files that nobody has looked at.
  const isToReplace = isRejected && !isForAll
  const [skip, replace, keepBoth] = [useButton(), useButton(), useButton()]
  useEffect(() => {
    // Most likely it is the same file, so a second copy must be chosen; what was rejected is to be replaced.
    const likely = isToReplace ? replace : isSame ? skip : keepBoth
    // The question before this one took the focus away with its buttons.
    const focused = document.activeElement
    if (focused === keepBoth.current || focused === document.body) likely.current?.focus()
  }, [isSame, isToReplace, skip, replace, keepBoth])
  const answer = (what: ClashAnswer) => answerClash(pageUploads, upload, what, isForAll)
  return (
    <>
      <p className={styles.words}>
        {isRejected ? 'Your file' : isFolder ? 'A folder' : 'A file'} named <b className={styles.name}>{upload.name}</b>{' '}
        {isRejected ? 'was rejected' : 'is already there'}
        {isSame && `${isRejected ? ', and has' : ', with'} the same size and date`}.
        {isRejected && ' The new one can take its place, and waits for approval then.'}
      </p>
      <GivenFile item={namesake.data} isMissing={namesake.isError} />
      <NewFile upload={upload} />
      <ForAll others={others} checked={isForAll} onChange={setForAll} />
      <DialogActions>
        <Button
          ref={skip}
          variant={isSame && !isToReplace ? 'filled' : 'default'}
          size={size}
          onClick={() => answer('skip')}
        >
          Skip
        </Button>
        {mayReplace && (
          <Button
            ref={replace}
            variant={isToReplace ? 'filled' : 'default'}
            size={size}
            data-tone={isToReplace ? undefined : 'danger'}
            disabled={namesake.isPending}
            onClick={() => answer('replace')}
          >
            Replace
          </Button>
        )}
        <Button
          ref={keepBoth}
          variant={isSame || isToReplace ? 'default' : 'filled'}
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

const useButton = () => useRef<HTMLButtonElement>(null)

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
