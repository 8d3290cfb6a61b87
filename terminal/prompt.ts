/** Asks the person at the terminal, on stderr, and reads secrets that scripts pass on stdin. */
import { createInterface } from 'node:readline'
import { addAbortSignal, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type ProcessContext, processContext } from '../src/base/process-context.ts'
import { CommandError } from './exit.ts'
import { visible } from './visible.ts'

/** Reads lines from a terminal in raw mode. Typed characters show only while a question that is not hidden is open. */
interface Typing {
  ask(question: string, hidden: boolean, signal: AbortSignal): Promise<string>
  close(): void
}

function openTyping({ stdin, stderr }: ProcessContext): Typing {
  let isShown = false
  const show = (shown: string | Buffer) => stderr.write(shown)
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (isShown) show(chunk)
      done()
    },
  })
  // Readline reads the width of the screen from its output.
  Object.defineProperty(output, 'columns', { get: () => stderr.columns })
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 })
  /** Lines that were typed before their question; undefined if the person ended the input. */
  const typed: (string | undefined)[] = []
  let take: ((line: string | undefined) => void) | undefined
  const hear = (line: string | undefined) => {
    // Hide what is typed until the next question, whose answer may have to stay hidden.
    isShown = false
    const waiting = take
    take = undefined
    if (waiting === undefined) typed.push(line)
    else waiting(line)
  }
  lines.on('line', hear)
  lines.once('close', () => hear(undefined))
  // In raw mode Ctrl-C arrives as a key, but the rest of the program listens for the signal.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))

  function begin(question: string, hidden: boolean): void {
    if (hidden) {
      show(question)
      return
    }
    isShown = true
    lines.setPrompt(question)
    lines.prompt(true)
  }

  async function answerTo(question: string, hidden: boolean, signal: AbortSignal): Promise<string | undefined> {
    if (typed.length > 0) {
      const line = typed.shift()
      show(hidden || line === undefined ? question : `${question}${visible(line)}\n`)
      return line
    }
    begin(question, hidden)
    return new Promise((resolve, reject) => {
      take = resolve
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  }

  return {
    ask: async (question, hidden, signal) => {
      signal.throwIfAborted()
      let line: string | undefined
      try {
        line = await answerTo(question, hidden, signal)
        if (line === undefined) throw new CommandError('usage', 'No answer was given')
        return line
      } finally {
        take = undefined
        // If the person has not ended the line, the next message would continue the line of the question.
        if (hidden || line === undefined) show('\n')
      }
    },
    close: () => lines.close(),
  }
}

const typings = new WeakMap<ProcessContext, Typing>()
const closings = new WeakMap<ProcessContext, NodeJS.Immediate>()

function openedTyping(context: ProcessContext): Typing {
  const typing = typings.get(context) ?? openTyping(context)
  typings.set(context, typing)
  return typing
}

function closeTyping(context: ProcessContext): void {
  typings.get(context)?.close()
  typings.delete(context)
}

/**
 * Asks one question and returns the answer. With `hidden`, the answer is not shown. Between two questions that follow
 * each other at once nothing typed is shown, so a password that is typed ahead stays hidden. Throws `usage`, naming the
 * option that answers instead, if stdin is not a terminal, and `usage` if the person ends the input.
 */
export async function ask(question: string, option: string, signal: AbortSignal, hidden = false): Promise<string> {
  const context = processContext()
  if (!context.stdin.isTTY) throw new CommandError('usage', `There is no terminal to ask on: use ${option}`)
  clearImmediate(closings.get(context))
  try {
    return await openedTyping(context).ask(question, hidden, signal)
  } finally {
    // Close the input unless another question follows at once: Ctrl-C must be a signal again, and the process able to
    // end.
    closings.set(context, setImmediate(closeTyping, context))
  }
}

/**
 * Reads a secret: all of stdin, without the one line end that `echo` adds. If stdin is a terminal, asks the person
 * instead and hides the answer. Throws if the signal aborts.
 */
export async function readSecret(question: string, signal: AbortSignal): Promise<string> {
  const { stdin } = processContext()
  if (stdin.isTTY) return ask(question, '', signal, true)
  return (await text(addAbortSignal(signal, stdin))).replace(/\r?\n$/, '')
}

/**
 * Asks whether to do something that cannot be undone, unless `--yes` was given. Throws `interrupted` for any answer but
 * yes, and `usage` if stdin is not a terminal.
 */
export async function confirm(question: string, yes: boolean | undefined, signal: AbortSignal): Promise<void> {
  if (yes) return
  const answer = await ask(`${visible(question)} This cannot be undone. [y/N] `, '--yes', signal)
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('interrupted', 'Nothing was done')
}
