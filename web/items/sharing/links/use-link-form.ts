/** The state of the form that makes or changes a link: what is entered, what is wrong with it, whether it is sent. */
import { type FormEvent, useRef, useState } from 'react'
import type { FieldErrors } from '../../../../src/api/errors.ts'
import { problemsOf } from '../../../lib/server/problems.ts'
import { useBusy } from '../../../ui/use-busy.ts'
import { useFocusInvalid } from '../../../ui/use-focus-invalid.ts'
import { draftFields, type LinkDraft } from './link-draft.ts'

interface LinkFormOptions {
  first: LinkDraft
  check: (draft: LinkDraft) => FieldErrors
  /** Throws the server's error. */
  send: (draft: LinkDraft) => Promise<void>
  /** The message for a failure without one of the server. */
  failure: string
  /** Called when a field has a problem, so that the form is in view. */
  onProblem?: () => void
}

export function useLinkForm({ first, check, send, failure, onProblem }: LinkFormOptions) {
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(first)
  const [problems, setProblems] = useState<FieldErrors>({})
  const [isBusy, setBusy] = useBusy()
  useFocusInvalid(form, problems)
  const show = (found: FieldErrors) => {
    setProblems(found)
    if (Object.keys(found).some(name => name !== 'form')) onProblem?.()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (isBusy) return
    const found = check(draft)
    show(found)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    await send(draft).catch(error => show(problemsOf(error, failure, draftFields)))
    setBusy(false)
  }
  return {
    form,
    draft,
    problems,
    isBusy,
    change: (part: Partial<LinkDraft>) => setDraft(before => ({ ...before, ...part })),
    restart: (next: LinkDraft) => {
      setDraft(next)
      setProblems({})
    },
    submit: (event: FormEvent) => void submit(event),
  }
}
