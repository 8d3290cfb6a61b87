/** `filestore whoami`: whose key is in use, and on which server. */
import { getProfile } from '../../src/api/auth.ts'
import { formatSize } from '../format.ts'
import { printData, printJson } from '../output.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'
import { formatRecord } from '../table.ts'

export interface WhoamiOptions extends ProfileOption {
  json?: boolean
}

export const showWhoami = (options: WhoamiOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const user = await call(getProfile, {})
    if (options.json) return printJson(user)
    const record: [string, string][] = [
      ['Server', server.url],
      ['Username', user.username],
      ['Full name', user.full_name ?? 'Not set'],
      ['Email', user.email],
      ['Role', user.role],
      ['Storage', `${formatSize(user.storage_used)} of ${formatSize(user.storage_quota)}`],
    ]
    printData(formatRecord(record))
  })
