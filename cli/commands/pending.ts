/** `filestore pending`: the files of all users that wait for approval. */

import type { FileDetails } from '../../src/api/items.ts'
import { decideFile, readPending } from '../../src/api/validation.ts'
import { CommandError } from '../../terminal/exit.ts'
import { printData, printJson, printNotice } from '../../terminal/output.ts'
import { formatTable } from '../../terminal/table.ts'
import { runEach } from '../each.ts'
import { formatPending, ownedPath } from '../pending-table.ts'
import { pickOne } from '../pick.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

export interface PendingOptions extends ProfileOption {
  json?: boolean
}

export interface DecideOptions extends PendingOptions {
  reason?: string
}

export const listWaiting = (options: PendingOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const files = await readPending(call)
    if (options.json) return printJson(files)
    if (files.length === 0) return printNotice('No pending files')
    printData(formatPending(files))
  })

const formatDecided = (files: readonly FileDetails[]): string =>
  formatTable(
    [{ head: 'ID', align: 'right' }, { head: 'STATUS' }, { head: 'PATH' }],
    files.map(file => [String(file.id), file.validation_status, file.path]),
  )

/** Decides on files as they are listed now. The server refuses to decide on a file whose content has changed since. */
export async function decide(names: string[], status: 'approved' | 'rejected', options: DecideOptions): Promise<void> {
  if (options.reason?.trim() === '') throw new CommandError('usage', 'Give a reason, for the owner to read')
  await runSignedIn(options, async ({ server, call }) => {
    const waiting = await readPending(call)
    await runEach(server, names, options, formatDecided, async text => {
      const { id, sha256 } = pickOne(waiting, text, 'among the files that wait', file => [ownedPath(file), file.path])
      return (await call(decideFile, { file_id: id, status, sha256, comment: options.reason })).file
    })
  })
}
