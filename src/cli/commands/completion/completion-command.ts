import { usageError } from '../../flags.ts'
import { type CliAction, type CliCommand, type CliCommands, done } from '../cli-command.ts'
import { type ShellName, shellNames } from './shell-names.ts'

/** Creates the command `completion`, which knows all commands. */
export function completionCommand(commands: () => CliCommands): CliCommand {
  return {
    about: 'complete commands, flags, models, sessions and files in your shell',
    needsAction: true,
    actions: [
      prints('bash', 'print the script for bash; in ~/.bashrc: eval "$(pipe completion bash)"'),
      prints('zsh', 'print the script for zsh; in ~/.zshrc, after compinit: eval "$(pipe completion zsh)"'),
      prints('fish', 'print the script for fish; save it as ~/.config/fish/completions/pipe.fish'),
      {
        name: 'words',
        takes: ['SHELL', 'WORD…'],
        help: 'print what can complete the words after --, for those scripts',
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
