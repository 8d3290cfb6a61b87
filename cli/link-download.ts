/** Downloads what a link is on: a file, or a folder with everything in it. */
import { requestOf } from '../src/api/client.ts'
import { linkSees } from '../src/api/link-levels.ts'
import { archiveLinkFolder, archiveLinkItems, getLinkFile, type VisitorItem } from '../src/api/visits.ts'
import { CommandError } from '../terminal/exit.ts'
import { printNotice } from '../terminal/output.ts'
import { startAttempts } from './attempts.ts'
import { downloadAll } from './download-all.ts'
import { findNamed } from './download-run.ts'
import { type Destination, placeOf, refuseUntyped } from './download-target.ts'
import { type Archive, saveArchive } from './download-zip.ts'
import type { LinkAddress } from './link-address.ts'
import { filesOfLink } from './remote-files.ts'
import { endTogether } from './signed-in.ts'
import { type PasswordOption, runVisiting, type Visit } from './visit.ts'

interface Options extends PasswordOption {
  zip?: boolean
  concurrency: number
  json?: boolean
}

const archiveOf = ({ token }: Visit, { id, name, is_directory }: VisitorItem): Archive => ({
  name: `${name}.zip`,
  request: is_directory
    ? requestOf(archiveLinkFolder, { token, id })
    : requestOf(archiveLinkItems, { token, ids: [id] }),
})

function downloadFiles(visit: Visit, item: VisitorItem, destination: Destination, options: Options) {
  const { concurrency, json = false } = options
  const oneFile = !item.is_directory
  const attempts = startAttempts(visit.server, oneFile)
  let order = 0
  return endTogether(visit, ({ server, call }) =>
    downloadAll(
      { server, remote: filesOfLink({ server, call, token: visit.token }) },
      run => findNamed(run, item, placeOf(destination.target, item), () => order++),
      { ...destination, oneFile, concurrency, json, attempts },
    ),
  )
}

/**
 * Downloads what a link is on; `replaces` says that the person named a local place. Throws `denied` if it only takes
 * uploads, and like `refuseUntyped` and `runVisiting`.
 */
export const downloadFromLink = (link: LinkAddress, destination: Destination, options: Options): Promise<void> =>
  runVisiting(link, options, async visit => {
    const { server, call, token, info } = visit
    if (!linkSees(info.level))
      throw new CommandError('denied', `This link only takes uploads: 'upload --to' sends them`)
    const { file } = await call(getLinkFile, { token, id: info.item_id })
    refuseUntyped(destination, file, 'The link is on')
    // Each file of the folder would count as a download of its own.
    const isCounted = file.is_directory && info.downloads_left !== null && destination.target.kind !== 'stdout'
    if (isCounted && !options.zip) printNotice('This link counts downloads, so the folder comes as one ZIP file')
    if (isCounted || options.zip) {
      await saveArchive(server, archiveOf(visit, file), destination, options.json ? [file] : undefined)
    } else await downloadFiles(visit, file, destination, options)
  })
