/** The form for sending files: who sends them, what has to be said of them, and the files themselves. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { maxSenderLength } from '../../../src/api/limits.ts'
import type { LinkInfo } from '../../../src/api/visits.ts'
import { fileCount } from '../../items/counts.ts'
import { MetadataFieldInput } from '../../items/metadata-field.tsx'
import { missingOf } from '../../lib/uploads/missing-values.ts'
import { formatLimit } from '../../lib/words/format-size.ts'
import type { Picked } from '../../ui/picked-files.ts'
import { useWindowFileDrop } from '../../ui/use-file-drop.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { DropArea } from './drop-area.tsx'
import { addFiles, sendAll, useDraft, useOutbox } from './outbox.ts'
import { OutgoingRow } from './outgoing-row.tsx'
import styles from './send-form.module.css'
import { Sending } from './sending.tsx'

/** Problems by the name of the field; `files`, `metadata` and `form` are no fields. */
type Wrong = Readonly<Record<string, string>>

export function SendForm({ info }: { info: LinkInfo }) {
  const { ask_name, fields, max_file_size, from } = info
  const form = useRef<HTMLFormElement>(null)
  const { sender, values } = useDraft()
  const [wrong, setWrong] = useState<Wrong>({})
  const { files, isSending, problems } = useOutbox()
  const size = usePhone() ? 'lg' : 'sm'
  useEffect(() => setWrong(problems), [problems])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new problems move the focus
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [wrong])

  const pick = ({ files: picked, folders, lost }: Picked) => {
    const refuse = ({ size: bytes }: File) =>
      bytes > max_file_size ? `Too large: at most ${formatLimit(max_file_size)}` : null
    addFiles(
      picked.map(({ file }) => file),
      refuse,
    )
    setWrong(folders.length + lost > 0 ? { files: 'Folders cannot be sent. Choose the files in them.' } : {})
  }
  const isOver = useWindowFileDrop(isSending ? undefined : pick)
  const waiting = files.filter(({ status }) => status === 'waiting').length

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const missing = missingOf(fields, values)
    const found: Record<string, string> = {}
    if (ask_name && sender.trim() === '') found.sender = 'Your name is required'
    for (const { id, name } of fields) if (missing.has(id)) found[name] = missing.get(id) ?? ''
    if (waiting === 0) found.files = 'Choose at least one file'
    setWrong(found)
    if (Object.keys(found).length > 0) return
    const metadata = Array.from(values, ([field_id, value]) => ({ field_id, value })).filter(
      ({ value }) => value !== '',
    )
    void sendAll({ sender: ask_name ? sender.trim() : null, metadata })
  }
  return (
    <form ref={form} className={styles.form} onSubmit={submit}>
      {(ask_name || fields.length > 0) && (
        <div className={styles.fields}>
          {ask_name && (
            <TextInput
              label="Your name"
              name="sender"
              autoComplete="name"
              maxLength={maxSenderLength}
              size={size}
              withAsterisk
              aria-required
              dir="auto"
              disabled={isSending}
              value={sender}
              error={wrong.sender}
              onChange={({ currentTarget }) => useDraft.setState({ sender: currentTarget.value })}
            />
          )}
          {fields.map(field => (
            <MetadataFieldInput
              key={field.id}
              field={field}
              value={values.get(field.id) ?? ''}
              error={wrong[field.name]}
              disabled={isSending}
              onChange={value => useDraft.setState({ values: new Map(values).set(field.id, value) })}
            />
          ))}
        </div>
      )}
      {isSending ? (
        <Sending />
      ) : (
        <div data-choose>
          <DropArea maxFileSize={max_file_size} isOver={isOver} onPicked={pick} />
        </div>
      )}
      {[wrong.files, wrong.metadata, wrong.form].map(
        sentence =>
          sentence && (
            <p key={sentence} className={styles.problem} role="alert">
              {sentence}
            </p>
          ),
      )}
      {files.length > 0 && (
        <ul className={styles.files} aria-label="Files to send">
          {files.map(outgoing => (
            <OutgoingRow key={outgoing.id} outgoing={outgoing} />
          ))}
        </ul>
      )}
      {!isSending && (
        <div className={styles.foot}>
          <p className={styles.note}>
            {from === null ? (
              'Sent files cannot be taken back here.'
            ) : (
              <>
                The files go to <bdi>{from}</bdi>, and cannot be taken back here.
              </>
            )}
          </p>
          <Button type="submit" size={size} className={styles.send}>
            {waiting === 0 ? 'Send' : `Send ${fileCount(waiting)}`}
          </Button>
        </div>
      )}
    </form>
  )
}
