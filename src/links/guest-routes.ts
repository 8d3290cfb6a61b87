/** The routes of visitors, who come by a link and have no account. http/visitors.ts admits them. */
import { deadLink } from '../access/link-account.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { finishLinkUpload } from '../api/link-uploads.ts'
import * as api from '../api/visits.ts'
import { notFound } from '../base/errors.ts'
import type { Deps } from '../deps.ts'
import { listFiles } from '../files/browse.ts'
import type { Files } from '../files/files.ts'
import { findFolder, findItem } from '../files/find.ts'
import { presentDetails } from '../files/present.ts'
import { downloadFile, previewFile } from '../files/read.ts'
import { created, ok, sendFile, sendStream } from '../reply.ts'
import { type GuestCall, guestRoute, guestUploadRoute, type Route } from '../route.ts'
import { countDownload, counted } from './downloads.ts'
import { presentInfo, presentVisitorItem, presentVisitorListing } from './present-visitor.ts'
import { admitReceived, receive } from './receive.ts'
import { unlock } from './unlock.ts'

/** What would show a file without counting as a download; not where downloads are limited. Throws `not_found`. */
function refuseUncounted({ link }: GuestCall<unknown>): void {
  if (link.max_downloads !== null) throw notFound('Preview')
}

export const guestRoutes = (deps: Deps, files: Files): Route[] => {
  const { db, linkUse, uploads } = deps
  const download = async (call: GuestCall<unknown>, id: number) =>
    sendFile(await counted(deps, call, id, await downloadFile(deps, call.visitor, id)))
  /** A ZIP file has no ranges, so each one counts. One that was counted may wait for its turn after the last download. */
  const countArchive = async (call: GuestCall<unknown>, itemId: number) => {
    if (call.isUsedUp) throw deadLink('used_up')
    if (!call.request.isHead) await countDownload(deps, call, itemId)
  }
  const archive = async (call: GuestCall<unknown>, id: number) => {
    const zip = await files.archiveFolder(call.visitor, id)
    await countArchive(call, id)
    return sendStream(zip)
  }
  const info = ({ link, visitor }: GuestCall<unknown>) =>
    presentInfo(deps, link, visitor, { name: link.item_name, size: link.size, mime_type: link.mime_type })
  return [
    guestRoute(api.visitLink, 'open', async call => {
      if (call.isLocked) return ok({ locked: true as const })
      linkUse.note(call.link.id, 'opened')
      return ok(await info(call))
    }),
    guestRoute(api.unlockLink, 'open', async call => {
      await unlock(deps, call)
      linkUse.note(call.link.id, 'opened')
      return ok(await info(call), 'Unlocked')
    }),
    guestRoute(api.listLinkFiles, 'see', async ({ visitor, link, input }) => {
      const place = await findFolder(db, visitor, input.parent_id ?? null, 'see')
      const { token, ...list } = input
      return ok(presentVisitorListing(await listFiles(db, visitor, place, { ...list, only: undefined }), token, link))
    }),
    guestRoute(api.getLinkFile, 'see', async ({ visitor, link, input }) => {
      const item = await presentDetails(db, visitor, await findItem(db, visitor, input.id, 'see'))
      return ok({ file: presentVisitorItem(item, input.token, link) })
    }),
    guestRoute(api.downloadLinkFile, 'bytes', call => download(call, call.input.id)),
    guestRoute(api.previewLinkFile, 'see', async call => {
      refuseUncounted(call)
      return sendFile(await previewFile(deps, call.visitor, call.input.id))
    }),
    guestRoute(api.getLinkThumbnail, 'see', async call => {
      refuseUncounted(call)
      return sendFile(await files.getThumbnail(call.visitor, call.input.id, call.request.isGone))
    }),
    guestRoute(api.archiveLinkFolder, 'bytes', call => archive(call, call.input.id)),
    guestRoute(api.archiveLinkItems, 'bytes', async call => {
      const { item_id: id, item_name: name } = call.link
      const zip = await files.archiveItems(call.visitor, call.input.ids, name)
      await countArchive(call, id)
      return sendStream(zip)
    }),
    guestRoute(api.downloadLink, 'bytes', call => {
      const { item_id: id, is_directory } = call.link
      if (is_directory === 0) return download(call, id)
      return archive(call, id)
    }),
    guestUploadRoute(
      api.uploadToLink,
      start => admitReceived(deps, files, start),
      async (call: GuestCall<ParsedInputOf<typeof api.uploadToLink>> & Parameters<typeof receive>[1]) =>
        created(await receive(deps, call), 'File uploaded'),
    ),
    guestRoute(finishLinkUpload, 'add', async ({ visitor, input: { id, sha256 } }) => {
      const { isNew, upload } = await uploads.finish(visitor, id, { sha256 })
      const { target, length } = upload
      const answer = { name: target.sent_name ?? target.name, size: length }
      return isNew ? created(answer, 'File uploaded') : ok(answer, 'File is there')
    }),
  ]
}
