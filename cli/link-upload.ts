/** Uploads files to the folder of a link. */
import pMap from 'p-map'
import { requestOf } from '../src/api/client.ts'
import type { ConflictRule } from '../src/api/files.ts'
import type { LinkTarget } from '../src/api/link-door.ts'
import { linkAdds } from '../src/api/link-levels.ts'
import { type LinkInfo, uploadToLink as uploadCall } from '../src/api/visits.ts'
import { processContext } from '../src/base/process-context.ts'
import { CommandError } from '../terminal/exit.ts'
import { formatSize } from '../terminal/format.ts'
import { printData, printJson } from '../terminal/output.ts'
import { openProgress, type Progress, type Transfer } from '../terminal/progress.ts'
import { ask } from '../terminal/prompt.ts'
import { formatTable } from '../terminal/table.ts'
import { startAttempts } from './attempts.ts'
import type { LinkAddress } from './link-address.ts'
import { UnreachableError } from './network.ts'
import { withRetries } from './retry.ts'
import { endTogether } from './signed-in.ts'
import { type Source, sendSource } from './upload-file.ts'
import { parseMetadata } from './upload-metadata.ts'
import { isInPieces, sendInPiecesTo } from './upload-pieces.ts'
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

/** What is said of all files. */
type Common = Pick<LinkTarget, 'sender' | 'metadata'>

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

/** The fields of the form. */
const fieldsOf = ({ metadata, ...texts }: LinkTarget): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)),
  ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
})

/** Sends a file: a large one in pieces, where the server takes it so. */
async function sendOne(visit: Visit, source: Source, target: LinkTarget, progress: Progress): Promise<Sent> {
  const transfer = progress.open(source.label, source.size)
  const sent = isInPieces(source)
    ? await sendInPiecesTo(visit.server, visit.token, source, target, transfer)
    : undefined
  return sent ?? sendWhole(visit, source, fieldsOf(target), transfer)
}

/** Sends a file in one request, again if the answer is lost: the server recognises what has come by the same link. */
async function sendWhole(
  { server, token }: Visit,
  source: Source,
  fields: Record<string, string>,
  transfer: Transfer,
): Promise<Sent> {
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

async function sendAll(visit: Visit, files: readonly NamedFile[], common: Common, options: Options): Promise<void> {
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
            const target = { ...common, name, modified_at: source.modifiedAt?.toISOString() }
            made.push({ order, item: await sendOne({ ...visit, server, call }, source, target, progress) })
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
    await sendAll(visit, files, { sender, metadata: metadata.length === 0 ? undefined : metadata }, options)
  })
}
