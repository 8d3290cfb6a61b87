/** `filestore download`: files, to a place on this machine or to standard output. */
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Call } from '../../src/api/client.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { nameProblem } from '../../src/api/names.ts'
import { startAttempts } from '../attempts.ts'
import { CommandError } from '../exit.ts'
import { formatSize } from '../format.ts'
import { findLocal } from '../local-path.ts'
import { dataStream, printData, printJson } from '../output.ts'
import { openProgress, type Progress } from '../progress.ts'
import { readRemote } from '../read-remote.ts'
import { findRemote } from '../remote-path.ts'
import { saveFile } from '../save-file.ts'
import { type ProfileOption, runSignedIn, type SignedIn } from '../signed-in.ts'
import { formatTable } from '../table.ts'

export interface DownloadOptions extends ProfileOption {
  json?: boolean
}

/** Where downloads go: into a folder under their own names, to one path, or to standard output. */
type Target = { kind: 'folder' | 'file'; path: string } | { kind: 'stdout' }

/** Decides by what the local path leads to now. Throws `usage` where several files have no folder to go to. */
async function chooseTarget(path: string, several: boolean): Promise<Target> {
  if (path === '-') return { kind: 'stdout' }
  if ((await findLocal(path))?.isDirectory()) return { kind: 'folder', path }
  if (!several && !path.endsWith('/')) return { kind: 'file', path }
  const hint = several ? "; of several paths the last is the local folder, '.' for the current one" : ''
  throw new CommandError('usage', `There is no folder '${path}' on this machine${hint}`)
}

async function findFile(call: Call, text: string): Promise<FileDetails> {
  const item = await findRemote(call, text)
  if (item !== null && !item.is_directory) return item
  const message = `'${text}' is a folder, and download takes files: 'filestore ls ${text}' lists what is in it`
  throw new CommandError('usage', message)
}

/** The path of a file under its own name, which must be one that cannot lead out of the folder. */
function pathInside(folder: string, { name }: FileDetails): string {
  const problem = nameProblem(name)
  if (problem === null) return join(folder, name)
  throw new CommandError('unexpected', `'${name}' cannot be a name on this machine (${problem}): give a local path`)
}

interface Run extends SignedIn {
  target: Target
  progress: Progress
  items: FileDetails[]
  /** Local paths that this run has written, so that no second file of the same name replaces the first. */
  written: Set<string>
}

async function* watched(run: Run, item: FileDetails): AsyncGenerator<Uint8Array> {
  run.progress.start(item.path, item.size)
  for await (const chunk of readRemote(run.server, item.id, item.path)) {
    yield chunk
    run.progress.add(chunk.length)
  }
}

async function downloadOne(run: Run, text: string): Promise<void> {
  const { target, written, server } = run
  const item = await findFile(run.call, text)
  if (target.kind === 'stdout') {
    await pipeline(watched(run, item), dataStream(), { end: false, signal: server.signal })
  } else {
    const path = target.kind === 'folder' ? pathInside(target.path, item) : target.path
    if (written.has(path)) throw new CommandError('conflict', `'${path}' was downloaded just now from another folder`)
    const modifiedAt = item.modified_at === null ? undefined : new Date(item.modified_at)
    await saveFile(path, { content: watched(run, item), modifiedAt, signal: server.signal })
    written.add(path)
  }
  run.items.push(item)
}

function formatResult({ items, written }: Run): string {
  const paths = [...written]
  const rows = items.map((item, index) => [formatSize(item.size), paths[index] ?? ''])
  return formatTable([{ head: 'SIZE', align: 'right' }, { head: 'SAVED AS' }], rows)
}

function printResult(run: Run, alone: boolean, json: boolean): void {
  if (run.target.kind === 'stdout' || (run.items.length === 0 && (alone || !json))) return
  if (json) printJson(alone ? run.items[0] : run.items)
  else printData(formatResult(run))
}

/** Downloads files: one to the current folder, or all but the last path to where the last one says. */
export async function download(paths: string[], options: DownloadOptions): Promise<void> {
  const remotes = paths.length > 1 ? paths.slice(0, -1) : paths
  const alone = remotes.length === 1
  const target = await chooseTarget(paths.length > 1 ? (paths.at(-1) ?? '.') : '.', !alone)
  if (target.kind === 'stdout' && options.json) {
    throw new CommandError('usage', 'Standard output cannot take both the bytes and the JSON document')
  }
  await runSignedIn(options, async signedIn => {
    const attempts = startAttempts(signedIn.server, alone)
    const run: Run = { ...signedIn, target, progress: await openProgress(), items: [], written: new Set() }
    try {
      for (const text of remotes) await attempts.run(text, () => downloadOne(run, text))
    } finally {
      run.progress.stop()
      printResult(run, alone, options.json === true)
    }
    attempts.finish()
  })
}
