/** Asks for a file's metadata before the upload, one file after the other. */
import { Button, Checkbox } from '@mantine/core'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { MetadataFieldInput } from '../items/metadata-field.tsx'
import { describeUpload, dropUndescribed, undescribedBeside } from '../lib/uploads/metadata.ts'
import { missingOf } from '../lib/uploads/missing-values.ts'
import { pageUploads, useUpload, useUploadList } from '../lib/uploads/page-uploads.ts'
import type { Upload } from '../lib/uploads/upload.ts'
import { Dialog } from '../ui/dialog.tsx'
import { DialogActions } from '../ui/dialog-actions.tsx'
import { useLast } from '../ui/use-last.ts'
import { usePhone } from '../ui/use-phone.ts'
import { count } from './upload-counts.ts'
import styles from './upload-metadata-dialog.module.css'

/** `id` is the file in question; undefined when there is none. */
export function UploadMetadataDialog({ id }: { id: number | undefined }) {
  const upload = useLast(useUpload(id) ?? null)
  /** The values typed for the file so far. */
  const typed = useRef<ReadonlyMap<number, string>>(new Map())
  return (
    <Dialog
      opened={id !== undefined}
      onClose={() => upload !== null && dropUndescribed(pageUploads, upload, false, typed.current)}
      title="File Metadata"
      size={480}
      closeOnClickOutside={false}
    >
      {upload !== null && <MetadataForm key={upload.id} upload={upload} typed={typed} />}
    </Dialog>
  )
}

function MetadataForm({ upload, typed }: { upload: Upload; typed: RefObject<ReadonlyMap<number, string>> }) {
  const { batch, fields, problems } = upload
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(upload.values)
  const [wrong, setWrong] = useState(
    () => new Map(fields.flatMap(({ id, name }) => (problems?.[name] === undefined ? [] : [[id, problems[name]]]))),
  )
  const [isForAll, setForAll] = useState(false)
  // Subscribe to the list, so that `rest` is counted again whenever the list changes.
  useUploadList(list => list.describing)
  const rest = undescribedBeside(pageUploads, upload)
  const size = usePhone() ? 'lg' : 'sm'
  useEffect(() => {
    typed.current = values
  })
  // The dialog moves the focus only when it opens, so move it here for each further file.
  useEffect(() => form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus(), [])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const missing = missingOf(fields, values)
    setWrong(missing)
    const first = fields.findIndex(({ id }) => missing.has(id))
    if (first < 0) return describeUpload(pageUploads, upload, values, isForAll)
    form.current
      ?.querySelectorAll<HTMLElement>('[data-field]')
      [first]?.querySelector<HTMLElement>('input, textarea, select')
      ?.focus()
  }
  return (
    <form ref={form} onSubmit={submit}>
      <p className={styles.words}>
        Please provide metadata for: <b className={styles.name}>{upload.name}</b>
      </p>
      {problems === null && batch.toDescribe > 1 && (
        <p className={styles.place}>
          File {(batch.described + 1).toLocaleString('en-US')} of {batch.toDescribe.toLocaleString('en-US')}
        </p>
      )}
      {problems?.metadata !== undefined && <p className={styles.problem}>{problems.metadata}</p>}
      <div className={styles.fields}>
        {fields.map((field, index) => (
          <div key={field.id} data-field>
            <MetadataFieldInput
              field={field}
              isFirst={index === 0}
              value={values.get(field.id) ?? ''}
              error={wrong.get(field.id)}
              onChange={value => setValues(new Map(values).set(field.id, value))}
            />
          </div>
        ))}
      </div>
      {rest > 0 && (
        <Checkbox
          className={styles.all}
          label={`Apply to all the rest (${count(rest, 'file')})`}
          checked={isForAll}
          onChange={({ currentTarget }) => setForAll(currentTarget.checked)}
        />
      )}
      <DialogActions>
        <Button variant="default" size={size} onClick={() => dropUndescribed(pageUploads, upload, isForAll, values)}>
          Cancel
        </Button>
        <Button type="submit" size={size}>
          Continue Upload
        </Button>
      </DialogActions>
    </form>
  )
}
