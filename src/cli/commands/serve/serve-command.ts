import { asJson, type CliCommand } from '../cli-command.ts'
import { servedFlags } from '../served-flags.ts'

/** The command `serve`. */
export const serveCommand: CliCommand = {
  about: 'serve an agent over HTTP: the API of OpenAI, sessions and tasks, and a page for the browser',
  actions: [
    {
      takes: ['[DIR]…'],
      help: 'serve these folders, by default the current one, until stopped; print the address with its token',
      json: '{"url", "token"}: one line, once it listens',
      run: async (context, folders) => (await import('./serve.ts')).serve(folders, context),
    },
  ],
  flags: ['cd', 'trust', ...servedFlags, ...asJson],
  example: 'pipe serve ~/ledger --listen 127.0.0.1:8800',
  exitCodes: [42, 52],
}
