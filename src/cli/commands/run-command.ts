import { unreachable } from '../../error.ts'
import type { Invocation } from '../args.ts'
import type { Flags } from '../flags.ts'
import type { Host } from '../host.ts'
import type { Interruption } from '../signals.ts'

/** A subcommand that takes flags. */
export type Command = Exclude<Extract<Invocation, { readonly flags: Flags }>, { readonly type: 'run' }>

/** What a subcommand is run with. */
export interface CommandContext {
  /** As seen from the folder that `-C` names. */
  readonly host: Host
  readonly flags: Flags
  readonly signal: AbortSignal
}

/** Carries out a subcommand, of which only its own modules are loaded. Returns the exit code. */
export async function runCommand(command: Command, host: Host, interruption: Interruption): Promise<number> {
  const context = { host, flags: command.flags, signal: interruption.signal }
  switch (command.type) {
    case 'sessions_list':
      await (await import('./sessions.ts')).listSessions(context)
      return 0
    case 'sessions_show':
      await (await import('./sessions.ts')).showSession(command.id, context)
      return 0
    case 'models':
      await (await import('./models.ts')).listModels(command.filter, context)
      return 0
    case 'auth':
      await (await import('./auth.ts')).runAuth(command.command, { ...context, interruption })
      return 0
    case 'audit':
      await (await import('./audit.ts')).runAudit(command.command, context)
      return 0
    case 'undo':
      await (await import('./undo.ts')).runUndo(command.turns, context)
      return 0
    case 'trust':
      await (await import('./trust.ts')).runTrust(command.action, context)
      return 0
    case 'doctor':
      return (await import('./doctor.ts')).runDoctor(context)
    case 'permissions':
      return (await import('./permissions.ts')).runPermissions(command.action, context)
    default:
      return unreachable(command)
  }
}
