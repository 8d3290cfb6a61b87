/** `filestore upload`: files, folders with all that is in them, and standard input. */
import { basename, resolve } from 'node:path'
import type { ConflictRule } from '../../src/api/files.ts'
import type { FileItem } from '../../src/api/items.ts'
import { startAttempts } from '../attempts.ts'
import { createCall } from '../client.ts'
import { CommandError } from '../exit.ts'
import { countOf, formatSize } from '../format.ts'
import { findLocal } from '../local-path.ts'
import { printData, printJson } from '../output.ts'
import { openProgress } from '../progress.ts'
import { findRemoteFolder } from '../remote-path.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'
import { formatTable } from '../table.ts'
import { stdinSource, type UploadRun, uploadPath, uploadSource } from '../upload-tree.ts'

export interface UploadOptions extends ProfileOption {
  to: string
  name?: string
  onConflict: ConflictRule
  json?: boolean
}

function checkArguments(paths: readonly string[], name: string | undefined): void {
  if (name !== undefined && paths.length > 1) throw new CommandError('usage', '--name is for a single file or folder')
  if (name === undefined && paths.includes('-')) {
    throw new CommandError('usage', 'Standard input has no name of its own: upload it alone and give --name')
  }
}

/** The last part of a path, also of `.` and `folder/`. */
function nameOf(path: string): string {
  const name = basename(resolve(path))
  if (name === '') throw new CommandError('usage', `'${path}' has no name: give one with --name`)
  return name
}

/** A line for each item right below the target; a folder's holds the sum of what was put into it. */
function formatResult(items: readonly FileItem[], parentId: number | null): string {
  const rows = items
    .filter(item => item.parent_id === parentId)
    .map(item => {
      if (!item.is_directory) return [formatSize(item.size), item.path]
      const files = items.filter(other => !other.is_directory && other.path.startsWith(`${item.path}/`))
      const size = files.reduce((sum, file) => sum + file.size, 0)
      return [formatSize(size), `${item.path}/ (${countOf(files.length, 'file')})`]
    })
  return formatTable([{ head: 'SIZE', align: 'right' }, { head: 'PATH' }], rows)
}

function printResult({ items }: UploadRun, parentId: number | null, oneFile: boolean, json: boolean): void {
  if (items.length === 0 && (oneFile || !json)) return
  if (json) printJson(oneFile ? items[0] : items)
  else printData(formatResult(items, parentId))
}

/** Uploads everything named, then says what came of it; with --json a single file is an item, all else a list. */
export async function upload(paths: string[], options: UploadOptions): Promise<void> {
  checkArguments(paths, options.name)
  const [only = ''] = paths
  const oneFile = paths.length === 1 && (only === '-' || (await findLocal(only))?.isDirectory() !== true)
  await runSignedIn(options, async ({ server, call }) => {
    const parentId = await findRemoteFolder(call, options.to)
    const attempts = startAttempts(server, oneFile)
    const run: UploadRun = {
      server,
      callRepeatable: createCall(server, { repeatable: true }),
      onConflict: options.onConflict,
      attempts,
      progress: await openProgress(),
      items: [],
    }
    try {
      for (const path of paths) {
        await attempts.run(path, async () => {
          const place = { name: options.name ?? nameOf(path), parentId }
          await (path === '-' ? uploadSource(run, stdinSource, place) : uploadPath(run, path, place))
        })
      }
    } finally {
      run.progress.stop()
      printResult(run, parentId, oneFile, options.json === true)
    }
    attempts.finish()
  })
}
