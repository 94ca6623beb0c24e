import { usageError } from '../../flags.ts'
import { type CliAction, type CliCommand, type CliCommands, done } from '../cli-command.ts'
import { type ShellName, shellNames } from './shell-names.ts'

/** Creates the command `completion`, which knows all commands. */
export function completionCommand(commands: () => CliCommands): CliCommand {
  return {
    about: 'completes commands, flags, models, sessions and files in your shell',
    needsAction: true,
    actions: [
      prints('bash', 'a script for bash; in ~/.bashrc: eval "$(pipe completion bash)"'),
      prints('zsh', 'a script for zsh; in ~/.zshrc, after compinit: eval "$(pipe completion zsh)"'),
      prints('fish', 'a script for fish; write it to ~/.config/fish/completions/pipe.fish'),
      {
        name: 'words',
        takes: ['SHELL', 'WORD…'],
        help: 'what can stand at the end of the words behind --, as those scripts ask it',
        run: async (context, [word, ...words]) => {
          const shell = shellNames.find((name) => name === word)
          if (shell === undefined)
            throw usageError(`pipe completion words takes ${shellNames.join(', ')}`, 'pipe completion --help')
          const { printCompletion } = await import('./completed-words.ts')
          return done(printCompletion(shell, words, { context, commands: commands() }))
        },
      },
    ],
    flags: ['cd'],
    example: 'eval "$(pipe completion bash)"',
    exitCodes: [],
  }
}

function prints(name: ShellName, help: string): CliAction {
  return {
    name,
    help,
    anywhere: true,
    run: async ({ host }) => {
      host.stdout.write((await import('./shell-scripts.ts')).shellScripts[name])
      return 0
    },
  }
}
