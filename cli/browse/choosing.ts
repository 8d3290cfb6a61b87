/** A choice among a few options, each with a sentence about it. */
import { type App, sentenceOf } from './app.ts'
import type { Choice } from './modes.ts'
import { backToList } from './prompting.ts'

type Question = Pick<Choice, 'title' | 'options' | 'cursor' | 'choose' | 'next'>

export const askChoice = (app: App, question: Question): void =>
  app.store.set({ mode: { kind: 'choice', busy: false, error: undefined, ...question }, message: undefined })

function update(app: App, { choose }: Choice, change: Partial<Choice>): void {
  const { mode } = app.store.get()
  if (mode.kind === 'choice' && mode.choose === choose) app.store.set({ mode: { ...mode, ...change } })
}

async function submit(app: App, choice: Choice): Promise<void> {
  update(app, choice, { busy: true, error: undefined })
  try {
    await choice.choose(choice.cursor)
    const { mode } = app.store.get()
    if (mode.kind !== 'choice' || mode.choose !== choice.choose) return
    backToList(app)
    choice.next()
  } catch (error) {
    if (!app.server.signal.aborted) update(app, choice, { busy: false, error: sentenceOf(app, error) })
  }
}

export function takeChoiceKey(app: App, choice: Choice, key: string) {
  if (key === 'escape' || key === 'q') {
    backToList(app)
    return choice.next()
  }
  if (choice.busy) return
  const last = choice.options.length - 1
  if (key === 'up' || key === 'k') return update(app, choice, { cursor: Math.max(0, choice.cursor - 1) })
  if (key === 'down' || key === 'j') return update(app, choice, { cursor: Math.min(last, choice.cursor + 1) })
  if (key === 'return' || key === 'space') return void submit(app, choice)
}
