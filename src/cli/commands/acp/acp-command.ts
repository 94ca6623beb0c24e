import { type CliCommand, done } from '../cli-command.ts'
import { servedFlags } from '../served-flags.ts'

/** The command `pipe acp`. */
export const acpCommand: CliCommand = {
  about: 'is an agent for editors that speak the Agent Client Protocol: Zed, JetBrains, Neovim, Emacs',
  actions: [
    {
      help: 'speaks to the editor that started it, over stdin and stdout, until the editor closes them',
      formats: ['text'],
      run: async (context) => (await import('./acp.ts')).serveEditors(context),
    },
    {
      name: 'sign-in',
      help: 'asks for the key of a provider and stores it; editors start it in a terminal',
      formats: ['text'],
      run: async (context) => done((await import('./ask-key.ts')).askKey(context)),
    },
  ],
  flags: ['cd', ...servedFlags],
  example: 'pipe acp --permission-mode plan',
  exitCodes: [42, 52],
}
