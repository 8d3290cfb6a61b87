/** Makes the help from the table of keys. */
import type { App } from './app.ts'
import type { KeyEntry } from './key-entry.ts'
import { helpColumns } from './key-table.ts'
import { bodyRows } from './layout.ts'
import { refusalEverywhere } from './rights.ts'
import type { State } from './state.ts'
import { offeredViews } from './views.ts'

export type HelpLine = { title: string } | { label: string; does: string }

/** Whether the user has the key at all, as far as role and key decide. */
function isPermitted(state: State, { needs, isFor, views }: KeyEntry): boolean {
  const offered = offeredViews(state)
  if (views !== undefined && !views.some(view => offered.includes(view))) return false
  return (isFor?.(state) ?? true) && (needs === undefined || refusalEverywhere(state, needs) === undefined)
}

/** Returns the lines of a group with a blank one after them; none for a group without keys. */
function linesOf(title: string, entries: readonly HelpLine[]): HelpLine[] {
  return entries.length === 0 ? [] : [{ title }, ...entries, { title: '' }]
}

/** Returns the rows of the help, which has two columns. */
export function helpRows(state: State): [left: HelpLine | undefined, right: HelpLine | undefined][] {
  const [left = [], right = []] = helpColumns.map(groups =>
    groups.flatMap(({ title, entries }) =>
      linesOf(
        title,
        entries.filter(entry => isPermitted(state, entry)).map(({ label, does }) => ({ label, does })),
      ),
    ),
  )
  left.push(...linesOf('In questions', promptKeys))
  right.push(...linesOf('Signs', signs))
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [left[index], right[index]])
}

const signs: HelpLine[] = [
  { label: '✓', does: 'selected' },
  { label: '★', does: 'a favorite' },
  { label: '⇄', does: 'shared with others' },
]

const promptKeys: HelpLine[] = [
  { label: 'Tab', does: 'completes; searches elsewhere' },
  { label: '^U ^W', does: 'delete left, a word' },
  { label: 'Esc', does: 'leaves it' },
  { label: '^C', does: 'stops everything' },
  { label: '^Z', does: 'to the shell; fg returns' },
]

/** The first visible line when the help is scrolled to its end. */
export const lastHelpTop = (state: State): number => Math.max(0, helpRows(state).length - bodyRows(state))

export function scrollHelp(app: App, rows: number): void {
  const state = app.store.get()
  const last = lastHelpTop(state)
  const { mode } = state
  if (mode.kind !== 'help') return
  app.store.set({ mode: { kind: 'help', top: Math.max(0, Math.min(mode.top + rows, last)) } })
}
