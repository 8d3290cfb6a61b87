/** Uploads and downloads that run while the person browses. */
import { basename } from 'node:path'
import pMap from 'p-map'
import { listUploadFields, type MetadataField } from '../../src/api/metadata.ts'
import type { MetadataValue } from '../../src/api/metadata-values.ts'
import { CommandError } from '../../terminal/exit.ts'
import { countOf } from '../../terminal/format.ts'
import type { Progress } from '../../terminal/progress.ts'
import { visible } from '../../terminal/visible.ts'
import { type Attempts, startAttempts } from '../attempts.ts'
import { createCall } from '../client.ts'
import { type DownloadJob, type DownloadRun, downloadOne, findNamed, pathInside } from '../download-run.ts'
import { findLocal, requireLocal } from '../local-path.ts'
import { shownPath } from '../places.ts'
import { filesOf } from '../remote-files.ts'
import { labelOf } from '../remote-item.ts'
import { endTogether } from '../signed-in.ts'
import { uploadAll } from '../upload-all.ts'
import { inOrder, type RemoteFolder, type UploadRun } from '../upload-run.ts'
import { findJobs } from '../upload-tree.ts'
import { type App, say, sentenceOf } from './app.ts'
import { askValues } from './asking-values.ts'
import { nameEntries } from './changing.ts'
import { completePath, localPath } from './complete-path.ts'
import { chosenEntries } from './cursor.ts'
import { lineOf } from './line-editor.ts'
import type { Entry } from './listing.ts'
import { refresh } from './loading.ts'
import { readQuota } from './profile.ts'
import { ask } from './prompting.ts'
import { start } from './running.ts'
import type { Transfer } from './state.ts'

/** Milliseconds between two updates of a transfer's figures. */
const refreshInterval = 100

/** Files transferred at once: fewer than in a command, so that other requests do not have to wait for them. */
const concurrency = 4

let lastId = 0

interface Shown extends Progress {
  /** The number of files that have arrived or failed. */
  ended(): number
}

/** Shows the files of one action in the state while they are transferred. */
function showIn(app: App, direction: Transfer['direction']): Shown {
  const open = new Map<number, Transfer>()
  const mine = new Set<number>()
  let timer: NodeJS.Timeout | undefined
  let ended = 0
  const show = () => {
    clearTimeout(timer)
    timer = undefined
    const others = app.store.get().transfers.filter(({ id }) => !mine.has(id))
    app.store.set({ transfers: [...others, ...open.values()] })
  }
  return {
    open(label, total) {
      lastId += 1
      const id = lastId
      mine.add(id)
      const change = (change: Partial<Transfer>) => {
        const old = open.get(id) ?? { id, direction, label: visible(label), done: 0, total, startedAt: Date.now() }
        open.set(id, { ...old, ...change })
      }
      return {
        begin() {
          change({ done: 0, startedAt: Date.now() })
          show()
        },
        add(bytes) {
          change({ done: (open.get(id)?.done ?? 0) + bytes })
          timer ??= setTimeout(show, refreshInterval)
        },
        skip(bytes) {
          this.add(bytes)
        },
        end() {
          if (!open.delete(id)) return
          ended += 1
          show()
        },
      }
    },
    stop() {
      open.clear()
      show()
    },
    ended: () => ended,
  }
}

/** Tries every item, and keeps the messages of the failures. `finish` throws with the first one. */
function startNoted(app: App, alone: boolean): Attempts {
  const attempts = startAttempts(app.server, alone)
  const reasons: string[] = []
  const note = (error: unknown) => void reasons.push(sentenceOf(app, error))
  return {
    run: (name, work, order) =>
      attempts.run(
        name,
        () =>
          work().catch(error => {
            note(error)
            throw error
          }),
        order,
      ),
    fail(name, error, order) {
      note(error)
      return attempts.fail(name, error, order)
    },
    finish() {
      const [first] = reasons
      if (first !== undefined) throw new CommandError('unexpected', `${countOf(reasons.length, 'failure')}: ${first}`)
    },
  }
}

