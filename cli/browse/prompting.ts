/** Questions in the footer, and the actions of their answers. */
import { type App, sentenceOf } from './app.ts'
import { editLine, insertText, lineOf } from './line-editor.ts'
import type { Confirmation, Prompt } from './modes.ts'

type Question = Pick<Prompt, 'label' | 'submit'> &
  Partial<Pick<Prompt, 'hint' | 'line' | 'dialog' | 'complete' | 'suggest' | 'change' | 'cancel' | 'next'>>

export function ask(app: App, question: Question): void {
  const hint = question.hint ?? 'Enter confirms · Esc leaves it'
  const mode: Prompt = {
    kind: 'prompt',
    line: lineOf(''),
    error: undefined,
    busy: false,
    choices: [],
    ...question,
    hint,
  }
  app.store.set({ mode, message: undefined })
}

/** Asks a question that is answered with y or n. */
export function confirm(
  app: App,
  question: string,
  yes: () => Promise<void>,
  { no = () => {}, dialog }: Partial<Pick<Confirmation, 'no' | 'dialog'>> = {},
): void {
  app.store.set({ mode: { kind: 'confirm', question, yes, no, dialog }, message: undefined })
}

export const backToList = (app: App): void => app.store.set({ mode: { kind: 'list' } })

/** Changes the prompt, unless it was closed meanwhile. */
function update(app: App, prompt: Prompt, change: Partial<Prompt>): void {
  const { mode } = app.store.get()
  if (mode.kind === 'prompt' && mode.submit === prompt.submit) app.store.set({ mode: { ...mode, ...change } })
}

/** Runs the prompt's action and closes the prompt. A failure leaves it open for another try. */
async function submit(app: App, prompt: Prompt): Promise<void> {
  update(app, prompt, { busy: true, error: undefined, choices: [] })
  try {
    await prompt.submit(prompt.line.text)
    const { mode } = app.store.get()
    // Another question may be open by now.
    if (mode.kind !== 'prompt' || mode.submit !== prompt.submit) return
    backToList(app)
    prompt.next?.()
  } catch (error) {
    if (!app.server.signal.aborted) update(app, prompt, { busy: false, error: sentenceOf(app, error) })
  }
}

async function complete(app: App, prompt: Prompt): Promise<void> {
  const completed = await prompt.complete?.(prompt.line.text)
  if (completed !== undefined) update(app, prompt, { line: lineOf(completed.text), choices: completed.choices })
}

/** Milliseconds to wait after the last key before the server is asked. */
const suggestPause = 200

let suggesting: NodeJS.Timeout | undefined

/** Shows what the text may mean, unless it has changed meanwhile. A failure is left to the prompt's action. */
function suggestLater(app: App, prompt: Prompt, text: string): void {
  clearTimeout(suggesting)
  suggesting = setTimeout(async () => {
    const choices = await prompt.suggest?.(text).catch(() => [])
    const { mode } = app.store.get()
    if (choices && mode.kind === 'prompt' && mode.line.text === text) update(app, prompt, { choices })
  }, suggestPause)
}

function edit(app: App, prompt: Prompt, line: Prompt['line']): void {
  update(app, prompt, { line, error: undefined, choices: [] })
  if (line.text === prompt.line.text) return
  prompt.change?.(line.text)
  if (prompt.suggest !== undefined) suggestLater(app, prompt, line.text)
}

/** Handles a key. `text` is what the key types, if anything. */
export function takePromptKey(app: App, prompt: Prompt, key: string, text: string) {
  if (key === 'escape') {
    backToList(app)
    return prompt.cancel?.()
  }
  if (prompt.busy) return
  if (key === 'return') return void submit(app, prompt)
  if (key === 'tab') return void complete(app, prompt)
  const edited = editLine(prompt.line, key)
  if (edited !== undefined) edit(app, prompt, edited)
  else if (text !== '') edit(app, prompt, insertText(prompt.line, text))
}

export function takeConfirmKey(app: App, { yes, no }: Confirmation, key: string): void {
  if (key !== 'y' && key !== 'Y' && key !== 'n' && key !== 'N' && key !== 'escape') return
  backToList(app)
  if (key.toLowerCase() === 'y') void yes()
  else no()
}
