/** Shows a file: its properties, and its first lines if it is text. */
import { imageSize } from 'image-size'
import { requestOf } from '../../src/api/client.ts'
import { downloadFile, previewFile } from '../../src/api/content.ts'
import { getFile } from '../../src/api/files.ts'
import { fileKind } from '../../src/api/kinds.ts'
import { previewKind } from '../../src/api/preview-kinds.ts'
import { readRefusal, sendRequest } from '../client.ts'
import { type App, sentenceOf } from './app.ts'
import { previewColumns, previewRows } from './layout.ts'
import type { Entry } from './listing.ts'
import type { Content, Preview } from './modes.ts'
import { previewLines } from './preview-lines.ts'
import { visibleLine } from './text.ts'

/** Bytes to read of a text and of an image. An image's size comes after the data that cameras add. */
const textBytes = 64 * 1024
const imageBytes = 512 * 1024

/** Types that say little, so the content decides. MP2T is the type of TypeScript's file extension. */
const vagueTypes = new Set([null, 'application/octet-stream', 'video/mp2t'])

const noPreview = 'No preview for this kind of file · D downloads it'

function isText({ mime_type }: Entry): boolean {
  const isPreviewed = previewKind(mime_type) === 'text' || /^text\//.test(mime_type ?? '')
  return isPreviewed || fileKind(mime_type) === 'code' || vagueTypes.has(mime_type)
}

async function readStart(app: App, { id, mime_type }: Entry, maxBytes: number): Promise<Uint8Array> {
  const endpoint = previewKind(mime_type) === 'text' ? previewFile : downloadFile
  const { url: path } = requestOf(endpoint, { id })
  const headers = { range: `bytes=0-${maxBytes - 1}`, 'accept-encoding': 'identity' }
  const response = await sendRequest(app.server, { method: endpoint.method, path, headers })
  if (response.statusCode !== 200 && response.statusCode !== 206) await readRefusal(app.server, response)
  const chunks: Uint8Array[] = []
  let left = maxBytes
  // A proxy may not support ranges and send the whole file.
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk.subarray(0, left))
    left -= chunk.length
    if (left <= 0) break
  }
  return Buffer.concat(chunks)
}

function textOf(bytes: Uint8Array): Content {
  if (bytes.includes(0)) return { kind: 'none', reason: 'This is not text' }
  // With `stream`, a character that is cut at the end is left out.
  const text = new TextDecoder().decode(bytes, { stream: true })
  const lines = text.replace(/\n$/, '').split('\n').map(visibleLine)
  return { kind: 'text', lines, bytes: bytes.length }
}

/** Whether a camera recorded that the image lies on its side: 5 to 8 (EXIF 2.3, Orientation). */
const isTurned = (orientation = 1): boolean => orientation >= 5

function imageOf(bytes: Uint8Array): Content {
  try {
    const { width, height, orientation } = imageSize(bytes)
    return isTurned(orientation) ? { kind: 'image', width: height, height: width } : { kind: 'image', width, height }
  } catch {
    return { kind: 'none', reason: noPreview }
  }
}

async function readContent(app: App, entry: Entry): Promise<Content> {
  if (entry.is_directory) return { kind: 'none', reason: 'A folder' }
  if (entry.deleted_at !== null) return { kind: 'none', reason: 'Restore it to see what is in it' }
  if (entry.size === 0) return { kind: 'none', reason: 'This file is empty' }
  if (fileKind(entry.mime_type) === 'image') return imageOf(await readStart(app, entry, imageBytes))
  if (!isText(entry)) return { kind: 'none', reason: noPreview }
  return textOf(await readStart(app, entry, textBytes))
}

/** Adds loaded data to the preview, if it still shows that file. */
function fill(app: App, id: number, part: Partial<Preview>): void {
  const { mode } = app.store.get()
  if (mode.kind === 'preview' && mode.entry.id === id) app.store.set({ mode: { ...mode, ...part } })
}

const explain = (app: App, error: unknown): Content => ({ kind: 'none', reason: sentenceOf(app, error) })

export function openPreview(app: App, entry: Entry): void {
  app.store.set({
    mode: { kind: 'preview', entry, details: undefined, content: undefined, top: 0 },
    message: undefined,
  })
  void readContent(app, entry).then(
    content => fill(app, entry.id, { content }),
    error => fill(app, entry.id, { content: explain(app, error) }),
  )
  if (entry.deleted_at !== null) return
  void app.call(getFile, { id: entry.id }).then(
    ({ file }) => fill(app, entry.id, { details: file }),
    // The request for the content reports the failure.
    () => undefined,
  )
}

export function scrollPreview(app: App, rows: number): void {
  const state = app.store.get()
  const { mode } = state
  if (mode.kind !== 'preview') return
  const last = Math.max(0, previewLines(mode, previewColumns(state) - 2).length - previewRows(state))
  app.store.set({ mode: { ...mode, top: Math.max(0, Math.min(mode.top + rows, last)) } })
}
