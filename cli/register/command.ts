/** What all client commands have in common. */
import type { Command } from 'commander'

export const pathHelp =
  "A path on the server looks like /Docs/a.pdf, id:42, or @Name/a.pdf in a team\nfolder or what is shared with you; '/' is the root."

/** The last lines of a command's help. Give each example without the program's name. */
export const helpLines = (examples: readonly string[], ...notes: readonly string[]): string =>
  ['', ...notes, ...(notes.length > 0 ? [''] : []), 'Examples:', ...examples.map(line => `  filestore ${line}`)].join(
    '\n',
  )

function addChild(parent: Command, name: string, summary: string, isDefault = false): Command {
  const command = parent.command(name, { isDefault }).description(summary)
  return parent.parent === null ? command.helpGroup('Client commands:') : command
}

/** Adds a group of commands, or a command without the client's options. */
export const addGroup = (program: Command, name: string, summary: string, examples: readonly string[]): Command =>
  addChild(program, name, summary).addHelpText('after', helpLines(examples))

/**
 * Adds a command that can print JSON to the program or to a group. The default command of a group runs without its
 * name.
 */
export const addLocalCommand = (parent: Command, name: string, summary: string, isDefault?: boolean): Command =>
  addChild(parent, name, summary, isDefault).option('--json', 'print one JSON document')

/** Adds a command that signs its requests with a profile's key. */
export const addScreenCommand = (parent: Command, name: string, summary: string): Command =>
  addChild(parent, name, summary).option('--profile <name>', 'which stored sign-in to use')

/** Like `addScreenCommand`, for a command that can print JSON. */
export const addCommand = (parent: Command, name: string, summary: string): Command =>
  addScreenCommand(parent, name, summary).option('--json', 'print one JSON document')
