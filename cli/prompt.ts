/** Asks the person at the terminal, on stderr, and reads secrets that scripts hand over on stdin. */
import { createInterface } from 'node:readline/promises'
import { addAbortSignal, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CommandError } from './exit.ts'
import { visible } from './visible.ts'

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/**
 * Asks one question. With `hidden` nothing of the answer is shown. Throws `usage` where stdin is no terminal, naming
 * the option that answers instead, and where the person ends the input.
 */
export async function ask(question: string, option: string, signal: AbortSignal, hidden = false): Promise<string> {
  if (!process.stdin.isTTY) throw new CommandError('usage', `There is no terminal to ask on: use ${option}`)
  if (hidden) process.stderr.write(question)
  const output = hidden ? nowhere() : process.stderr
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 })
  const ended = new AbortController()
  lines.once('close', () => ended.abort(new CommandError('usage', 'No answer was given')))
  // In raw mode Ctrl-C arrives as a key; the rest of the program waits for the signal.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await lines.question(hidden ? '' : question, { signal: AbortSignal.any([signal, ended.signal]) })
  } catch (error) {
    ended.signal.throwIfAborted()
    throw error
  } finally {
    lines.close()
    if (hidden) process.stderr.write('\n')
  }
}

/** All of stdin without the line end that `echo` adds; nothing else is cut off. Throws when the signal ends it. */
export async function readSecret(signal?: AbortSignal): Promise<string> {
  if (signal !== undefined) addAbortSignal(signal, process.stdin)
  return (await text(process.stdin)).replace(/\r?\n$/, '')
}

/**
 * Asks whether to do what cannot be undone, unless `--yes` was given. Throws `interrupted` for any answer but yes, and
 * `usage` where stdin is no terminal.
 */
export async function confirm(question: string, yes: boolean | undefined, signal: AbortSignal): Promise<void> {
  if (yes) return
  const answer = await ask(`${visible(question)} This cannot be undone. [y/N] `, '--yes', signal)
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('interrupted', 'Nothing was done')
}
