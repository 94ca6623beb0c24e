import type { CliCommand } from '../cli-command.ts'

/** The command `attach`. */
export const attachCommand: CliCommand = {
  about:
    'shows a session that a server runs, in the terminal: watch it, answer, steer; leaving it stops nothing',
  actions: [
    {
      takes: ['[URL | ID]'],
      help: 'the address that pipe serve prints, with /sessions/ID for one session; or the id of a session that a server of this machine has, or its beginning; default: choose one',
      formats: ['text', 'stream-json'],
      run: async (context, [target]) => (await import('./attach.ts')).attach(target, context),
    },
  ],
  flags: ['cd', 'model', 'agent', 'permission-mode', 'output-format'],
  example: "pipe attach 'http://127.0.0.1:8800/#token=…' --new",
  exitCodes: [41, 42, 51, 52],
}
