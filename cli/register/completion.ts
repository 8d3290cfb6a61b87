/** Completion of commands and options in shells. */
import { Argument, type Command } from 'commander'
import { addGroup, helpLines } from './command.ts'

export function addCompletion(program: Command): void {
  addGroup(program, 'completion', 'print a script that completes commands in a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh']))
    .addHelpText('after', helpLines(['completion bash > ~/.local/share/bash-completion/completions/filestore']))
    .action(async (shell: 'bash' | 'zsh') => {
      ;(await import('../commands/completion.ts')).printCompletion(program, shell)
    })
}
