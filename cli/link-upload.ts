/** Uploads files to the folder of a link. */
import pMap from 'p-map'
import { requestOf } from '../src/api/client.ts'
import type { ConflictRule } from '../src/api/files.ts'
import { linkAdds } from '../src/api/link-levels.ts'
import { type LinkInfo, uploadToLink as uploadCall } from '../src/api/visits.ts'
import { processContext } from '../src/base/process-context.ts'
import { CommandError } from '../terminal/exit.ts'
import { formatSize } from '../terminal/format.ts'
import { printData, printJson } from '../terminal/output.ts'
import { openProgress, type Progress } from '../terminal/progress.ts'
import { ask } from '../terminal/prompt.ts'
import { formatTable } from '../terminal/table.ts'
import { startAttempts } from './attempts.ts'
import type { LinkAddress } from './link-address.ts'
import { UnreachableError } from './network.ts'
import { withRetries } from './retry.ts'
import { endTogether } from './signed-in.ts'
import { type Source, sendSource } from './upload-file.ts'
import { parseMetadata } from './upload-metadata.ts'
import { inOrder } from './upload-run.ts'
import { findSource } from './upload-tree.ts'
import { type PasswordOption, runVisiting, type Visit } from './visit.ts'

interface Options extends PasswordOption {
  onConflict: ConflictRule
  metadata?: string[]
  sender?: string
  concurrency: number
  dryRun?: boolean
  json?: boolean
}

interface NamedFile {
  /** The local path. */
  path: string
  /** The name on the server. */
  name: string
}

/** A file as the server tells it: as it was sent, not as it is stored. */
interface Sent {
  name: string
  size: number
}

/** The text fields that all files have in common. */
type Fields = Readonly<Record<string, string>>

/** Refuses what a link cannot do: it does not tell what is in the folder, and replaces nothing there. */
function checkOptions(files: readonly NamedFile[], { onConflict, dryRun, passwordStdin }: Options): void {
  if (dryRun || onConflict !== 'rename') {
    throw new CommandError('usage', '--dry-run and --on-conflict are not for links: what is there stays as it is')
  }
  if (passwordStdin && files.some(({ path }) => path === '-')) {
    throw new CommandError('usage', 'Standard input cannot be both the password and the file')
  }
}

/** Returns the sender's name for a link that asks for one. Throws `usage`. */
async function readSender({ ask_name }: LinkInfo, given: string | undefined, signal: AbortSignal) {
  if (!ask_name && given !== undefined)
    throw new CommandError('usage', 'This link asks for no name: leave --sender out')
  if (!ask_name || given !== undefined) return given
  if (processContext().stdin.isTTY) return ask('Your name: ', '--sender', signal)
  throw new CommandError('usage', 'This link asks for your name: use --sender')
}

async function requireSource(path: string): Promise<Source> {
  const source = await findSource(path)
  if (source !== undefined) return source
  throw new CommandError('usage', `'${path}' is a folder: a link takes only files`)
}

/** Says of a lost answer that the file may have arrived all the same. */
function explainLost(error: unknown, label: string): unknown {
  if (!(error instanceof UnreachableError && error.lost)) return error
  return new UnreachableError(`${error.message}; '${label}' may have arrived, which a link does not tell`, true, error)
}

/** Sends a file, again if the answer is lost: the server recognises a file that has come by the same link. */
async function sendOne(visit: Visit, source: Source, fields: Fields, progress: Progress): Promise<Sent> {
  const { server, token } = visit
  const transfer = progress.open(source.label, source.size)
  const { url: path } = requestOf(uploadCall, { token })
  const send = () => {
    transfer.begin()
    return sendSource(server, source, { endpoint: uploadCall, path, fields }, transfer.add)
  }
  try {
    return await (source.size === undefined ? send() : withRetries(send, server.signal, true))
  } catch (error) {
    throw explainLost(error, source.label)
  } finally {
    transfer.end()
  }
}

const fieldsOf = (source: Source, name: string): Fields => ({
  name,
  ...(source.modifiedAt === undefined ? {} : { modified_at: source.modifiedAt.toISOString() }),
})

async function sendAll(visit: Visit, files: readonly NamedFile[], common: Fields, options: Options): Promise<void> {
  const alone = files.length === 1
  const attempts = startAttempts(visit.server, alone)
  const made: { order: number; item: Sent }[] = []
  const progress = await openProgress()
  try {
    await endTogether(visit, async ({ server, call }) => {
      const sendFile = ({ path, name }: NamedFile, order: number) =>
        attempts.run(
          path,
          async () => {
            const source = await requireSource(path)
            const fields = { ...common, ...fieldsOf(source, name) }
            made.push({ order, item: await sendOne({ ...visit, server, call }, source, fields, progress) })
          },
          order,
        )
      await pMap(files, sendFile, { concurrency: options.concurrency })
    })
  } finally {
    progress.stop()
    printSent(inOrder(made), alone, options.json === true)
  }
  attempts.finish()
}

function printSent(sent: readonly Sent[], alone: boolean, json: boolean) {
  if (sent.length === 0 && (alone || !json)) return
  if (json) return printJson(alone ? sent[0] : sent)
  const columns = [{ head: 'SIZE', align: 'right' }, { head: 'SENT' }] as const
  printData(
    formatTable(
      columns,
      sent.map(({ name, size }) => [formatSize(size), name]),
    ),
  )
}

/** Uploads files to a link. Throws `denied` if it takes none, and like `runVisiting`. */
export async function uploadToLink(link: LinkAddress, files: readonly NamedFile[], options: Options): Promise<void> {
  checkOptions(files, options)
  await runVisiting(link, options, async visit => {
    const { info, server } = visit
    if (!linkAdds(info.level)) throw new CommandError('denied', 'This link takes no uploads')
    const metadata = parseMetadata(info.fields, options.metadata ?? [])
    const sender = await readSender(info, options.sender, server.signal)
    const common = {
      ...(sender === undefined ? {} : { sender }),
      ...(metadata.length === 0 ? {} : { metadata: JSON.stringify(metadata) }),
    }
    await sendAll(visit, files, common, options)
  })
}
