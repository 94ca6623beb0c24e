import { asJson, type CliCommand } from '../cli-command.ts'

/** The command `worker`. */
export const workerCommand: CliCommand = {
  about: 'take tasks from the board, and carry out each in its own folder',
  actions: [
    {
      help: 'work until stopped, or with --once until no task is left; SIGTERM stops it cleanly',
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
    'jobs',
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
