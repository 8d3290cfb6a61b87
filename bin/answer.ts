/** What all commands on the server's data do alike: answering, asking, and naming what was refused. */
import { CommandError, exitOf } from '../cli/exit.ts'
import { runInterruptibly } from '../cli/interrupt.ts'
import { printData, printJson, printNotice } from '../cli/output.ts'
import type { Flags } from '../src/config.ts'

export interface DataFlags extends Flags {
  json?: boolean
}

const flagOf = (field: string): string => field.replaceAll('_', '-')

/** A refusal that names each field beside its sentence; the exit code stays the same. */
function nameFields(error: unknown): unknown {
  if (!(error instanceof Error && 'fields' in error)) return error
  const sentences = Object.entries((error.fields ?? {}) as Record<string, string>)
  if (sentences.length === 0) return error
  const message = sentences.map(([field, sentence]) => `${flagOf(field)}: ${sentence}`).join('. ')
  return new CommandError(exitOf(error), message, { cause: error })
}

/** Prints what `act` gives back: as JSON where that is asked for, else as `format` tells it. */
export async function answer<Data>(
  { json }: DataFlags,
  act: () => Promise<Data>,
  format: (data: Data) => string,
): Promise<void> {
  const data = await act().catch(error => {
    throw nameFields(error)
  })
  if (json) printJson(data)
  else printData(format(data))
}

/** The same for a list, with a notice where there is nothing in it. */
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

// Loaded when somebody is to be asked, so that help is quick.
const loadPrompt = () => import('../cli/prompt.ts')

/** The value given, else the person's answer. Throws `usage` where there is no terminal, naming the option. */
export async function giveOrAsk(given: string | undefined, question: string, option: string): Promise<string> {
  if (given !== undefined) return given
  const { ask } = await loadPrompt()
  return runInterruptibly(signal => ask(`${question}: `, option, signal))
}

export interface PasswordFlags {
  passwordStdin?: boolean
}

/** A new password: from stdin, or asked for twice. Throws `usage` where none comes. */
export async function readPassword({ passwordStdin }: PasswordFlags): Promise<string> {
  const { readSecret } = await loadPrompt()
  if (!passwordStdin) return askPassword('Password', '--password-stdin')
  const password = await readSecret()
  if (password === '') throw new CommandError('usage', 'Standard input holds no password')
  return password
}

/** The same where an empty one is answered by a temporary password, which `--temp-password` says too. */
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

/** Asks before what cannot be undone, unless --yes is given. Throws as `confirm`. */
export async function confirmUnless({ yes }: YesFlag, question: string): Promise<void> {
  const { confirm } = await loadPrompt()
  await runInterruptibly(signal => confirm(question, yes, signal))
}
