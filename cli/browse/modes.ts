/** What the screen shows besides or in place of the list: questions, choices, dialogs, the preview. */
import type { FileDetails, FileItem } from '../../src/api/items.ts'
import type { Link } from '../../src/api/links.ts'
import type { Sharable } from '../../src/api/share-words.ts'
import type { AccessEntry } from '../../src/api/shares.ts'
import type { Tag } from '../../src/api/tags.ts'
import type { Line } from './line-editor.ts'
import type { Entry } from './listing.ts'
import type { FolderFacts, Place } from './place.ts'

export interface Completed {
  text: string
  /** The possible completions, if there are several. */
  choices: readonly string[]
}

/** A question that is answered with a line of text. */
export interface Prompt {
  kind: 'prompt'
  label: string
  hint: string
  line: Line
  error: string | undefined
  busy: boolean
  choices: readonly string[]
  /** The dialog that the question is about, which stays on screen above it. */
  dialog?: Sharing
  /** Runs the prompt's action. If it fails, the error is shown and the line stays for another try. */
  submit: (text: string) => Promise<void>
  /** The act of Tab; returns undefined if it has asked another question instead. */
  complete?: (text: string) => Promise<Completed | undefined>
  /** Returns what the text may mean; called when the person has stopped typing. */
  suggest?: (text: string) => Promise<readonly string[]>
  /** Called with every change of the text. */
  change?: (text: string) => void
  cancel?: () => void
  /** Called after a successful `submit`, unless the person has closed the prompt meanwhile. */
  next?: () => void
}

/** A question that is answered with y or n. */
export interface Confirmation {
  kind: 'confirm'
  question: string
  /** The dialog that the question is about, which stays on screen above it. */
  dialog: Sharing | undefined
  yes: () => Promise<void>
  no: () => void
}

/** Chooses a folder on the server. Row 0 is the current folder itself; in the list of all places, the own tree. */
export interface Picker {
  kind: 'picker'
  verb: string
  place: Place
  /** Why the shown folder cannot be chosen, or a folder not be opened; undefined if it can. */
  refusalOf: (folder: FolderFacts, folderId: number | null) => string | undefined
  /** What choosing it means besides. */
  noteOf: (folder: FolderFacts) => string | undefined
  /** Folders that cannot be opened, because they are moved or copied themselves. */
  excluded: ReadonlySet<number>
  choose: (parentId: number | null, path: string) => Promise<void>
  busy: boolean
  error: string | undefined
}

export interface TagChooser {
  kind: 'tags'
  entries: readonly Entry[]
  tags: readonly Tag[] | undefined
  cursor: number
}

/** An item whose Share dialog can be opened. */
export type SharedItem = Sharable & Pick<FileItem, 'may'>

/** Who has access to an item, and why, and the links to it. */
export interface Sharing {
  kind: 'share'
  item: SharedItem
  /** Undefined until it is loaded. */
  access: readonly AccessEntry[] | undefined
  /** The item's own links, which the user may change. */
  links: readonly Link[]
  /** A line: those of `access`, then those of `links`. */
  cursor: number
}

/** A choice among a few options. */
export interface Choice {
  kind: 'choice'
  title: string
  options: readonly { name: string; about: string }[]
  cursor: number
  busy: boolean
  error: string | undefined
  /** Runs with the index of the chosen option. If it fails, the error is shown and the choice stays. */
  choose: (index: number) => Promise<void>
  /** Called after the choice, and when it is left. */
  next: () => void
}

/** The preview of a file's content: its first lines, the size of an image in pixels, or why there is none. */
export type Content =
  | { kind: 'text'; lines: readonly string[]; bytes: number }
  | { kind: 'image'; width: number; height: number }
  | { kind: 'none'; reason: string }

export interface Preview {
  kind: 'preview'
  entry: Entry
  details: FileDetails | undefined
  content: Content | undefined
  top: number
}

export type Mode =
  | { kind: 'list' }
  | { kind: 'help'; top: number }
  | Prompt
  | Confirmation
  | Picker
  | TagChooser
  | Sharing
  | Choice
  | Preview
