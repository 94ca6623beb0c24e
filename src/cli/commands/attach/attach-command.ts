import type { CliCommand } from '../cli-command.ts'

/** The command `attach`. */
export const attachCommand: CliCommand = {
  about: 'show a session of a server in the terminal: watch it, answer, steer; leaving it stops nothing',
  actions: [
    {
      takes: ['[URL | ID]'],
      help: 'show a session by the address that pipe serve prints, with /sessions/ID, or by the id of a session on this machine, or its first characters; default: choose one',
      formats: ['text', 'stream-json'],
      run: async (context, [target]) => (await import('./attach.ts')).attach(target, context),
    },
  ],
  flags: ['cd', 'model', 'agent', 'permission-mode', 'output-format'],
  example: "pipe attach 'http://127.0.0.1:8800/#token=…' --new",
  exitCodes: [41, 42, 51, 52],
}