async function upload(app: App, path: string, target: RemoteFolder, metadata: readonly MetadataValue[]): Promise<void> {
  const name = basename(path)
  if (name === '') throw new CommandError('usage', `'${path}' has no name: give the path of a file or folder`)
  const attempts = startNoted(app, (await findLocal(path))?.isDirectory() !== true)
  const progress = showIn(app, 'upload')
  const made: UploadRun['made'] = []
  try {
    await endTogether(app, async ({ server, call }) => {
      const callRepeatable = createCall(server, { repeatable: true })
      const given = {
        onConflict: 'rename' as const,
        metadata,
        isDry: false,
        planned: [],
        skipped: 0,
        onTheWay: new Set<string>(),
      }
      const run: UploadRun = { server, call, callRepeatable, target, attempts, progress, made, ...given }
      let order = 0
      const jobs = findJobs(run, path, name, target, () => order++)
      await uploadAll(run, jobs, concurrency)
    })
  } finally {
    progress.stop()
  }
  const [first] = inOrder(made)
  const { source } = app.store.get().place
  if (source.kind === 'folder' && source.parentId === target.id) await refresh(app, first?.id)
  await readQuota(app)
  attempts.finish()
  const what = first?.is_directory ? ` (${countOf(progress.ended(), 'file')})` : ''
  say(app, `Uploaded '${visible(first?.name ?? name)}'${what}`)
}

export function askUpload(app: App) {
  const { source, path } = app.store.get().place
  if (source.kind !== 'folder') return say(app, 'An upload needs a folder to go to · 1 shows the files', 'error')
  const target = { id: source.parentId, path: path === '/' ? '' : path, names: [], isNew: false }
  let local = ''
  let fields: MetadataField[] = []
  ask(app, {
    label: `Upload to ${visible(path)}`,
    hint: 'A file or folder of this machine · Tab completes · Enter uploads · Esc',
    complete: text => completePath(text, false),
    submit: async text => {
      local = localPath(text)
      await requireLocal(local)
      fields = (await app.call(listUploadFields, {})).filter(field => field.is_required)
    },
    next: () =>
      askValues(app, fields, metadata => {
        say(app, `Uploading '${visible(basename(local))}'`)
        start(app, own => upload(own, local, target, metadata))
      }),
  })
}

async function download(app: App, entries: readonly Entry[], folder: string): Promise<void> {
  const attempts = startNoted(app, entries.length === 1 && entries[0]?.is_directory === false)
  const progress = showIn(app, 'download')
  try {
    await endTogether(app, async ({ server, call }) => {
      const remote = filesOf(call)
      const own = { replaces: false, results: [], taken: new Set<string>(), skipped: 0 }
      const run: DownloadRun = { server, remote, attempts, progress, ...own }
      let order = 0
      async function* findAll() {
        for (const entry of entries) {
          try {
            const place = { path: pathInside(folder, entry.name), follows: !entry.is_directory }
            yield* findNamed(run, entry, place, () => order++)
          } catch (error) {
            await attempts.fail(shownPath(entry), error, order++)
          }
        }
      }
      const work = (job: DownloadJob) => attempts.run(labelOf(job.item), () => downloadOne(run, job), job.order)
      await pMap(findAll(), work, { concurrency })
    })
  } finally {
    progress.stop()
  }
  attempts.finish()
  say(app, `Downloaded ${nameEntries(entries)} to ${visible(folder)}`)
}

export function askDownload(app: App): void {
  const entries = chosenEntries(app.store.get())
  if (entries.length === 0) return
  let folder = ''
  ask(app, {
    label: `Download ${nameEntries(entries)} to`,
    hint: 'A folder of this machine · Tab completes · Enter downloads · Esc',
    line: lineOf('./'),
    complete: text => completePath(text, true),
    submit: async text => {
      folder = localPath(text)
      if (!(await findLocal(folder))?.isDirectory()) {
        throw new CommandError('usage', `There is no folder '${folder}' on this machine`)
      }
      const taken = (await Promise.all(entries.map(entry => findLocal(pathInside(folder, entry.name))))).some(Boolean)
      if (taken) throw new CommandError('conflict', 'Something of that name is there already; choose another folder')
    },
    next: () => start(app, own => download(own, entries, folder)),
  })
}
