import { oneLine } from '../characters/one-line.ts'
import { unreachable } from '../error.ts'

/** The events at which hooks run, in the words that agents share. The first ones are about calls of tools. */
export const hookEvents = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PermissionDenied',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'Notification',
  'FileChanged',
] as const

export type HookEvent = (typeof hookEvents)[number]

/** Events about a call of a tool. */
export const callEvents: readonly HookEvent[] = hookEvents.slice(0, 5)

/** Events at which a refusal has an effect. */
export const refusableEvents: readonly HookEvent[] = [
  ...callEvents.filter((event) => event !== 'PermissionDenied'),
  ...(['UserPromptSubmit', 'Stop', 'SubagentStop', 'PreCompact'] as const),
]

/** Names the work of a hook at its event. */
export type HookHandler =
  /** Runs a line of `sh`, or of the shell that it names; with `args`, a program that gets them without a shell. */
  | {
      readonly type: 'command'
      readonly command: string
      readonly args?: readonly string[]
      readonly shell?: 'bash'
    }
  /** Sends the event to a server. Headers name variables (`${NAME}`), of which `variables` may be filled in. */
  | {
      readonly type: 'http'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly variables: readonly string[]
    }
  /** Asks a model, in whose question `$ARGUMENTS` stands for the event. */
  | { readonly type: 'prompt'; readonly prompt: string; readonly model?: string }
  /** Lets an agent that only reads answer such a question. */
  | { readonly type: 'agent'; readonly prompt: string; readonly model?: string }
  /** Calls a function of the program that drives the run. */
  | { readonly type: 'callback'; readonly id: string }

/** Something that the user set up to happen at an event. */
export interface Hook {
  readonly event: HookEvent
  /** A list of names (`Edit|Write`) or a regular expression over them. Empty or `*`: all. */
  readonly matcher: string
  /** A permission rule that the call must match: `Bash(git push *)`. */
  readonly condition?: string
  readonly handler: HookHandler
  readonly timeoutMs: number
  /** Runs once a conversation. */
  readonly once: boolean
  /** Nothing waits for it. What it says is told later. */
  readonly async: boolean
  /** Whether a failure of the hook refuses what it was asked about. */
  readonly blocksOnFailure: boolean
  /** Describes its work in the words of its author. */
  readonly status?: string
  /** Variables of its own. Default: none. */
  readonly env?: Readonly<Record<string, string>>
  /** The file that sets it up. */
  readonly source: string
}

/** Names a hook to people in one line. */
export function nameOf({ handler }: Pick<Hook, 'handler'>): string {
  return oneLine(handlerText(handler), longest)
}

/** All that a hook runs, sends or asks. */
export function handlerText(handler: HookHandler): string {
  switch (handler.type) {
    case 'command':
      return [handler.command, ...(handler.args ?? [])].join(' ')
    case 'http': {
      const headers = Object.entries(handler.headers).map(([name, value]) => ` (${name}: ${value})`)
      return `POST ${handler.url}${headers.join('')}`
    }
    case 'prompt':
      return `ask ${handler.model ?? 'a model'}: ${handler.prompt}`
    case 'agent':
      return `let an agent of ${handler.model ?? 'a model'} find out: ${handler.prompt}`
    case 'callback':
      return `callback ${handler.id}`
    default:
      return unreachable(handler)
  }
}

/** Characters of a name. */
const longest = 80
