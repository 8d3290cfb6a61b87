/** An account of very many items whose names have several words, as users name their files. */
import type { Database } from '../../src/db/database.ts'
import type { Owner } from './place.ts'
import { plantEntries, plantFolder } from './plant.ts'

const subjects = [
  ...['Annual', 'Budget', 'Customer', 'Delivery', 'Estimate', 'Façade', 'Garden', 'Holiday', 'Invoice', 'Journey'],
  ...['Kitchen', 'Letter', 'Meeting', 'Notes', 'Offer', 'Project', 'Quality', 'Straße', 'Отчёт', '会議資料'],
]
const details = ['report', 'draft', 'summary', 'plan', 'scan', 'photo', 'contract', 'Übersicht', 'minutes', 'Ποσειδών']
const extensions = ['pdf', 'pdf', 'pdf', 'jpg', 'jpg', 'png', 'docx', 'xlsx', 'txt', 'mp4', 'zip']
const firstYear = 2001
const years = 24
/** The number of entries in a folder of usual size. */
const usualFolder = 1000

const pick = (words: readonly string[], index: number): string => words[index % words.length] ?? ''

/** Makes a different name for each entry. Each word occurs in many names, each combination of words in some. */
export function nameOf(index: number, isFolder: boolean): string {
  const subject = pick(subjects, Math.floor(index / 3))
  const detail = pick(details, Math.floor(index / 7))
  const year = firstYear + (Math.floor(index / 11) % years)
  const stem = `${subject} ${detail} ${index} of ${year}`
  return isFolder ? stem : `${stem}.${pick(extensions, Math.floor(index / 13))}`
}

export interface Account {
  /** The folder that holds half of all items. */
  huge: number
  usual: number
  /** An item to rename, which changes the space of all others. */
  other: number
}

/** A word that occurs in one folder's name only. */
const rareName = 'Okapi'

/** Plants `count` entries, a tenth of them folders and half of them in one folder. */
export async function plantAccount(db: Database, owner: Owner, count: number): Promise<Account> {
  const huge = await plantFolder(db, owner, null, 'Huge')
  await plantEntries(db, owner, huge, count / 2, nameOf)
  let usual = huge
  for (let start = count / 2; start < count; start += usualFolder) {
    usual = await plantFolder(db, owner, null, `Usual ${start}`)
    await plantEntries(db, owner, usual, usualFolder, (index, isFolder) => nameOf(start + index, isFolder))
  }
  const other = await plantFolder(db, owner, usual, rareName)
  return { huge, usual, other }
}
