/** `filestore whoami`: shows the account and the server in use. */
import { getProfile } from '../../src/api/auth.ts'
import { formatSize } from '../../terminal/format.ts'
import { printData, printJson } from '../../terminal/output.ts'
import { formatRecord } from '../../terminal/table.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

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
