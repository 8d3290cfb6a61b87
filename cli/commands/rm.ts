/** `filestore rm`: moves to the trash, or deletes for good. */
import type { Call } from '../../src/api/client.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { CommandError, exitOf } from '../../terminal/exit.ts'
import { listNames } from '../../terminal/format.ts'
import { confirm } from '../../terminal/prompt.ts'
import type { Server } from '../client.ts'
import { runEach } from '../each.ts'
import { explainError } from '../explain.ts'
import { formatPaths } from '../item-cells.ts'
import { findRemoteItem } from '../remote-path.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'
import { deleteForGood, moveToTrash } from '../trashing.ts'

export interface RemoveOptions extends ProfileOption {
  permanent?: boolean
  yes?: boolean
  json?: boolean
}

/**
 * Deletes an item that is in the trash, since the server deletes no others. If that fails, the error tells where the
 * item is.
 */
async function deleteTrashed(server: Server, call: Call, text: string, { id }: FileDetails): Promise<void> {
  try {
    await deleteForGood(call, id)
  } catch (error) {
    server.signal.throwIfAborted()
    const explained = explainError(error, server.url)
    const reason = explained instanceof Error ? explained.message : String(explained)
    const message = `'${text}' is in the trash now as id:${id}, but was not deleted: ${reason}`
    throw new CommandError(exitOf(error), message, { cause: error })
  }
}

/** Removes all named items, and prints them as they are, or were, in the trash. */
export const remove = (paths: string[], options: RemoveOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    if (options.permanent) {
      await confirm(`Permanently delete ${listNames(paths)}, with all that is in folders?`, options.yes, server.signal)
    }
    const head = options.permanent ? 'DELETED' : 'NOW IN THE TRASH'
    await runEach(server, paths, options, formatPaths(head), async text => {
      const item = await findRemoteItem(call, text)
      const file = (await moveToTrash(call, item.id)) ?? item
      if (options.permanent) await deleteTrashed(server, call, text, file)
      return file
    })
  })
