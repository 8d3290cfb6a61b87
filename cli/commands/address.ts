/** `filestore address`: the web addresses that open items. */
import { addressOf } from '../../src/api/item-address.ts'
import type { FileItem } from '../../src/api/items.ts'
import { runEach } from '../each.ts'
import { findRemoteItem } from '../remote-path.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

export interface AddressOptions extends ProfileOption {
  json?: boolean
}

/** Prints one address a line, in the order of the paths. They open for people who may see the items. */
export const showAddresses = (paths: string[], options: AddressOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const format = (items: readonly FileItem[]) => items.map(item => addressOf(server.url, item)).join('\n')
    await runEach(server, paths, options, format, text => findRemoteItem(call, text))
  })
