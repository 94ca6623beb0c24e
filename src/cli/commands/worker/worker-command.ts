import { asJson, type CliCommand } from '../cli-command.ts'

/** The command `worker`. */
export const workerCommand: CliCommand = {
  about: 'carries out tasks: takes them from the board, and works on each in a folder of its own',
  actions: [
    {
      help: 'works until it is ended, or with --once until nothing is left to take; SIGTERM lets it end in order',
      json: '{"id", "stream_id", "seq", "created_at", "type", "payload"} on each line: an event that it appends',
      run: async (context) => (await import('./run-worker.ts')).work(context),
    },
  ],
  flags: [
    'cd',
    'trust',
    'agent',
    'model',
    'max-cost',
    'permission-mode',
    'allowed-tools',
    'disallowed-tools',
    'sandbox',
    'quiet',
    ...asJson,
  ],
  example: 'pipe worker -j 2 --max-cost 5',
  exitCodes: [42, 47, 52, 55],
}
