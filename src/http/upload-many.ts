/** Receives many files in one form: each in a part `file` after a field `item` that describes it. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from 'koa'
import { maxUploadManyBytes, maxUploadManyFiles } from '../api/limits.ts'
import { uploadItem } from '../api/upload-many.ts'
import { AppError, invalidField } from '../base/errors.ts'
import { parseInput } from '../base/parse-input.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { type Allowance, receiveBlob } from '../blobs/receive.ts'
import { toAppError } from '../db/failures.ts'
import type { ManyAdmission, SentFile } from '../route.ts'
import { parseJson } from './body.ts'
import { memoryOf } from './memory-of.ts'
import { type FormFields, type FormFile, isBroken, receiveMultipart } from './multipart.ts'
import { removeBytes } from './upload.ts'

/** Bytes that each file takes until the end of the form, for its stream and what is known of it or its refusal. */
const perFile = 4096

/** Characters of a description that may be parsed together with others. */
const shortItem = 1000

const limits = { files: maxUploadManyFiles, fields: maxUploadManyFiles + 1, parts: 2 * maxUploadManyFiles + 1 }

interface UploadManyOptions {
  store: BlobStore
  /**
   * Counts bytes that wait in memory for the end of the form, or with a negative number gives them back; when it throws,
   * the form is refused.
   */
  countHeld(bytes: number): void
  /** Runs at the first file with the fields sent before it; when it throws, the form is refused. */
  before(fields: FormFields): Promise<ManyAdmission>
  /** Counts one more change of the user; when it throws, this file alone is refused. */
  countChange(): Promise<void>
}

/** A file with its description and allowance, or the reason why it is refused. */
export type ReceivedItem = (SentFile & { allowance: Allowance }) | { refusal: AppError }

const wrongParts = (cause?: unknown): AppError => {
  const message = `Send 1 to ${maxUploadManyFiles} files, each in a part 'file' after a field 'item'`
  return new AppError('invalid_input', message, { cause, fields: { file: message } })
}

/**
 * Opens the turns of one form: each long description is parsed in a turn of the event loop of its own, or a hundred of
 * them would keep other requests waiting.
 */
function openItemTurns(): (text: string) => Promise<void> | undefined {
  let last: Promise<void> = Promise.resolve()
  return text => {
    if (text.length <= shortItem) return
    last = last.then(() => nextTurn())
    return last
  }
}

/**
 * Admits and receives one file. Returns a refusal for what is wrong with it, and throws if the client or the server
 * fails.
 */
async function receiveOne(
  { store, countChange }: UploadManyOptions,
  admission: ManyAdmission,
  text: string,
  file: FormFile,
): Promise<ReceivedItem> {
  let allowance: Allowance | null = null
  try {
    const item = parseInput(uploadItem, parseJson(Buffer.from(text)))
    await countChange()
    allowance = await admission.admit(item)
    const { limit, take } = allowance
    // A refused file is read to its end, or the parser would take the form for broken.
    const source = file.stream.iterator({ destroyOnReturn: false })
    const blob = await receiveBlob(store, source, { limit, take })
    return { item, blob, allowance }
  } catch (error) {
    allowance?.end()
    const refusal = toAppError(error)
    if (isBroken(file, error) || refusal.status >= 500) throw error
    file.stream.resume()
    return { refusal }
  }
}

/** The bytes that a received file keeps in memory. */
const heldBy = (received: ReceivedItem): number =>
  perFile +
  ('refusal' in received
    ? memoryOf(received.refusal.fields)
    : memoryOf(received.item) + (received.blob.inline?.length ?? 0))

/**
 * Receives the form; files and refusals come in the order of the parts. When it resolves, the bytes are durable or in
 * memory, and the caller must save rows for them or remove them. When it rejects, no bytes are left.
 */
export async function receiveMany(
  ctx: Context,
  options: UploadManyOptions,
): Promise<{ fields: FormFields; items: ReceivedItem[] }> {
  /** The description of the file that must follow. */
  let next: string | null = null
  let begun: Promise<ManyAdmission> | null = null
  const takeTurn = openItemTurns()
  /** Without a prototype, because a field may have any name. */
  let fields: FormFields = Object.create(null)
  const remove = async (received: ReceivedItem) => {
    if ('blob' in received) await removeBytes(options.store, received)
  }
  const { files } = await receiveMultipart<ReceivedItem>(ctx, {
    limits,
    maxBytes: maxUploadManyBytes,
    keepsFields: false,
    countHeld: options.countHeld,
    wrongFiles: wrongParts,
    onField: (name, value) => {
      options.countHeld(memoryOf(name) + memoryOf(value))
      if (name === 'item' ? next !== null : begun !== null || next !== null) throw wrongParts()
      if (name === 'item') next = value
      else if (Object.hasOwn(fields, name)) throw invalidField(name, `The field ${name} is given twice`)
      else fields[name] = value
    },
    receive: async file => {
      const text = next
      next = null
      if (text === null) throw wrongParts()
      // Each may take 16 KB, and nothing reads them.
      Object.assign(file, { originalname: '', encoding: '', mimetype: '' })
      begun ??= options.before(fields)
      const admission = await begun
      await takeTurn(text)
      const received = await receiveOne(options, admission, text, file)
      try {
        options.countHeld(heldBy(received) - memoryOf('item') - memoryOf(text))
      } catch (error) {
        await remove(received)
        throw error
      }
      return received
    },
    onEnd: count => {
      if (count === 0 || next !== null) throw wrongParts()
    },
    remove,
  }).catch(error => {
    // The parser of a refused form goes on until its connection ends, and keeps these functions.
    fields = {}
    next = null
    throw error
  })
  return { fields, items: files.map(({ received }) => received) }
}
