/** The command that completes commands and options in shells. */
import { Argument, type Command } from 'commander'
import { addGroup } from './command.ts'

const examples = ['completion bash > ~/.local/share/bash-completion/completions/filestore']

export function addCompletion(program: Command): void {
  addGroup(program, 'completion', 'print a script that completes commands in a shell', examples)
    .addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh']))
    .action(async (shell: 'bash' | 'zsh') => {
      ;(await import('../commands/completion.ts')).printCompletion(program, shell)
    })
}
