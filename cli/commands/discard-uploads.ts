/** `filestore upload --discard`: drops uploads that broke off, with the bytes that the server has of them. */
import type { Call } from '../../src/api/client.ts'
import { discardUpload, listUploads, type UnfinishedUpload } from '../../src/api/tus.ts'
import { CommandError } from '../../terminal/exit.ts'
import { countOf, formatSize, formatTime } from '../../terminal/format.ts'
import { printData, printNotice } from '../../terminal/output.ts'
import { confirm } from '../../terminal/prompt.ts'
import { formatTable } from '../../terminal/table.ts'
import { readRefusal, type Server, sendRequest } from '../client.ts'
import { runEach } from '../each.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

interface DiscardOptions extends ProfileOption {
  yes?: boolean
  json?: boolean
}

function formatUploads(uploads: readonly UnfinishedUpload[]): string {
  const rows = uploads.map(({ id, name, path, length, received, expires_at }) => [
    id,
    formatSize(received),
    formatSize(length),
    formatTime(expires_at),
    path === null ? name : `${path === '/' ? '' : path}/${name}`,
  ])
  const sizes = [
    { head: 'SENT', align: 'right' },
    { head: 'SIZE', align: 'right' },
  ] as const
  return formatTable([{ head: 'ID' }, ...sizes, { head: 'KEPT UNTIL' }, { head: 'PATH' }], rows)
}

async function discard(server: Server, id: string): Promise<void> {
  const path = discardUpload.path.replace(':id', encodeURIComponent(id))
  const headers = { 'Tus-Resumable': '1.0.0' }
  const response = await sendRequest(server, { method: 'DELETE', path, headers })
  if (response.statusCode !== 204) return readRefusal(server, response)
  await response.body.dump()
}

const readUploads = async (call: Call): Promise<UnfinishedUpload[]> => (await call(listUploads, {})).uploads

/** Drops the uploads with these ids; without any, lists all, asks, and drops all. */
export const discardUploads = (ids: readonly string[], options: DiscardOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const all = await readUploads(call)
    const meant = ids.length === 0 ? all.map(({ id }) => id) : ids
    if (meant.length === 0) return printNotice('There is no unfinished upload')
    if (ids.length === 0) {
      if (!options.json && !options.yes) printData(formatUploads(all))
      await confirm(`Discard ${countOf(all.length, 'unfinished upload')}?`, options.yes, server.signal)
    }
    await runEach(server, meant, options, formatUploads, async id => {
      const upload = all.find(each => each.id === id)
      if (upload === undefined) throw new CommandError('notFound', `There is no unfinished upload '${id}'`)
      await discard(server, id)
      return upload
    })
  })
