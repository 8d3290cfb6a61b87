/** What all server commands have in common. */
import { type Command, Option } from 'commander'
import { type ServerOption, storageOptions } from '../src/config-options.ts'

function addServerOptions(command: Command, options: readonly ServerOption[]): void {
  for (const { flags, description, env, default: value } of options) {
    // The options only appear in the help here; config.ts reads the flags and the environment itself.
    const option = new Option(flags, `${description} (default: ${value}; ${env})`)
    command.addOption(option.helpGroup('Server options:'))
  }
}

/** Adds a command with the server's options. */
export function addServerCommand(
  parent: Command,
  name: string,
  summary: string,
  options: readonly ServerOption[],
): Command {
  const command = parent.command(name).description(summary)
  addServerOptions(command, options)
  return command
}

/** Adds a command that works on the server's own data and can print JSON. */
export function addDataCommand(parent: Command, name: string, summary: string): Command {
  const command = parent.command(name).description(summary).option('--json', 'print one JSON document')
  addServerOptions(command, storageOptions)
  return command
}
