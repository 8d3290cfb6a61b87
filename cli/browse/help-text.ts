/** Makes the help from the table of keys. */
import type { App } from './app.ts'
import { keyGroups } from './keys.ts'
import { bodyRows } from './layout.ts'
import type { State } from './state.ts'

export type HelpLine = { title: string } | { label: string; does: string }

const linesOf = (state: State): HelpLine[][] =>
  keyGroups.map(({ title, entries }) => [
    { title },
    ...entries.filter(({ offered }) => offered?.(state) ?? true).map(({ label, does }) => ({ label, does })),
  ])

/** Returns the rows of the help, which has two columns. */
export function helpRows(state: State): [left: HelpLine | undefined, right: HelpLine | undefined][] {
  const [move = [], show = [], choose = [], act = []] = linesOf(state)
  const blank: HelpLine[] = [{ title: '' }]
  const left = [...move, ...blank, ...choose, ...blank, { title: 'In questions' }, ...promptKeys]
  const right = [...show, ...blank, ...act]
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [left[index], right[index]])
}

const promptKeys: HelpLine[] = [
  { label: 'Tab', does: 'completes a local path' },
  { label: '^U ^W', does: 'delete left, a word' },
  { label: 'Esc', does: 'leaves it' },
  { label: '^C', does: 'stops everything' },
  { label: '^Z', does: 'to the shell; fg comes back' },
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
