/** Receives files through links: into the link's own folder, under a free name, for whoever answers for the link. */
import type { Visitor } from '../access/actor.ts'
import type { LinkAccount } from '../access/link-rows.ts'
import { networkOf } from '../access/network.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { inlineLimit } from '../api/limits.ts'
import type { LinkUploadMetadata } from '../api/link-uploads.ts'
import type { uploadToLink } from '../api/visits.ts'
import { invalidField } from '../base/errors.ts'
import type { Allowance } from '../blobs/receive.ts'
import type { UploadTarget } from '../db/models/uploads.ts'
import type { Deps } from '../deps.ts'
import type { Files } from '../files/files.ts'
import { handInName } from '../files/hand-in.ts'
import { uploadFile, uploadName } from '../files/upload.ts'
import { findMost } from '../files/visitor-room.ts'
import type { GuestCall, GuestUploadCall } from '../route.ts'

type UploadInput = ParsedInputOf<typeof uploadToLink>

/** Bytes that a form may have besides its file. */
const formOverhead = 1024 ** 2

/** The input of an upload into the link's folder; visitors neither choose another one nor replace anything. */
const inputOf = (
  { itemId }: Visitor['link'],
  { name, metadata, modified_at }: Pick<UploadInput, 'name' | 'metadata' | 'modified_at'>,
) => ({
  parent_id: itemId,
  name,
  metadata,
  modified_at,
  on_conflict: 'rename' as const,
})

/** Throws `invalid_input` for a sender's name that is missing, or that nobody asked for. */
function refuseSender({ ask_name }: LinkAccount, sender: string | undefined): void {
  if (ask_name === 1 && sender === undefined) throw invalidField('sender', 'Your name is required')
  if (ask_name === 0 && sender !== undefined) throw invalidField('sender', 'This link asks for no name')
}

/** Checks a visitor's file at its first byte. Throws as `checkUpload` and `findMost`, and `rate_limited`. */
export async function admitReceived(
  { db, linkLimits, clock, log }: Pick<Deps, 'db' | 'linkLimits' | 'clock' | 'log'>,
  files: Files,
  {
    actor,
    link,
    input,
    contentLength,
  }: {
    actor: Visitor
    link: LinkAccount
    input: UploadInput
    contentLength: number | null
  },
): Promise<Allowance> {
  const least = Math.max(0, (contentLength ?? 0) - formOverhead)
  const refuseBeyond = await findMost(
    db,
    actor,
    actor.root.spaceId,
    { least, most: contentLength ?? Number.POSITIVE_INFINITY },
    clock.now(),
  )
  refuseBeyond(least)
  const network = networkOf(actor.address)
  await linkLimits.countFile(link.id, network)
  const giveBack = () =>
    linkLimits.giveBackFile(link.id, network).catch(error => {
      log.warn({ err: error }, 'a file that was not stored counts for the day of its link')
    })
  try {
    return within(await files.admitUpload(actor, inputOf(actor.link, input), contentLength), refuseBeyond, giveBack)
  } catch (error) {
    await giveBack()
    throw error
  }
}

/**
 * The same allowance for no more bytes than `refuseBeyond` lets pass, whatever length the request announced. A file that
 * fails before any byte went to the store is given back to the day's count.
 */
function within(allowance: Allowance, refuseBeyond: (bytes: number) => void, giveBack: () => Promise<void>): Allowance {
  let [taken, admitted] = [0, 0]
  const fail = async (): Promise<void> => {
    if (admitted <= inlineLimit) await giveBack()
  }
  return {
    take: async bytes => {
      taken += bytes
      refuseBeyond(taken)
      await allowance.take(bytes)
      admitted += bytes
    },
    limit: allowance.limit,
    store: work =>
      allowance.store(work).catch(async error => {
        await fail()
        throw error
      }),
    end: () => {
      allowance.end()
      void fail()
    },
  }
}

/** Where a resumable upload of a visitor goes. Throws `invalid_input`. */
export function targetOf(
  { visitor, link }: Pick<GuestCall<unknown>, 'visitor' | 'link'>,
  { filename = '', sha256, finish, ...input }: LinkUploadMetadata,
): UploadTarget {
  refuseSender(link, input.sender)
  const sent = uploadName({ name: input.name, parent_id: null }, filename)
  const name = nameOf(input, sent)
  const file = { name, sent_name: sent, sha256, is_explicit: finish === 'explicit' }
  return { ...inputOf(visitor.link, input), ...file }
}

/** The name that a visitor's file is stored under, as far as it is free. */
const nameOf = ({ sender }: Pick<UploadInput, 'sender'>, sent: string): string =>
  sender === undefined ? sent : handInName(sender, sent)

/** Stores a visitor's file. Returns its name as it was sent: the one that it got may tell of others' files. */
export async function receive(
  deps: Deps,
  { visitor, link, input, upload }: GuestUploadCall<UploadInput>,
): Promise<{ name: string; size: number }> {
  refuseSender(link, input.sender)
  const { fileName, blob } = upload
  const sent = uploadName({ name: input.name, parent_id: null }, fileName)
  const name = nameOf(input, sent)
  await uploadFile(deps, visitor, inputOf(visitor.link, { ...input, name }), fileName, blob)
  return { name: sent, size: blob.size }
}
