import { type CliCommand, done } from '../cli-command.ts'
import { servedFlags } from '../served-flags.ts'

/** The command `pipe acp`. */
export const acpCommand: CliCommand = {
  about: 'serve editors that speak the Agent Client Protocol: Zed, JetBrains, Neovim, Emacs',
  actions: [
    {
      help: 'talk to the editor that started it, over stdin and stdout, until the editor closes them',
      run: async (context) => (await import('./acp.ts')).serveEditors(context),
    },
    {
      name: 'sign-in',
      help: "ask for a provider's key and store it; editors start this in a terminal",
      run: async (context) => done((await import('./ask-key.ts')).askKey(context)),
    },
  ],
  flags: ['cd', ...servedFlags],
  example: 'pipe acp --permission-mode plan',
  exitCodes: [42, 52],
}
