/** Prints the report of `filestore fsck`: a line for each finding as it is found, and a summary. */

import type { Finding, FsckListener } from '../src/commands/fsck/finding.ts'
import type { FsckSummary } from '../src/commands/fsck/fsck.ts'
import { CommandError } from '../terminal/exit.ts'
import { countOf, formatSize, formatTime } from '../terminal/format.ts'
import { openJsonList, printData, printNotice } from '../terminal/output.ts'
import { openProgress, type Transfer } from '../terminal/progress.ts'
import { visible } from '../terminal/visible.ts'

interface Report {
  listener: FsckListener
  /** Prints the summary. Throws `CommandError` with the verdict as its exit, unless it is `ok`. */
  end(summary: FsckSummary, isRepair: boolean): void
  /** Ends the report early, with the findings so far. */
  breakOff(): void
}

const wordOf = ({ verdict, repaired }: Finding): string =>
  repaired ? 'repaired' : verdict === 'ok' ? 'noted' : verdict

const lineOf = (finding: Finding): string =>
  `${wordOf(finding).padEnd(10)}  ${visible(finding.name)}: ${visible(finding.detail)}`

const number = (value: number): string => value.toLocaleString('en-US')

function summaryOf({ counts, checked }: FsckSummary, isHashed: boolean): string {
  const hashed = isHashed ? `, ${formatSize(checked.hashed_bytes)} of them hashed` : ''
  const young = checked.young > 0 ? ` (${number(checked.young)} of uploads under way)` : ''
  const { lost, repairable, repaired, ok } = counts
  return [
    `Checked ${number(checked.items)} files and folders in ${countOf(checked.spaces, 'storage')},`,
    `        ${number(checked.blobs)} contents of ${formatSize(checked.bytes)}${hashed},`,
    `        ${number(checked.thumbnails)} thumbnails, and ${number(checked.stored)} files in the store${young}`,
    `Found   ${number(lost)} lost, ${number(repairable)} repairable, ${number(repaired)} repaired, ${number(ok)} noted`,
  ].join('\n')
}

/** Throws `CommandError` with the verdict as its exit and advice as its message, unless the verdict is `ok`. */
function refuseUnwell({ verdict, counts }: FsckSummary, isRepair: boolean): void {
  if (verdict === 'ok') return
  const { lost, repairable } = counts
  const parts = [
    lost > 0 && `${countOf(lost, 'finding')} lost: a backup, or another upload of the same file, brings it back`,
    repairable > 0 && `${repairable} ${isRepair ? 'could not be repaired' : 'can be repaired: run fsck with --repair'}`,
  ]
  throw new CommandError(verdict, parts.filter(part => part !== false).join('; '))
}

export async function openReport(isJson: boolean): Promise<Report> {
  const progress = await openProgress()
  const list = isJson ? openJsonList('findings') : undefined
  let isBegun = false
  let hashing: Transfer | undefined
  const listener: FsckListener = {
    onFinding: finding => {
      progress.clear()
      if (list === undefined) printData(lineOf(finding))
      else list.add(finding)
      isBegun = true
    },
    onHashing: (total, resumedFrom) => {
      if (resumedFrom !== null) {
        const run = `the run of ${formatTime(resumedFrom)}, which was interrupted`
        printNotice(`Going on with ${run} (--restart begins anew); ${formatSize(total)} are left to hash`)
      }
      hashing = progress.open('Hashing', total)
      hashing.begin()
    },
    onHashed: bytes => hashing?.add(bytes),
    onHashingEnd: () => progress.stop(),
  }
  return {
    listener,
    end(summary, isRepair) {
      progress.stop()
      if (list === undefined) printData(summaryOf(summary, hashing !== undefined))
      else list.end(summary)
      refuseUnwell(summary, isRepair)
    },
    breakOff() {
      progress.stop()
      if (isBegun) list?.end({ verdict: null })
    },
  }
}
