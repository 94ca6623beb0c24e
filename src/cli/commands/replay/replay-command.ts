import { type CliCommand, inCopy } from '../cli-command.ts'

/** The command `replay`. */
export const replayCommand: CliCommand = {
  about: 'send the messages of a session again, in a copy of the folder, and compare',
  actions: [
    {
      takes: ['ID'],
      help: 'replay a session with its model or another; calls equal to the recorded ones get the recorded result',
      json: '{"replay_of", "session_id"?, "turns", "recorded": {…}, "replayed": {…}, "first_difference"?, "files"?, …}',
      run: async (context, [id = '']) => {
        const { replay } = await import('./replay.ts')
        await replay(id, context)
        return 0
      },
    },
  ],
  flags: inCopy,
  example: 'pipe replay work --offline',
  exitCodes: [41, 42, 47, 50, 51, 52, 53, 54, 55],
}
