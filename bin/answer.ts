/**
 * What all commands on the server's data share: printing results, running one act on several names, asking the person.
 */

import type { Flags } from '../src/config-options.ts'
import { CommandError, exitOf } from '../terminal/exit.ts'
import { countOf } from '../terminal/format.ts'
import { runInterruptibly } from '../terminal/interrupt.ts'
import { printData, printError, printJson, printNotice } from '../terminal/output.ts'

export interface DataFlags extends Flags {
  json?: boolean
}

/** Prints the result of `act`: as JSON if the flag asks for it, otherwise with `format`. */
export async function answer<Data>(
  { json }: DataFlags,
  act: () => Promise<Data>,
  format: (data: Data) => string,
): Promise<void> {
  const data = await act()
  if (json) printJson(data)
  else printData(format(data))
}

/** Like `answer`, for a list. Prints a notice if the list is empty, except as JSON. */
export async function answerList<Item>(
  flags: DataFlags,
  act: () => Promise<Item[]>,
  format: (items: Item[]) => string,
  whenEmpty: string,
): Promise<void> {
  const items = await act()
  if (items.length === 0 && !flags.json) printNotice(whenEmpty)
  else await answer(flags, async () => items, format)
}

/** Whether a failure also ends the rest of the work. */
const endsAll = (error: unknown): boolean => ['unreachable', 'interrupted'].includes(exitOf(error))

/**
 * Runs `act` for each name and prints the results; with --json, a single name gives its one result, several a list. A
 * failed name does not stop the others, unless the server is unreachable or the person interrupts. Throws
 * `CommandError` with the exit of the first failure.
 */
export async function answerEach<Result>(
  { json }: DataFlags,
  names: readonly string[],
  act: (name: string) => Promise<Result>,
  format: (result: Result) => string,
): Promise<void> {
  const alone = names.length === 1
  const results: Result[] = []
  const failures: unknown[] = []
  const tryOne = async (name: string) => {
    try {
      const result = await act(name)
      results.push(result)
      if (!json) printData(format(result))
    } catch (error) {
      if (alone || endsAll(error)) throw error
      printError(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      failures.push(error)
    }
  }
  try {
    for (const name of names) await tryOne(name)
  } finally {
    if (json && (results.length > 0 || !alone)) printJson(alone ? results[0] : results)
  }
  if (failures.length > 0) {
    throw new CommandError(exitOf(failures[0]), `${failures.length} of ${countOf(names.length, 'file')} failed`)
  }
}

let prompt: Promise<typeof import('../terminal/prompt.ts')> | undefined

/**
 * Loads the prompt only when a question is asked, which keeps help quick. It is cached, so that questions follow each
 * other at once.
 */
function loadPrompt() {
  prompt ??= import('../terminal/prompt.ts')
  return prompt
}

/** Returns the given value, otherwise asks the person. Throws `usage`, naming the option, if there is no terminal. */
export async function giveOrAsk(given: string | undefined, question: string, option: string): Promise<string> {
  if (given !== undefined) return given
  const { ask } = await loadPrompt()
  return runInterruptibly(signal => ask(`${question}: `, option, signal))
}

export interface PasswordFlags {
  passwordStdin?: boolean
}

/** Reads a new password, from stdin or by asking twice. Throws `usage` if there is none or the two differ. */
export async function readPassword({ passwordStdin }: PasswordFlags): Promise<string> {
  if (!passwordStdin) return askPassword('Password', '--password-stdin')
  const { readSecret } = await loadPrompt()
  const password = await runInterruptibly(signal => readSecret('Password: ', signal))
  if (password === '') throw new CommandError('usage', 'Standard input holds no password')
  return password
}

/**
 * Like `readPassword`, but an empty answer or `--temp-password` returns '': the server then makes a temporary password.
 */
export async function readOptionalPassword(flags: PasswordFlags & { tempPassword?: boolean }): Promise<string> {
  if (flags.tempPassword) return ''
  if (flags.passwordStdin) return readPassword(flags)
  return askPassword('Password (empty: a temporary one is made)', '--password-stdin or --temp-password')
}

async function askPassword(question: string, options: string): Promise<string> {
  const { ask } = await loadPrompt()
  return runInterruptibly(async signal => {
    const password = await ask(`${question}: `, options, signal, true)
    if (password !== '' && password !== (await ask('Once more: ', options, signal, true))) {
      throw new CommandError('usage', 'The two passwords differ')
    }
    return password
  })
}

export interface YesFlag {
  yes?: boolean
}

/** Asks before an act that cannot be undone, unless --yes is given. Throws like `confirm`. */
export async function confirmUnless({ yes }: YesFlag, question: string): Promise<void> {
  const { confirm } = await loadPrompt()
  await runInterruptibly(signal => confirm(question, yes, signal))
}
