/** Approves and rejects the files that wait. */
import { decideFile } from '../../src/api/validation.ts'
import { type App, attemptBusy, say } from './app.ts'
import { dropEntries, forEach, nameEntries } from './changing.ts'
import { chosenEntries } from './cursor.ts'
import type { Entry } from './listing.ts'
import { ask } from './prompting.ts'

async function decide(app: App, entry: Entry, status: 'approved' | 'rejected', comment: string | null): Promise<void> {
  await app.call(decideFile, { file_id: entry.id, status, comment, sha256: entry.sha256 ?? undefined })
  dropEntries(app, new Set([entry.id]))
}

export async function approveChosen(app: App): Promise<void> {
  const entries = chosenEntries(app.store.get())
  await attemptBusy(app, 'Approving', () =>
    forEach(
      app,
      entries,
      entry => decide(app, entry, 'approved', null),
      done => say(app, `Approved ${nameEntries(done)}`),
    ),
  )
}

export function askRejection(app: App): void {
  const entries = chosenEntries(app.store.get())
  if (entries.length === 0) return
  ask(app, {
    label: `Reject ${nameEntries(entries)} because`,
    hint: 'A reason, for the owner to read (optional) · Enter rejects · Esc leaves it',
    submit: async reason => {
      const comment = reason.trim() === '' ? null : reason
      await forEach(
        app,
        entries,
        entry => decide(app, entry, 'rejected', comment),
        done => say(app, `Rejected ${nameEntries(done)}`),
      )
    },
  })
}
