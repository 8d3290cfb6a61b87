/** `filestore share received`, `leave`, `hide` and `unhide`: what others share with the user. */
import { ApiError, type Call } from '../../src/api/client.ts'
import { deleteShare, hideShare, markSharesSeen, type ReceivedShare } from '../../src/api/shares.ts'
import { CommandError } from '../../terminal/exit.ts'
import { listNames } from '../../terminal/format.ts'
import { printData, printJson, printNotice } from '../../terminal/output.ts'
import { confirm } from '../../terminal/prompt.ts'
import { unlessDone } from '../client.ts'
import { runEach } from '../each.ts'
import { pickOne } from '../pick.ts'
import { readReceived } from '../places.ts'
import { formatReceived } from '../share-cells.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

export interface ReceivedOptions extends ProfileOption {
  json?: boolean
}

export interface ListReceivedOptions extends ReceivedOptions {
  hidden?: boolean
}

export interface LeaveOptions extends ReceivedOptions {
  yes?: boolean
}

/** Lists what others share with the user. A person has then seen it, so that it is no longer new. */
export const listReceived = (options: ListReceivedOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const shares = await readReceived(call, options.hidden)
    if (options.json) return printJson(shares)
    if (shares.length === 0) return printNotice(options.hidden ? 'Nothing is hidden' : 'Nothing is shared with you')
    printData(formatReceived(shares))
    if (shares.some(({ is_new: isNew }) => isNew)) await call(markSharesSeen, {})
  })

/** Finds a received share by its name, with or without `@`, or by its id as `id:7`. */
function pickReceived(shares: readonly ReceivedShare[], given: string): ReceivedShare {
  const text = given.replace(/(?<=.)\/+$/, '')
  return pickOne(shares, text, 'among what is shared with you', ({ item: { name } }) => [name, `@${name}`])
}

async function leave(call: Call, { id, item }: ReceivedShare): Promise<void> {
  try {
    await unlessDone(call(deleteShare, { id }), 'not_found')
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'forbidden')) throw error
    const message = `'${item.name}' is shared with a group of yours: 'filestore share hide' takes it out of your lists`
    throw new CommandError('denied', message, { cause: error })
  }
}

/** Ends the user's own access to what others share with them. */
export const leaveShares = (names: string[], options: LeaveOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    await confirm(
      `Leave ${listNames(names)}? Only those who manage it can give it to you again.`,
      options.yes,
      server.signal,
    )
    const shares = await readReceived(call)
    await runEach(server, names, options, formatReceived, async text => {
      const share = pickReceived(shares, text)
      await leave(call, share)
      return share
    })
  })

/** Takes received shares out of the user's lists, or back into them. */
export const hideShares = (names: string[], isHidden: boolean, options: ReceivedOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const shares = await readReceived(call, !isHidden)
    await runEach(server, names, options, formatReceived, async text => {
      const share = pickReceived(shares, text)
      await call(hideShare, { id: share.id, hidden: isHidden })
      return share
    })
  })
