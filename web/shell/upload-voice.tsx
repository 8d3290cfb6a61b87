/** Tells screen readers how many files are uploaded: now and then, and at the end. */
import { VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useUploadList } from '../lib/uploads/page-uploads.ts'
import { count, sendingOf } from './upload-counts.ts'

/** Milliseconds between two messages. */
const pause = 10_000

function sentenceNow(): string {
  const { totals } = useUploadList.getState()
  const { all, completed, failed } = totals
  if (all === 0) return ''
  const failures = failed === 0 ? '' : `, ${count(failed, 'file')} failed`
  if (sendingOf(totals) === 0) return `${count(completed, 'file')} uploaded${failures}`
  return completed === 0
    ? `Uploading ${count(all, 'file')}`
    : `${completed} of ${count(all, 'file')} uploaded${failures}`
}

export function UploadVoice() {
  const isSending = useUploadList(list => sendingOf(list.totals) > 0)
  const [said, say] = useState('')
  useEffect(() => {
    say(sentenceNow())
    if (!isSending) return
    const timer = setInterval(() => say(sentenceNow()), pause)
    return () => clearInterval(timer)
  }, [isSending])
  return <VisuallyHidden role="status">{said}</VisuallyHidden>
}
